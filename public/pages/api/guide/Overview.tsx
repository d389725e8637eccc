import { toAddress } from "../../../app/url.ts";
import { useUrl } from "../../../app/use-url.ts";
import { Card } from "../../../parts/Card.tsx";
import type { Description, Operation } from "../description/description.ts";
import { Prose, Words } from "../prose/Prose.tsx";

/** What the API is, what holds for all of it, and its operations by what they are about. */
export function Overview({ description: { summary, version, prose, tags } }: { description: Description }) {
  return (
    <>
      <header class="api-header">
        <h2 class="api-heading">{summary}</h2>
        <p class="quiet">
          Version {version}. Described in full by <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>, from which a
          client can be generated and this reference is made.
        </p>
      </header>
      {tags.map(({ name, description, operations }) => (
        <Card key={name} title={name}>
          <p class="api-lead">
            <Words text={description} />
          </p>
          <ul class="api-operations">
            {operations.map((operation) => (
              <OperationLine key={operation.id} operation={operation} />
            ))}
          </ul>
        </Card>
      ))}
      <Card title="For every request">
        <Prose text={prose} />
      </Card>
    </>
  );
}

function OperationLine({ operation: { id, method, path, summary } }: { operation: Operation }) {
  const { network } = useUrl();
  return (
    <li>
      <a href={toAddress("/api", { operation: id, network })}>{summary}</a>
      <span class="api-path">
        <span class="method">{method}</span> <code class="breakable">{path}</code>
      </span>
    </li>
  );
}
