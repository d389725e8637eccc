import { toAddress } from "../../app/url.ts";
import { useUrl } from "../../app/use-url.ts";
import { Card } from "../../parts/Card.tsx";
import type { Operation } from "./description/description.ts";
import { Answers } from "./operation/Answers.tsx";
import { Parameters } from "./operation/Parameters.tsx";
import { Prose, Words } from "./prose/Prose.tsx";
import { TryIt } from "./trial/TryIt.tsx";

/** All that is to know about one operation, and a way to try it. */
export function OperationView({ operation, tag }: { operation: Operation; tag: string }) {
  const { network } = useUrl();
  const { method, path, summary, description, parameters, answers } = operation;
  return (
    <>
      <header class="api-header">
        <p class="api-crumbs">
          <a href={toAddress("/api", { network })}>Overview</a> <span aria-hidden="true">/</span> {tag}
        </p>
        <h2 class="api-heading">
          <Words text={summary} />
        </h2>
        <p class="api-path">
          <span class="method">{method}</span> <code class="breakable">{path}</code>
        </p>
        <Prose text={description} />
      </header>
      <Card title="Parameters">
        {parameters.length === 0 ? <p class="quiet">It takes none.</p> : <Parameters parameters={parameters} />}
      </Card>
      <Card title="Try it" class="try">
        <TryIt operation={operation} />
      </Card>
      <Answers answers={answers} />
    </>
  );
}
