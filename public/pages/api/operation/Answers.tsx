import { Card } from "../../../parts/Card.tsx";
import type { Answer, Header } from "../description/description.ts";
import { Words } from "../prose/Prose.tsx";
import { ExampleText } from "./ExampleText.tsx";
import { Fields } from "./Fields.tsx";
import { HeaderRows } from "./HeaderRows.tsx";

/** What an operation answers: the document with its fields, headers and example, then every error. */
export function Answers({ answers }: { answers: readonly Answer[] }) {
  const good = answers.filter(({ status }) => status < 300);
  const others = answers.filter(({ status }) => status >= 300);
  return (
    <>
      {good.map((answer) => (
        <Card key={answer.status} title={`Answer ${answer.status}`}>
          <p class="api-lead">
            <Words text={answer.description} /> {answer.mediaType !== null && <code>{answer.mediaType}</code>}
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
            <div key={answer.status}>
              <dt>
                <code>{answer.status}</code>
              </dt>
              <dd>
                <Words text={answer.description} />
                {answer.examples.map(({ name, value }) => (
                  <code key={name} class="api-error breakable">
                    {JSON.stringify(value)}
                  </code>
                ))}
              </dd>
            </div>
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
