import { mevSeverity } from "../../../generator/views/events/severity.ts";
import type { EventRecord } from "../../../generator/ledger/event-record.ts";
import type { Cluster, Validator } from "./cluster.ts";
import { shareIn } from "./leaders.ts";
import type { Record } from "./record.ts";

/** What is false about a MEV event; null: it is true. */
export function findMevUntruth(
  cluster: Cluster,
  { vote, event }: Record["mevEvents"][number],
): string | null {
  const { from, to, epoch, severity } = event;
  const describe = `MEV ${String(from)} → ${String(to)} in epoch ${epoch}`;
  const validator = cluster.byVote.get(vote);
  if (validator === undefined) return `${describe} of an account that there never was`;
  if (stateIn(cluster, validator, epoch) !== to)
    return `${describe}: ${tellStates(cluster, validator, epoch)}`;
  const before = [...validator.turns.keys()].filter((other) => other < epoch);
  if (!before.some((other) => stateIn(cluster, validator, other) === from))
    return `${describe} from what it never was: ${tellStates(cluster, validator, epoch)}`;
  return severity === mevSeverity(from, to) ? null : `${describe} is ${severity}`;
}

/** null: it made no block, and nothing tells what it would have shared. */
function stateIn(cluster: Cluster, validator: Validator, epoch: number): EventRecord["to"] {
  const turn = validator.turns.get(epoch);
  if (turn === undefined || turn.blocks === 0) return null;
  return shareIn(cluster, validator, epoch) ?? "disabled";
}

function tellStates(cluster: Cluster, validator: Validator, upTo: number): string {
  const epochs = [...validator.turns.keys()].filter((epoch) => epoch <= upTo).slice(-8);
  return `it was ${epochs.map((epoch) => `${stateIn(cluster, validator, epoch) ?? "without a block"} in ${epoch}`).join(", ")}`;
}
