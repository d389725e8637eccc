import { Component, type ComponentChildren, type ComponentType } from "preact";
import { lazy } from "preact-iso";

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

/**
 * A component that is loaded when it is first shown. Where it cannot be had (no network, or a newer site has taken the place
 * of its file) the reader is told, where `lazy` alone would wait for ever.
 */
export function lazily<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy<ComponentType<Props>>(() => load().catch(() => ({ default: Unavailable })));
}

/** In place of a part of the site that could not be loaded. */
function Unavailable() {
  return (
    <div class="state state-problem" role="alert">
      <p>This part of the site could not be loaded. It may have been renewed since you opened it.</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Load it again
      </button>
    </div>
  );
}
