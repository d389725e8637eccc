import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Network } from "../../../generator/contract/networks.ts";
import { documents } from "../../api/documents.ts";
import { useDocument } from "../../api/use-document.ts";
import { useUrl } from "../../parts/use-url.ts";
import { AnswerView } from "./AnswerView.tsx";
import type { Operation, Parameter } from "./description.ts";
import { Samples } from "./Samples.tsx";
import { type Outcome, send, toTrial, type Trial, type Values } from "./request.ts";
import { withExamples } from "./sample-code.ts";
import { findFault, toBounds, toDefault, toValues } from "./schemas.ts";

type Sending =
  { state: "none" } | { state: "running" } | { state: "over"; trial: Trial; outcome: Outcome };

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
    parameters.map((parameter) => [
      parameter.name,
      findFault(parameter, values[parameter.name] ?? ""),
    ]),
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
            fault={
              isAsked || values[parameter.name] !== "" ? (faults.get(parameter.name) ?? null) : null
            }
            suggestion={suggestions[parameter.name] ?? null}
            onChange={(value) =>
              change({ [parameter.name]: value === "" ? null : value }, { replace: true })
            }
          />
        ))}
        <button type="submit" class="button button-main">
          Send
        </button>
      </form>
      <Samples
        operation={operation}
        values={isReady ? values : withExamples(parameters, values)}
        isOwn={isReady}
      />
      {sending.state === "running" && <p role="status">Loading the answer</p>}
      {sending.state === "over" && (
        <AnswerView trial={sending.trial} outcome={sending.outcome} answers={answers} />
      )}
    </>
  );
}

function toNetwork(
  { parameters }: Operation,
  query: Readonly<Record<string, string>>,
  network: string,
): string {
  const isInPath = parameters.some(({ name, place }) => name === "network" && place === "path");
  return isInPath || "network" in query ? network : "";
}

interface ParameterFieldProps {
  parameter: Parameter;
  value: string;
  /** null also when it is too early to complain. */
  fault: string | null;
  suggestion: Suggestion | null;
  onChange: (value: string) => void;
}

function ParameterField({ parameter, value, fault, suggestion, onChange }: ParameterFieldProps) {
  const id = useId();
  const { name, schema, isRequired } = parameter;
  const choices = toValues(schema);
  const otherwise = toDefault(schema);
  const shared = {
    id,
    value,
    "aria-describedby": `${id}-hint`,
    "aria-invalid": fault !== null,
    "aria-required": isRequired,
  };
  return (
    <div class="field">
      <label for={id}>
        <code>{name}</code>
        {isRequired && <span class="quiet">required</span>}
      </label>
      {choices.length > 0 ? (
        <select {...shared} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {(!isRequired || value === "") && (
            <option value="">{toLeftOut(isRequired, otherwise)}</option>
          )}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type="text"
          inputMode={schema["type"] === "integer" ? "numeric" : "text"}
          placeholder={otherwise ?? ""}
          autoComplete="off"
          autoCapitalize="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      <p id={`${id}-hint`} class={fault === null ? "hint breakable" : "hint hint-fault breakable"}>
        {fault ?? toBounds(schema)}
      </p>
      {suggestion !== null && value !== suggestion.value && (
        <button type="button" class="link-button" onClick={() => onChange(suggestion.value)}>
          {suggestion.name}
        </button>
      )}
    </div>
  );
}

function toLeftOut(isRequired: boolean, otherwise: string | null): string {
  if (isRequired) return "choose one";
  return otherwise === null ? "none" : `default: ${otherwise}`;
}

/** The examples of the description are made up. */
interface Suggestion {
  name: string;
  value: string;
}

function useSuggestions(
  { parameters }: Operation,
  network: Network,
): { votePubkey?: Suggestion; epoch?: Suggestion; [name: string]: Suggestion | undefined } {
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name);
  const validators = useDocument(
    takes("votePubkey") ? documents.validators(network, { limit: 1 }) : null,
  );
  const rugs = useDocument(takes("epoch") ? documents.rugsPerEpoch(network, { epochs: 2 }) : null);
  const votePubkey = validators.held?.document.data[0]?.votePubkey;
  // Exports exist for closed epochs only.
  const epoch = rugs.held?.document.data[0]?.epoch;
  return {
    ...(votePubkey !== undefined && {
      votePubkey: { name: "Use the largest validator", value: votePubkey },
    }),
    ...(epoch !== undefined && { epoch: { name: `Use epoch ${epoch}`, value: String(epoch) } }),
  };
}
