import { toSentence } from "../api/envelope.ts";
import { isLimit, troubles } from "../api/troubles.ts";

/** Says once for the whole page why it cannot be read, instead of in every block of it. */
export function Outage() {
  const [first] = troubles.value;
  if (first === undefined) return null;
  return (
    <div class="outage" role="alert">
      <p>
        <strong>Not everything could be read.</strong> {toSentence(first.problem)}{" "}
        {isLimit(first.problem) && "What is missing comes by itself then."}
      </p>
      {!isLimit(first.problem) && (
        <button type="button" class="button" onClick={reloadAll}>
          Try again
        </button>
      )}
    </div>
  );
}

function reloadAll(): void {
  for (const { reload } of troubles.peek()) reload();
}
