import { Component, type ComponentChildren, type ComponentType } from "preact";
import { ErrorBoundary, lazy } from "preact-iso";

interface FailedProps {
  /** Another one is tried anew. */
  of: unknown;
  instead: ComponentChildren;
  children: ComponentChildren;
}

/** Catches what is thrown below it, so that the rest stays usable. */
export class Failed extends Component<FailedProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  // Preact tells only a class.
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
 * Loads a component when it is first shown. Where its file cannot be had, the reader is told; `lazy` alone would wait for ever.
 */
export function lazily<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy<ComponentType<Props>>(() => load().catch(() => ({ default: Unavailable })));
}

/** Keeps the place of a lazy chart, and the page while it comes. */
export function ChartPlace({ children }: { children: ComponentChildren }) {
  return (
    <div class="chart-place">
      <ErrorBoundary>{children}</ErrorBoundary>
    </div>
  );
}

function Unavailable() {
  return <Alert>This part of the site could not be loaded. It may have been renewed since you opened it.</Alert>;
}

/** In place of what cannot be shown: why, and what to do. */
export function Alert({ children, button = "Load it again", onPress = () => location.reload() }: AlertProps) {
  return (
    <div class="state state-problem" role="alert">
      <p>{children}</p>
      <button type="button" class="button" onClick={onPress}>
        {button}
      </button>
    </div>
  );
}

interface AlertProps {
  children: ComponentChildren;
  button?: string;
  onPress?: () => void;
}
