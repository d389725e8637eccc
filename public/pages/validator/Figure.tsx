import type { ComponentChildren } from "preact";

/** One figure of a line of them, within a `dl`. */
export function Figure({ name, value }: { name: string; value: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
