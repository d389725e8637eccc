import type { CommissionEvent } from "../../../generator/contract/event.ts";

/**
 * In how many epochs of a list of events each validator rugged: who flips over each boundary shows as one who does. An event
 * whose steps are events of their own does not count: they do.
 */
export function countRugs(
  events: readonly Pick<CommissionEvent, "votePubkey" | "severity" | "epoch" | "replacedBy">[],
): Map<string, number> {
  const epochs = Map.groupBy(
    events.filter(({ severity, replacedBy }) => severity === "RUG" && replacedBy === null),
    ({ votePubkey }) => votePubkey,
  );
  return new Map([...epochs].map(([votePubkey, of]) => [votePubkey, new Set(of.map(({ epoch }) => epoch)).size]));
}
