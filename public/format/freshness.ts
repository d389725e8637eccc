import type { Status } from "../../generator/contract/status.ts";

const MINUTE = 60_000;

/** Ten minutes between snapshots, and up to one and a half until one is published. */
const SNAPSHOT_LATE = 12 * MINUTE;
/** Three snapshots are missing. */
const SNAPSHOT_OLD = 30 * MINUTE;

export type Freshness = "fresh" | "late" | "old" | "unknown";

/** The age of a snapshot against the usual; unknown without a snapshot or the time. */
export function toFreshness(snapshotAt: string | null, now: number | null): Freshness {
  if (snapshotAt === null || now === null) return "unknown";
  const age = now - Date.parse(snapshotAt);
  if (age <= SNAPSHOT_LATE) return "fresh";
  return age <= SNAPSHOT_OLD ? "late" : "old";
}

interface Verdict {
  state: "ok" | "degraded" | "failed";
  sentence: string;
}

type Facts = Pick<Status, "sources" | "snapshotAt">;

/** The worst first: without fresh snapshots the sources matter little. */
export function toVerdict({ sources, snapshotAt }: Facts, now: number | null): Verdict {
  if (snapshotAt === null) return { state: "failed", sentence: "No snapshot has been accepted yet." };
  if (toFreshness(snapshotAt, now) === "old")
    return { state: "failed", sentence: "Nothing new has been learned for over half an hour." };
  const votes = sources.find(({ name }) => name === "votes");
  if (votes !== undefined && votes.state !== "ok")
    return { state: "failed", sentence: "Commissions cannot be read: changes may be missed until they can." };
  if (toFreshness(snapshotAt, now) === "late") return { state: "degraded", sentence: "The next snapshot is overdue." };
  const troubled = sources.filter(({ state }) => state === "degraded" || state === "failed").length;
  if (troubled === 0) return { state: "ok", sentence: "Everything is read as it should be." };
  return {
    state: "degraded",
    sentence: `${troubled} of ${sources.length} sources cannot be read as they should be; the rest goes on.`,
  };
}
