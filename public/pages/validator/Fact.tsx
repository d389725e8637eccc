import type { ComponentChildren } from "preact";

/** One line of a `dl` of facts; what is null or nothing is not known. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  const isKnown = children !== null && children !== undefined;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{isKnown ? children : <span class="quiet">not known</span>}</dd>
    </div>
  );
}
