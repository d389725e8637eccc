import { z } from "zod";
import type { Network } from "../../contract/networks.ts";
import { toObjectKey } from "../../contract/objects.ts";
import { statusSchema, type Status } from "../../contract/status.ts";
import { listCheckpoints } from "../../journal/checkpoints.ts";
import { listEntryNames } from "../../journal/listing.ts";
import { dayOf, shiftDay, toDay, type JournalPlace } from "../../journal/names.ts";
import type { Series } from "../../journal/series.ts";
import { examineDays } from "./days.ts";
import { FOLD_VERSION } from "../../ledger/ledger.ts";
import type { ObjectStore } from "../../store/store.ts";
import { toCount, toSpan } from "./durations.ts";
import { ok, warning, type Finding } from "./findings.ts";
import { NOT_AN_ENTRY } from "../projection.ts";
import { unboundQuarantined } from "../quarantined.ts";

interface JournalExamination {
  network: Network;
  stateStore: ObjectStore;
  publicStore: ObjectStore;
  /** Of the network, newest last. */
  series: Series[];
  /** Milliseconds since 1970. */
  now: number;
}

/** A snapshot is due each ten minutes: who has none for so long is not running, or stuck. */
const STALE_MILLISECONDS = 15 * 60_000;
const RECENT_DAYS = 2;

const documentSchema = z.object({ data: statusSchema });

/** What has been observed and published so far, and how fresh it is. @throws {StoreError} */
export async function examineJournal(options: JournalExamination): Promise<Finding[]> {
  const { network, stateStore, series, now } = options;
  const newest = series.at(-1);
  if (newest === undefined) {
    return [ok("journal", `nothing observed yet: npm run generate -- snapshot --network ${network} begins it`)];
  }
  const place = { store: stateStore, network, series: newest.series };
  const fromDay = shiftDay(toDay(now), 1 - RECENT_DAYS);
  const [entries, days, checkpoint, status] = await Promise.all([
    examineEntries(place, { fromDay, now, newest }),
    examineDays(place, { now }),
    examineCheckpoints(place, { fromDay, now }),
    examineStatus(options),
  ]);
  return [...entries, ...days, checkpoint, ...status];
}

async function examineEntries(
  place: JournalPlace,
  { fromDay, now, newest }: { fromDay: string; now: number; newest: Series },
): Promise<Finding[]> {
  const { names, foreign } = await listEntryNames(place, { fromDay });
  const findings = foreign.length === 0 ? [] : [toForeign(foreign)];
  const subject = "journal";
  const series = `series ${newest.series}, since ${newest.since.slice(0, 10)}`;
  const last = names.at(-1);
  const advice = `Is npm run generate -- run --network ${place.network} running? See what it says.`;
  if (last === undefined) return [warning(subject, `${series}: no entry since ${fromDay}`, advice), ...findings];
  const age = now - toTime(last);
  const found = `${series}: ${toCount(names.length)} entries since ${fromDay}, the newest ${toSpan(age)} old`;
  return [age > STALE_MILLISECONDS ? warning(subject, found, advice) : ok(subject, found), ...findings];
}

function toForeign(foreign: string[]): Finding {
  const found = `${foreign.length} objects among the entries are none, for example ${foreign[0] ?? ""}`;
  return warning("journal", found, "They are left out. Find out who writes there: nobody but Rugwatch should.");
}

/** Without checkpoints nothing is lost but time: each run then folds the whole journal. */
async function examineCheckpoints(
  place: JournalPlace,
  { fromDay, now }: { fromDay: string; now: number },
): Promise<Finding> {
  const [newest] = await listCheckpoints(place, { foldVersion: FOLD_VERSION, fromDay });
  if (newest === undefined)
    return ok("checkpoint", `none since ${fromDay}: the next run folds the journal from an older one or its start`);
  return ok("checkpoint", `the newest is of ${toSpan(now - toTime(newest.moment))} ago`);
}

async function examineStatus({ network, publicStore, now }: JournalExamination): Promise<Finding[]> {
  const subject = "published";
  const key = toObjectKey(network, "status", {});
  const advice = `npm run generate -- publish --network ${network} puts it again.`;
  const object = await publicStore.get(key);
  if (object === null) return [warning(subject, `${key} is not there`, advice)];
  const document = documentSchema.safeParse(toJson(object.body));
  if (!document.success) return [warning(subject, `${key} cannot be read`, advice)];
  const { quarantined } = document.data.data;
  return [toFreshness(document.data.data, { now, advice }), ...toDamage(quarantined)];
}

function toFreshness({ generatedAt, sources }: Status, { now, advice }: { now: number; advice: string }): Finding {
  const subject = "published";
  const failing = sources.filter(({ state }) => state === "degraded" || state === "failed");
  const age = now - Date.parse(generatedAt);
  const found = `${toSpan(age)} ago; ${failing.length === 0 ? "all sources well" : describeSources(failing)}`;
  if (age > STALE_MILLISECONDS) return warning(subject, found, advice);
  if (failing.length === 0) return ok(subject, found);
  return warning(subject, found, "The lines on endpoints, MEV API and databases tell what to mend.");
}

/** Entries and documents that came to harm; what is no entry at all is told apart. */
function toDamage(quarantined: Status["quarantined"]): Finding[] {
  const { named, total } = unboundQuarantined(quarantined.filter(({ reason }) => reason !== NOT_AN_ENTRY));
  const [first] = named;
  if (first === undefined) return [];
  const objects = total === 1 ? "1 object" : `${toCount(total)} objects`;
  const found = `${objects} could not be used, for example ${first.object}: ${first.reason}`;
  const advice = "They are left out. See whether the disk is well, and put them back from a backup if there is one.";
  return [warning("journal", found, advice)];
}

function describeSources(sources: { name: string; state: string; reason: string | null }[]): string {
  return sources
    .map(({ name, state, reason }) => `${name} ${state}${reason === null ? "" : ` (${reason})`}`)
    .join("; ");
}

/** The moment that a name begins with, `2026-11-20/153000000`; milliseconds since 1970. */
function toTime(name: string): number {
  const [, hours, minutes, seconds, milliseconds] = /\/(\d\d)(\d\d)(\d\d)(\d{3})/.exec(name) ?? [];
  return Date.parse(`${dayOf(name)}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
}

/** Undefined when it is no JSON. */
function toJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
