import { toAddress } from "../../format/url.ts";
import { Card, Fact } from "../../parts/Card.tsx";
import { useUrl } from "../../parts/use-url.ts";
import { Prose, Words } from "./Prose.tsx";
import { TryIt } from "./TryIt.tsx";
import type { Answer, Example, Header, Operation, Parameter } from "./description.ts";
import { type Field, toBounds, toDefault } from "./schemas.ts";

export function OperationView({ operation, tag }: { operation: Operation; tag: string }) {
  const { network } = useUrl();
  const { method, path, summary, description, parameters, answers } = operation;
  return (
    <>
      <header class="api-header">
        <p class="api-crumbs">
          <a href={toAddress("/api", { network })}>Overview</a> <span aria-hidden="true">/</span>{" "}
          {tag}
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
        {parameters.length === 0 ? (
          <p class="quiet">This operation has no parameters.</p>
        ) : (
          <Parameters parameters={parameters} />
        )}
      </Card>
      <Card title="Try it">
        <TryIt operation={operation} />
      </Card>
      <Answers answers={answers} />
    </>
  );
}

function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <dl class="api-rows">
      {parameters.map(({ name, place, isRequired, description, schema }) => {
        const otherwise = toDefault(schema);
        return (
          <div key={`${place} ${name}`}>
            <dt>
              <code>{name}</code>
              <span class="quiet">
                {place}, {isRequired ? "required" : "optional"}
              </span>
            </dt>
            <dd>
              <Words text={description} />
              <span class="bounds breakable">
                {toBounds(schema)}
                {otherwise !== null && (
                  <>
                    ; default <strong>{otherwise}</strong>
                  </>
                )}
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Answers({ answers }: { answers: readonly Answer[] }) {
  const good = answers.filter(({ status }) => status < 300);
  const others = answers.filter(({ status }) => status >= 300);
  return (
    <>
      {good.map((answer) => (
        <Card key={answer.status} title={`Answer ${answer.status}`}>
          <p class="api-lead">
            <Words text={answer.description} />{" "}
            {answer.mediaType !== null && <code>{answer.mediaType}</code>}
          </p>
          {answer.examples.map((example) => (
            <ExampleText key={example.name} example={example} />
          ))}
          <Fields fields={answer.fields} />
          <Headers headers={answer.headers} />
        </Card>
      ))}
      <Card title="Other answers">
        <dl class="api-rows">
          {others.map((answer) => (
            <Fact key={answer.status} name={<code>{answer.status}</code>}>
              <Words text={answer.description} />
              {answer.examples.map(({ name, value }) => (
                <code key={name} class="api-error breakable">
                  {JSON.stringify(value)}
                </code>
              ))}
            </Fact>
          ))}
        </dl>
      </Card>
    </>
  );
}

function Headers({ headers }: { headers: readonly Header[] }) {
  return (
    <details class="figures">
      <summary>Headers ({headers.length})</summary>
      <HeaderRows headers={headers} />
    </details>
  );
}

function ExampleText({ example: { summary, value } }: { example: Example }) {
  return (
    <details class="figures">
      <summary>Example{summary !== "" && `: ${summary}`}</summary>
      <pre class="body" tabIndex={0} role="region" aria-label="Example">
        {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
      </pre>
    </details>
  );
}

function Fields({ fields }: { fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    <details class="figures">
      <summary>Fields ({fields.length})</summary>
      <dl class="api-rows">
        {fields.map(({ path, type, isNullable, isOptional, description }) => (
          <Fact
            key={path}
            name={
              <>
                <code class="breakable">{path}</code>
                <span class="quiet">
                  {type}
                  {isNullable && ", or null"}
                  {isOptional && ", may be missing"}
                </span>
              </>
            }
          >
            <Words text={description} />
          </Fact>
        ))}
      </dl>
    </details>
  );
}

export function HeaderRows({ headers }: { headers: readonly Header[] }) {
  return (
    <dl class="api-rows">
      {headers.map(({ name, description, example }) => (
        <Fact key={name} name={<code>{name}</code>}>
          <Words text={description} />
          {example !== null && <code class="bounds breakable">{example}</code>}
        </Fact>
      ))}
    </dl>
  );
}
