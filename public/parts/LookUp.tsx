import type { ComponentChildren } from "preact";
import "../style/look-up.css";

interface LookUpProps {
  id: string;
  label: string;
  type: "search" | "text";
  value: string;
  maxLength: number;
  hint: ComponentChildren;
  isHintHidden?: boolean;
  button?: string;
  labelled: "beside" | "above";
  onType: (text: string) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  onSubmit: () => void;
}

export function LookUp({
  id,
  label,
  hint,
  isHintHidden = false,
  button,
  labelled,
  type,
  onType,
  onSubmit,
  ...input
}: LookUpProps) {
  return (
    <form
      class={`look-up look-up-${labelled}`}
      role={type === "search" ? "search" : undefined}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <label for={id}>{label}</label>
      <span class="look-up-line">
        <input
          {...input}
          {...(type === "search" ? ({ type } as const) : ({ type: "text" } as const))}
          id={id}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-describedby={`${id}-hint`}
          onInput={({ currentTarget }) => onType(currentTarget.value)}
        />
        {button !== undefined && (
          <button type="submit" class="button">
            {button}
          </button>
        )}
      </span>
      <span id={`${id}-hint`} class={isHintHidden ? "visually-hidden" : "look-up-hint"}>
        {hint}
      </span>
    </form>
  );
}
