import { Component, type ComponentChildren } from "preact";

interface FailedProps {
  /** What is shown within it: another one is tried anew. */
  of: unknown;
  /** In place of what failed. */
  instead: ComponentChildren;
  children: ComponentChildren;
}

/** Catches a bug of what is shown within it, or what no bug of ours brought there, so that the rest stays usable. */
export class Failed extends Component<FailedProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  // Preact tells only a class of what was thrown below it.
  override componentDidCatch(): void {
    this.setState({ hasFailed: true });
  }

  override componentDidUpdate({ of }: FailedProps): void {
    if (this.state.hasFailed && of !== this.props.of) this.setState({ hasFailed: false });
  }

  override render() {
    return this.state.hasFailed ? this.props.instead : this.props.children;
  }
}
