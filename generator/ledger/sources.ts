import type { AgreedSnapshot, SectionState, SnapshotReading } from "../agree/agree.ts";
import type { AgreedIssuance } from "../agree/issuance.ts";
import type { StatusSource } from "./ledger.ts";
import { describeUnknownIssuance } from "./stake/issuance.ts";
import type { Step } from "./step.ts";

/** Sources with one section in each snapshot. */
type SideSource = Exclude<StatusSource, "votes" | "witnesses" | "mev">;

/**
 * Records the health of the sources that status tells of. Slot-time samples are left out, because
 * they matter only until two snapshots are far enough apart, and so is what is read on demand.
 */
export function foldSources(
  step: Step,
  entry: AgreedSnapshot,
  { issuance }: Pick<SnapshotReading, "issuance">,
): void {
  const sections: Record<SideSource, SectionState> = {
    nodes: entry.nodes,
    info: entry.info,
    production: entry.production,
    stakeAccounts: entry.stakeAccounts,
    locations: entry.locations,
    issuance: toIssuanceSection(step, entry, issuance),
  };
  for (const [source, section] of Object.entries(sections))
    note(step, source as SideSource, section);
  noteMev(step, entry);
}

/**
 * Records that the vote list was accepted; validators with unreadable rows keep their last facts.
 */
export function noteVotes(step: Step, unreadableRows: number): void {
  note(step, "votes", { state: "ok" });
  if (unreadableRows === 0) return;
  const reason = `${unreadableRows} rows of the list of vote accounts could not be read`;
  note(step, "votes", { state: "failed", reason });
}

/**
 * Records the witnesses' health, for refused observations too.
 * @param silence why no change can be confirmed
 */
export function noteWitnesses(step: Step, silence: string | null): void {
  note(
    step,
    "witnesses",
    silence === null ? { state: "ok" } : { state: "failed", reason: silence },
  );
}

/** The chain's answer may be fresh, but a failing vendor is still reported. */
function noteMev(step: Step, { mev, tips }: AgreedSnapshot): void {
  const isVendorAsked = mev.state !== "skipped" || !mev.off;
  if (tips.state === "ok" || !isVendorAsked) note(step, "mev", tips);
  if (isVendorAsked) note(step, "mev", mev);
}

/** Issuance that was read and that the ledger cannot keep has failed. */
function toIssuanceSection(
  step: Step,
  entry: AgreedSnapshot,
  agreed: AgreedIssuance | null,
): SectionState {
  if (agreed === null || step.ledger.issuance.has(entry.epoch)) return entry.issuance;
  const reason = [describeUnknownIssuance(step, entry, agreed), ...agreed.failures];
  return { state: "failed", reason: reason.join("; ") };
}

function note(step: Step, source: StatusSource, section: SectionState): void {
  const health = step.ledger.sources[source];
  if (section.state === "ok") {
    step.ledger.sources[source] = { state: "ok", lastSuccessAt: step.moment.time, reason: null };
  } else if (section.state === "failed") {
    const state = health.lastSuccessAt === null ? "failed" : "degraded";
    step.ledger.sources[source] = { ...health, state, reason: section.reason };
  } else if (section.off) {
    step.ledger.sources[source] = { ...health, state: "off", reason: null };
  }
}
