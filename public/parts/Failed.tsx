import { Component, type ComponentChildren } from "preact";

/** Catches a bug of the page within it, so that the rest of the site stays usable. Give it a key to start anew. */
export class Failed extends Component<{ children: ComponentChildren }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  // Preact tells only a class of what was thrown below it.
  override componentDidCatch(): void {
    this.setState({ hasFailed: true });
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <section class="notice" role="alert">
        <h1>This page failed</h1>
        <p>It could not be loaded or shown. The other pages still work.</p>
        <p>
          <button type="button" class="button" onClick={() => location.reload()}>
            Load it again
          </button>
        </p>
      </section>
    );
  }
}
