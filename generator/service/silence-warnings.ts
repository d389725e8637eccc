import { describeSilence } from "../contract/panel.ts";
import type { Witness } from "../rpc/ranking.ts";
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
    const reasons = readWitnesses().map(({ reason }) => reason);
    const silence = describeSilence(reasons);
    if (silence === null) {
      if (warned !== null) report.warnings.push(describeEnd(reasons));
      warned = null;
      return;
    }
    const isWaiting = report.pending > 0;
    const isNews = warned === null || (isWaiting && !warned.isWaiting);
    // A refused observation reports no pending changes.
    warned = { isWaiting: isWaiting || warned?.isWaiting === true };
    if (isNews || kind === "snapshot") report.warnings.push(silence);
  };
}

function describeEnd(reasons: readonly (string | null)[]): string {
  const usable = reasons.filter((reason) => reason === null).length;
  const of = toCounted(reasons.length, "witness", "witnesses");
  return `${usable} of ${of} answer again: changes can be confirmed`;
}
