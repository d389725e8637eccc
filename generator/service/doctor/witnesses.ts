import { witnessesNeeded } from "../../contract/values.ts";
import { countWitnesses, toEndpointNumber, type Panel } from "./endpoints.ts";
import { toFinding, toGrouped, type Finding } from "./findings.ts";

/** What so many usable witnesses guarantee. */
const GUARANTEES = [
  "nothing is observed",
  "not guarded against its lies",
  "if one of them lies, nothing false is told, but changes wait",
];

export function judgeWitnesses(panel: Panel): Finding {
  const { variable, witnesses, usable } = panel;
  const { length: count } = witnesses;
  const able = countWitnesses(panel, usable);
  const needed = witnessesNeeded(count);
  const guarantee = GUARANTEES[able] ?? "one of them may lie";
  const effect = able < needed && able > 0 ? `no change can be confirmed until ${needed} can` : guarantee;
  const level = able < needed ? "problem" : able < count || count < 3 ? "warning" : "ok";
  const fix = able < count ? "The lines above say why: repair them or replace them. " : "";
  const advice = `${fix}Give ${variable} endpoints of three or four providers who do not depend on each other: then one of them may lie.`;
  return toFinding(level, "witnesses", `${able} of ${count} origins can be used: ${effect}`, advice);
}

/** A majority of the witnesses must keep transactions for more than an epoch. */
export function judgeProofs(panel: Panel): Finding {
  const { variable, witnesses, usable } = panel;
  const needed = Math.floor(witnesses.length / 2) + 1;
  const keeping = usable.filter(
    ({ history, epoch }) =>
      history.value !== undefined &&
      epoch.value !== undefined &&
      epoch.value.absoluteSlot - history.value >= epoch.value.slotsInEpoch,
  );
  const count = countWitnesses(panel, keeping);
  const told = usable.map((one) => {
    const { value, failed } = one.history;
    return `${toEndpointNumber(one)} ${value === undefined ? `none (${failed})` : `from slot ${toGrouped(value)} on`}`;
  });
  const found = `${count} of ${witnesses.length} witnesses keep an epoch of transactions, ${needed} must: ${told.join(", ")}`;
  const advice = `Changes are proved with gaps or not at all: choose endpoints for ${variable} that keep more than an epoch of transactions, or start your own node with --enable-rpc-transaction-history and a larger --limit-ledger-size.`;
  return toFinding(count < needed ? "warning" : "ok", "proofs", found, advice);
}
