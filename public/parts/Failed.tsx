import { Component, type ComponentChildren, type ComponentType } from "preact";
import { ErrorBoundary, lazy } from "preact-iso";

interface FailedProps {
  /** A new value clears the failure. */
  of: unknown;
  instead: ComponentChildren;
  children: ComponentChildren;
}

export class Failed extends Component<FailedProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  // Preact has this hook for classes only.
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

/** `lazy` alone would wait for ever. */
export function lazily<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  return lazy<ComponentType<Props>>(() => load().catch(() => ({ default: Unavailable })));
}

/** Keeps the page while a lazy chart loads. */
export function ChartPlace({ children }: { children: ComponentChildren }) {
  return (
    <div class="chart-place">
      <ErrorBoundary>{children}</ErrorBoundary>
    </div>
  );
}

function Unavailable() {
  return (
    <Alert>
      This part did not load. The site may have changed since you opened it: load the page again.
    </Alert>
  );
}

export function Alert({
  children,
  button = "Load the page again",
  onPress = () => location.reload(),
}: AlertProps) {
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
