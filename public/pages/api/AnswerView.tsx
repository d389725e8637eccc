import { useEffect, useState } from "preact/hooks";
import { toCount, toSize } from "../../format/values.ts";
import type { Answer } from "./description.ts";
import { fold, type Outcome, type Received, type Trial } from "./request.ts";

interface AnswerViewProps {
  trial: Trial;
  outcome: Outcome;
  answers: readonly Answer[];
}

const LINES = 24;
const LINES_MAX = 10_000;
const ALWAYS = ["Content-Type"];

export function AnswerView({ trial, outcome, answers }: AnswerViewProps) {
  return (
    <section class="answer" aria-label="Answer">
      <p class="quiet">
        to <code class="breakable">{trial.target}</code>
      </p>
      <div role="status">
        {outcome === null ? (
          <p class="status status-bad">
            The API did not answer in time. Check your connection, then send it again.
          </p>
        ) : (
          <p class={outcome.status < 400 ? "status" : "status status-bad"}>
            <strong>{outcome.status}</strong>{" "}
            {answers.find(({ status }) => status === outcome.status)?.description}{" "}
            <span class="quiet">
              {toSize(outcome.body.bytes)} in {toCount(Math.round(outcome.milliseconds))} ms
            </span>
          </p>
        )}
      </div>
      {outcome !== null && <Headers received={outcome} answers={answers} />}
      {outcome !== null && <BodyText received={outcome} target={trial.target} />}
    </section>
  );
}

function Headers({ received, answers }: { received: Received; answers: readonly Answer[] }) {
  const described = answers.find(({ status }) => status === received.status)?.headers ?? [];
  const names = [...ALWAYS, ...described.map(({ name }) => name)];
  const found = names.flatMap((name): [string, string][] => {
    const value = received.headers.get(name.toLowerCase());
    return value === undefined ? [] : [[name, value]];
  });
  return (
    <dl class="answer-headers">
      {found.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="key breakable">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function BodyText({ received: { body }, target }: { received: Received; target: string }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [body]);
  if (body.text === "") return <p class="quiet">No body.</p>;
  if (body.text === null)
    return (
      <p>
        This file is no text: <a href={target}>download it</a>.
      </p>
    );
  const { shown, more } = fold(body.text, isOpen ? LINES_MAX : LINES);
  return (
    <>
      <pre class="body" tabIndex={0} role="region" aria-label="Body">
        {shown}
      </pre>
      {more > 0 && !isOpen && (
        <button type="button" class="button" onClick={() => setOpen(true)}>
          Show {toCount(Math.min(more, LINES_MAX - LINES))} more lines
        </button>
      )}
      {(!body.isWhole || (isOpen && more > 0)) && (
        <p class="quiet">
          This is not all: <a href={target}>open the whole answer</a>.
        </p>
      )}
    </>
  );
}
