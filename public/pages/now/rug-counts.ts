import type { CommissionEvent } from "../../../generator/contract/event.ts";

/** In how many epochs of a list of events each validator rugged: who flips over each boundary shows as one who does. */
export function countRugs(
  events: readonly Pick<CommissionEvent, "votePubkey" | "severity" | "epoch">[],
): Map<string, number> {
  const epochs = Map.groupBy(
    events.filter(({ severity }) => severity === "RUG"),
    ({ votePubkey }) => votePubkey,
  );
  return new Map([...epochs].map(([votePubkey, of]) => [votePubkey, new Set(of.map(({ epoch }) => epoch)).size]));
}
