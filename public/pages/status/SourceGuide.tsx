import { Card } from "../../parts/Card.tsx";
import { SOURCE_WORDS } from "./sources.ts";

/** What each source is for, and what it means to be without it. */
export function SourceGuide() {
  return (
    <Card title="What the sources are for">
      <dl class="guide">
        {Object.values(SOURCE_WORDS).map(({ title, purpose, loss }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <p>{purpose}</p>
              <p class="quiet">Without it: {loss}</p>
            </dd>
          </div>
        ))}
      </dl>
      <p class="quiet guide-states">
        <strong>ok</strong>: read as it should be. <strong>degraded</strong>: the last reading failed and older facts
        are shown, or it was read in a second-best way. <strong>failed</strong>: never read. <strong>off</strong>: not
        set up for this network.
      </p>
    </Card>
  );
}
