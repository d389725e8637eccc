import { z } from "zod";
import type { Network } from "../../contract/networks.ts";
import { toObjectKey } from "../../contract/objects.ts";
import { statusSchema, type Status } from "../../contract/status.ts";
import { listEntryNames } from "../../journal/listing.ts";
import { shiftDay, timeOf, toDay } from "../../journal/names.ts";
import type { Series } from "../../journal/series.ts";
import type { ObjectStore } from "../../store/store.ts";
import { toRemedy, WAITED_FOR } from "../holes.ts";
import { toCounted } from "../report.ts";
import { toFinding, toSpan, type Finding } from "./findings.ts";

interface JournalExamination {
  network: Network;
  stateStore: ObjectStore;
  publicStore: ObjectStore;
  /** Newest last. */
  series: Series[];
  /** Milliseconds since 1970. */
  now: number;
}

/** A snapshot is due every ten minutes: after this, nothing runs, or it is stuck. */
const STALE_MILLISECONDS = 15 * 60_000;
/** Each pack is read whole, some megabytes. */
const LOOK_DAYS = 31;

/**
 * What has been observed and published so far, what of it is damaged, and how fresh it is.
 * @throws {StoreError}
 */
export async function examineJournal(options: JournalExamination): Promise<Finding[]> {
  const { network, stateStore, publicStore, now } = options;
  const newest = options.series.at(-1);
  if (newest === undefined)
    return [toFinding("ok", "journal", `empty: npm run generate -- snapshot --network ${network} begins it`)];
  const place = { store: stateStore, network, series: newest.series };
  const [{ names, unreadable }, status] = await Promise.all([
    listEntryNames(place, { fromDay: shiftDay(toDay(now), -LOOK_DAYS) }),
    readStatus(network, publicStore),
  ]);
  const last = names.at(-1);
  const age = last === undefined ? Infinity : now - timeOf(last);
  const found = last === undefined ? `no entry in ${LOOK_DAYS} days` : `the newest entry is ${toSpan(age)} old`;
  const advice = `Is npm run generate -- run --network ${network} running? See what it says, or take a snapshot.`;
  const holes = unreadable.filter(({ isSpare }) => !isSpare);
  const lost = holes.map(({ key, reason }) => ({ object: key, reason: reason + WAITED_FOR }));
  return [
    toFinding(
      age > STALE_MILLISECONDS ? "warning" : "ok",
      "journal",
      `series ${newest.series}, since ${newest.since.slice(0, 10)}: ${found}`,
      advice,
    ),
    ...judgeLost(network, lost, status),
    judgeStatus(network, status, now),
  ];
}

const documentSchema = z.object({ data: statusSchema });

/** The published status; null: it is missing or cannot be read. */
async function readStatus(network: Network, publicStore: ObjectStore): Promise<Status | null> {
  const object = await publicStore.get(toObjectKey(network, "status", {}));
  const json: unknown = object && (await new Response(object.body.slice()).json().catch(() => null));
  return documentSchema.safeParse(json).data?.data ?? null;
}

/** What the listing and the status name as unusable, without what a ruling leaves out. */
function judgeLost(network: Network, listed: Status["quarantined"], status: Status | null): Finding[] {
  const reasons = new Map([...(status?.quarantined ?? []), ...listed].map(({ object, reason }) => [object, reason]));
  for (const { subject, verdict } of status?.rulings ?? []) if (verdict === "ignore") reasons.delete(subject);
  const all = [...reasons];
  const hole = all.find(([, reason]) => reason.endsWith(WAITED_FOR));
  const named = hole ?? all.at(-1);
  if (named === undefined) return [];
  const found = `${toCounted(all.length, "unusable object")}, for example ${named.join(": ")}`;
  if (hole !== undefined) return [toFinding("problem", "journal", found, toRemedy(hole[0], network))];
  return [toFinding("warning", "journal", found, "It is left out. Find out who writes there: only Rugwatch should.")];
}

function judgeStatus(network: Network, status: Status | null, now: number): Finding {
  const again = `npm run generate -- publish --network ${network} puts it again.`;
  if (status === null) return toFinding("warning", "published", "no readable status.json", again);
  const age = now - Date.parse(status.generatedAt);
  const failing = status.sources
    .filter(({ state }) => state === "degraded" || state === "failed")
    .map(({ name, state, reason }) => `; ${name} ${state}${reason === null ? "" : ` (${reason})`}`);
  const isStale = age > STALE_MILLISECONDS;
  const advice = isStale ? again : "The other lines tell what to fix.";
  const level = isStale || failing.length > 0 ? "warning" : "ok";
  return toFinding(level, "published", `${toSpan(age)} ago${failing.join("")}`, advice);
}
