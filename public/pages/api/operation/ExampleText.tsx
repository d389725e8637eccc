import type { Example } from "../description/description.ts";

/** An answer as it may look, and to which request. */
export function ExampleText({ example: { summary, value } }: { example: Example }) {
  return (
    <details class="figures">
      <summary>Example{summary !== "" && `: ${summary}`}</summary>
      <pre class="body" tabIndex={0} role="region" aria-label="Example">
        {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
      </pre>
    </details>
  );
}
