import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import tooltips from "virtual:tooltips";
import { toAddress } from "../format/url.ts";
import type { TermName } from "./terms.ts";
import { useUrl } from "./use-url.ts";

/**
 * The browser's own popover, without script.
 * @param children undefined: a question mark
 */
export function Term({ of, children }: { of: TermName; children?: ComponentChildren }) {
  const id = useId();
  const { network } = useUrl();
  const { text, anchor } = tooltips[of];
  return (
    <>
      <button
        type="button"
        class={children === undefined ? "term term-sign" : "term"}
        popovertarget={id}
        aria-label={children === undefined ? `What ${of} means` : undefined}
      >
        {children ?? "?"}
      </button>
      <span id={id} popover="auto" class="term-text" role="note">
        <strong>{of}.</strong> {text}{" "}
        <a href={`${toAddress("/glossary", { network })}#${anchor}`}>Glossary</a>
      </span>
    </>
  );
}
