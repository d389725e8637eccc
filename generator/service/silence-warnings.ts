import { originOf } from "../contract/origin.ts";
import { witnessesNeeded } from "../contract/panel.ts";
import { withoutLabel } from "../rpc/error.ts";
import { type Witness } from "../rpc/ranking.ts";
import { toCounted, type Report } from "./report.ts";

type SilenceWarnings = (kind: "check" | "snapshot", report: Report) => void;

/**
 * Warns while too few witnesses can confirm a change: when that begins,
 * when a change begins to wait, with each snapshot, and when it ends.
 * @param readWitnesses as the last reading found them
 */
export function createSilenceWarnings(readWitnesses: () => readonly Witness[]): SilenceWarnings {
  let warned: { isWaiting: boolean } | null = null;
  return (kind, report) => {
    const witnesses = readWitnesses();
    const silent = witnesses.filter(({ reason }) => reason !== null);
    const { length: count } = witnesses;
    if (count === 0 || count - silent.length >= witnessesNeeded(count)) {
      if (warned !== null) report.warnings.push(describeEnd(count - silent.length, count));
      warned = null;
      return;
    }
    const isWaiting = report.pending > 0;
    const isNews = warned === null || (isWaiting && !warned.isWaiting);
    // A refused observation reports no pending changes.
    warned = { isWaiting: isWaiting || warned?.isWaiting === true };
    if (isNews || kind === "snapshot") report.warnings.push(describeSilence(silent, count));
  };
}

function describeSilence(silent: readonly Witness[], count: number): string {
  const reasons = silent.map(
    ({ label, reason }) => `${originOf(label)}: ${withoutLabel(reason ?? "", label)}`,
  );
  const found = `${silent.length} of ${toCounted(count, "witness", "witnesses")} silent`;
  return `${found} (${reasons.join("; ")}): no change can be confirmed`;
}

function describeEnd(usable: number, count: number): string {
  return `${usable} of ${toCounted(count, "witness", "witnesses")} answer again: changes can be confirmed`;
}
