import type { Status } from "../../generator/contract/status.ts";

const MINUTE = 60_000;

/** Ten minutes between snapshots, and up to a minute and a half to publish one. */
const SNAPSHOT_LATE = 12 * MINUTE;
const SNAPSHOT_OLD = 30 * MINUTE;

export type Freshness = "fresh" | "late" | "old" | "unknown";

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

/** Without fresh snapshots the sources matter little. */
export function toVerdict({ sources, snapshotAt }: Facts, now: number | null): Verdict {
  if (snapshotAt === null) return { state: "failed", sentence: "We have no snapshot yet." };
  if (toFreshness(snapshotAt, now) === "old")
    return { state: "failed", sentence: "We have read nothing new for over half an hour." };
  const votes = sources.find(({ name }) => name === "votes");
  if (votes !== undefined && votes.state !== "ok")
    return {
      state: "failed",
      sentence: "We cannot read commissions at the moment, and may miss changes.",
    };
  if (toFreshness(snapshotAt, now) === "late")
    return { state: "degraded", sentence: "The next snapshot is late." };
  const troubled = sources.filter(({ state }) => state === "degraded" || state === "failed").length;
  if (troubled === 0) return { state: "ok", sentence: "Everything works." };
  const have = troubled === 1 ? "has" : "have";
  return {
    state: "degraded",
    sentence: `${troubled} of ${sources.length} sources ${have} trouble. The others work.`,
  };
}
