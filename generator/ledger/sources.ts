import type { SnapshotEntry } from "./entry.ts";
import type { StatusSource } from "./ledger.ts";
import type { Step } from "./step.ts";

type Section = { state: "ok" } | { state: "failed"; reason: string } | { state: "skipped"; off: boolean };

/** Remembers which source answered last when, for status.json. */
export function foldSources(step: Step, entry: SnapshotEntry): void {
  note(step, "nodes", entry.nodes);
  note(step, "info", entry.info);
  note(step, "production", entry.production);
  note(step, "stakeAccounts", entry.stakeAccounts);
  note(step, "mev", entry.mev);
  note(step, "locations", entry.locations);
}

export function noteVotes(step: Step): void {
  note(step, "votes", { state: "ok" });
}

function note(step: Step, source: StatusSource, section: Section): void {
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
