import type { Network } from "../../contract/networks.ts";
import type { Status } from "../../contract/status.ts";
import { readSeries } from "../../journal/series.ts";
import { toRemedy, WAITED_FOR } from "../holes.ts";
import { readPublished } from "../published.ts";
import { toCounted } from "../report.ts";
import { toFinding, toSpan, within, type CheckContext, type Finding } from "./check.ts";

/** A snapshot is due every ten minutes: after this, nothing runs, or it is stuck. */
const STALE_MILLISECONDS = 15 * 60_000;

/**
 * Since when the journal is kept, which of its objects the last run found unusable, and how fresh what is published is.
 * @throws {Error} when the series or a store cannot be read
 */
export async function checkJournal(network: Network, context: CheckContext): Promise<Finding[]> {
  const { stateStore, publicStore, clock, limits } = context;
  const known = await within(limits.answerMilliseconds, clock, () => readSeries(stateStore, network));
  const newest = known.at(-1);
  if (newest === undefined)
    return [toFinding("ok", "journal", `empty: npm run generate -- snapshot --network ${network} begins it`)];
  const journal = toFinding("ok", "journal", `series ${newest.series}, since ${newest.since.slice(0, 10)}`);
  const status = (await readPublished(publicStore, network, "status"))?.data;
  if (status) return [journal, ...judgeUnusable(network, status), judgeStatus(network, status, clock.now())];
  const again = `npm run generate -- publish --network ${network} puts it again.`;
  return [journal, toFinding("warning", "published", "no readable status.json", again)];
}

function judgeUnusable(network: Network, { quarantined }: Status): Finding[] {
  const hole = quarantined.find(({ reason }) => reason.endsWith(WAITED_FOR));
  const named = hole ?? quarantined.at(-1);
  if (named === undefined) return [];
  const found = `${toCounted(quarantined.length, "unusable object")}, for example ${named.object}: ${named.reason}`;
  if (hole) return [toFinding("problem", "journal", found, toRemedy(hole.object, network))];
  return [toFinding("warning", "journal", found, "It is left out. Find out who writes there: only Rugwatch should.")];
}

function judgeStatus(network: Network, { generatedAt, observedAt, sources }: Status, now: number): Finding {
  const age = now - Date.parse(generatedAt);
  const observedAge = now - Date.parse(observedAt ?? generatedAt);
  const failing = sources
    .filter(({ state }) => state === "degraded" || state === "failed")
    .map(({ name, state, reason }) => `; ${name} ${state}${reason === null ? "" : ` (${reason})`}`);
  const isStale = Math.max(age, observedAge) > STALE_MILLISECONDS;
  const run = `Is npm run generate -- run --network ${network} running? See what it says, or take a snapshot.`;
  const level = isStale || failing.length > 0 ? "warning" : "ok";
  const found = `${toSpan(age)} ago, the newest observation ${toSpan(observedAge)} old${failing.join("")}`;
  return toFinding(level, "published", found, isStale ? run : "The other lines tell what to fix.");
}
