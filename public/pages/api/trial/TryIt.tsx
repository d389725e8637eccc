import { useEffect, useRef, useState } from "preact/hooks";
import { useUrl } from "../../../app/use-url.ts";
import { CopyButton } from "../../../parts/CopyButton.tsx";
import { findFault } from "../description/bounds.ts";
import type { Operation } from "../description/description.ts";
import { AnswerView } from "./AnswerView.tsx";
import { ParameterField } from "./ParameterField.tsx";
import { toCurl, toTrial, type Trial, type Values } from "./request.ts";
import { send, type Outcome } from "./send.ts";
import { useSuggestions } from "./suggestions.ts";

type Sending = { state: "none" } | { state: "running" } | { state: "over"; trial: Trial; outcome: Outcome };

/** A form of an operation's parameters, whose texts are in the address; the request that they make, and what it answered. */
export function TryIt({ operation }: { operation: Operation }) {
  const { query, network, change } = useUrl();
  const { parameters, answers } = operation;
  const values: Values = Object.fromEntries(
    parameters.map(({ name }) => [
      name,
      name === "network" ? toNetwork(operation, query, network) : (query[name] ?? ""),
    ]),
  );
  const faults = new Map(
    parameters.map((parameter) => [parameter.name, findFault(parameter, values[parameter.name] ?? "")]),
  );
  const isReady = [...faults.values()].every((fault) => fault === null);
  const [sending, setSending] = useState<Sending>({ state: "none" });
  const [isAsked, setAsked] = useState(false);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const suggestions = useSuggestions(operation, network);

  const trial = toTrial(operation, values);
  const submit = async () => {
    setAsked(true);
    if (!isReady) return;
    abort.current?.abort();
    const current = (abort.current = new AbortController());
    setSending({ state: "running" });
    const outcome = await send(trial, current.signal);
    if (!current.signal.aborted) setSending({ state: "over", trial, outcome });
  };
  return (
    <>
      <form
        class="try-form"
        noValidate
        aria-label="Try it"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={values[parameter.name] ?? ""}
            fault={isAsked || values[parameter.name] !== "" ? (faults.get(parameter.name) ?? null) : null}
            suggestion={suggestions[parameter.name] ?? null}
            onChange={(value) => change({ [parameter.name]: value === "" ? null : value }, { replace: true })}
          />
        ))}
        <button type="submit" class="button button-main">
          Send
        </button>
      </form>
      {isReady && <Ways trial={trial} />}
      {sending.state === "running" && <p role="status">Waiting for the answer</p>}
      {sending.state === "over" && <AnswerView trial={sending.trial} outcome={sending.outcome} answers={answers} />}
    </>
  );
}

/** The same request elsewhere: in a shell, or in a tab of its own. */
function Ways({ trial }: { trial: Trial }) {
  const curl = toCurl(trial, location.origin);
  return (
    <div class="ways">
      <p>
        <code class="breakable">{curl}</code> <CopyButton text={curl} what="the curl command" />
      </p>
      <p>
        <a class="breakable" href={trial.target}>
          {location.origin + trial.target}
        </a>
      </p>
    </div>
  );
}

/** The network of the site; where it may be left out and is the default, left out. */
function toNetwork({ parameters }: Operation, query: Readonly<Record<string, string>>, network: string): string {
  const isInPath = parameters.some(({ name, place }) => name === "network" && place === "path");
  return isInPath || "network" in query ? network : "";
}
