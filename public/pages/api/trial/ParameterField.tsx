import { useId } from "preact/hooks";
import { toBounds, toDefault, toValues } from "../description/bounds.ts";
import type { Parameter } from "../description/description.ts";
import type { Suggestion } from "./suggestions.ts";

interface ParameterFieldProps {
  parameter: Parameter;
  value: string;
  /** null: there is none, or it is too early to say. */
  fault: string | null;
  suggestion: Suggestion | null;
  onChange: (value: string) => void;
}

/** One parameter to fill in: a choice where it is one of a few words, else a line of text. */
export function ParameterField({ parameter, value, fault, suggestion, onChange }: ParameterFieldProps) {
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
        {isRequired && <span class="quiet">needed</span>}
      </label>
      {choices.length > 0 ? (
        <select {...shared} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {(!isRequired || value === "") && <option value="">{toLeftOut(isRequired, otherwise)}</option>}
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
  return otherwise === null ? "left out" : `left out: ${otherwise}`;
}
