import type { Severity } from "../../generator/contract/event.ts";

/** A shape for each severity, since colours alone do not tell everybody apart (WCAG 1.4.1). */
const SHAPES: Record<Severity, string> = {
  RUG: "M6 1 11.5 11H.5z",
  CAUTION: "M6 .5 11.5 6 6 11.5.5 6z",
  INFO: "M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1z",
};

/** How bad a change is, by word, shape and colour. */
export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <span class={`severity severity-${severity.toLowerCase()}`}>
      <svg viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
        <path d={SHAPES[severity]} fill="currentColor" />
      </svg>
      {severity}
    </span>
  );
}
