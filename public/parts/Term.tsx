import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { type TermName, TERMS } from "./terms.ts";

/**
 * A word that explains itself when it is pressed: by mouse, touch or keyboard. The browser's own popover: Escape and a press
 * elsewhere close it, and it needs no script.
 * @param children the word as it stands here; undefined: a question mark behind a word that is something else, say a button
 */
export function Term({ of, children }: { of: TermName; children?: ComponentChildren }) {
  const id = useId();
  const { name, text } = TERMS[of];
  return (
    <>
      <button
        type="button"
        class={children === undefined ? "term term-sign" : "term"}
        popovertarget={id}
        aria-label={children === undefined ? `What is meant by ${name}` : undefined}
      >
        {children ?? "?"}
      </button>
      <span id={id} popover="auto" class="term-text" role="note">
        <strong>{name}.</strong> {text}
      </span>
    </>
  );
}
