import type { Status } from "../../generator/contract/status.ts";

type State = Status["sources"][number]["state"];

/** A shape for each state, since colours alone do not tell everybody apart (WCAG 1.4.1). */
const SHAPES: Readonly<Record<State, string>> = {
  ok: "M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1z",
  degraded: "M6 .5 11.5 6 6 11.5.5 6z",
  failed: "M6 1 11.5 11H.5z",
  off: "M1 5h10v2H1z",
};

/** How something is, by word, shape and colour. */
export function StateBadge({ state }: { state: State }) {
  return (
    <span class={`state-badge state-${state}`}>
      <svg viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
        <path d={SHAPES[state]} fill="currentColor" />
      </svg>
      {state}
    </span>
  );
}
