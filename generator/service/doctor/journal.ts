import { z } from "zod";
import type { Network } from "../../contract/networks.ts";
import { toObjectKey } from "../../contract/objects.ts";
import { statusSchema, type Status } from "../../contract/status.ts";
import { listCheckpoints } from "../../journal/checkpoints.ts";
import { listDays, listEntryNames, packsBeyond } from "../../journal/listing.ts";
import { dayOf, shiftDay, toDay, type JournalPlace } from "../../journal/names.ts";
import { createPackNames } from "../../journal/packs.ts";
import type { Series } from "../../journal/series.ts";
import { FOLD_VERSION } from "../../ledger/ledger.ts";
import type { ObjectStore } from "../../store/store.ts";
import { NOT_AN_ENTRY } from "../projection.ts";
import { unboundQuarantined } from "../quarantined.ts";
import { ok, toCount, toSpan, warning, type Finding } from "./findings.ts";

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
/** A day is packed within hours of its end, and its loose entries go two days later. */
const OVERDUE_DAYS = 4;
/** Packs of the last month are looked into: each is got whole, some megabytes. */
const LOOK_DAYS = 31;

/** What has been observed and published so far, and how fresh it is. @throws {StoreError} */
export async function examineJournal(options: JournalExamination): Promise<Finding[]> {
  const { network, stateStore, series, now } = options;
  const newest = series.at(-1);
  if (newest === undefined)
    return [ok("journal", `nothing observed yet: npm run generate -- snapshot --network ${network} begins it`)];
  const place = { store: stateStore, network, series: newest.series };
  const fromDay = shiftDay(toDay(now), 1 - RECENT_DAYS);
  const looks = [
    examineEntries(place, { fromDay, now, newest }),
    examineDays(place, { now }),
    examineCheckpoints(place, { fromDay, now }),
    examineStatus(options),
  ];
  return (await Promise.all(looks)).flat();
}

async function examineEntries(
  place: JournalPlace,
  { fromDay, now, newest }: { fromDay: string; now: number; newest: Series },
): Promise<Finding[]> {
  const { names, foreign } = await listEntryNames(place, { fromDay });
  const series = `series ${newest.series}, since ${newest.since.slice(0, 10)}`;
  const last = names.at(-1);
  const age = last === undefined ? Infinity : now - toTime(last);
  const found =
    last === undefined
      ? `${series}: no entry since ${fromDay}`
      : `${series}: ${toCount(names.length)} entries since ${fromDay}, the newest ${toSpan(age)} old`;
  const advice = `Is npm run generate -- run --network ${place.network} running? See what it says.`;
  return [
    age > STALE_MILLISECONDS ? warning("journal", found, advice) : ok("journal", found),
    ...few(foreign, (first) =>
      warning(
        "journal",
        `${foreign.length} objects among the entries are none, for example ${first}`,
        "They are left out. Find out who writes there: nobody but Rugwatch should.",
      ),
    ),
  ];
}

/** How the days before today are kept: packed, loose, or in packs that cannot be read. @throws {StoreError} */
export async function examineDays(place: JournalPlace, { now }: { now: number }): Promise<Finding[]> {
  const today = toDay(now);
  const packNames = createPackNames(place);
  const counts = { packed: 0, loose: 0 };
  const overdue: string[] = [];
  const unreadable: string[] = [];
  for await (const kept of listDays(place, { fromDay: null, untilDay: today })) {
    const { day, packs, loose } = kept;
    if (packs.length > 0) counts.packed += 1;
    if (loose.length > 0) counts.loose += 1;
    if (loose.length > 0 && day <= shiftDay(today, -OVERDUE_DAYS)) overdue.push(day);
    // Where all is loose as well, nothing depends on the pack yet.
    for (const pack of day < shiftDay(today, -LOOK_DAYS) ? [] : packsBeyond(kept)) {
      const names = await packNames.of(pack);
      if ("unreadable" in names) unreadable.push(`${pack.key}: ${names.unreadable}`);
    }
  }
  if (counts.packed + counts.loose === 0) return [];
  const found = `${toCount(counts.packed)} days packed, ${toCount(counts.loose)} with loose entries`;
  const [oldest] = overdue;
  const advice = `npm run generate -- publish --network ${place.network} does what is due, a piece at a time, and says what it cannot.`;
  return [
    oldest === undefined ? ok("packs", found) : warning("packs", `${found}, the oldest of ${oldest}`, advice),
    ...few(unreadable, (first) =>
      warning(
        "packs",
        `${toCount(unreadable.length)} packs of the last ${LOOK_DAYS} days cannot be read, for example ${first}`,
        "What only they hold is left out. Put them back from a backup if there is one.",
      ),
    ),
  ];
}

/** Without checkpoints nothing is lost but time: each run then folds the whole journal. */
async function examineCheckpoints(
  place: JournalPlace,
  { fromDay, now }: { fromDay: string; now: number },
): Promise<Finding[]> {
  const [newest] = await listCheckpoints(place, { foldVersion: FOLD_VERSION, fromDay });
  const found =
    newest === undefined
      ? `none since ${fromDay}: the next run folds the journal from an older one or its start`
      : `the newest is of ${toSpan(now - toTime(newest.moment))} ago`;
  return [ok("checkpoint", found)];
}

const documentSchema = z.object({ data: statusSchema });

async function examineStatus({ network, publicStore, now }: JournalExamination): Promise<Finding[]> {
  const key = toObjectKey(network, "status", {});
  const advice = `npm run generate -- publish --network ${network} puts it again.`;
  const object = await publicStore.get(key);
  if (object === null) return [warning("published", `${key} is not there`, advice)];
  const document = documentSchema.safeParse(toJson(object.body));
  if (!document.success) return [warning("published", `${key} cannot be read`, advice)];
  const status = document.data.data;
  return [judgeFreshness(status, { now, advice }), ...judgeDamage(status)];
}

function judgeFreshness({ generatedAt, sources }: Status, { now, advice }: { now: number; advice: string }): Finding {
  const failing = sources
    .filter(({ state }) => state === "degraded" || state === "failed")
    .map(({ name, state, reason }) => `${name} ${state}${reason === null ? "" : ` (${reason})`}`);
  const age = now - Date.parse(generatedAt);
  const found = `${toSpan(age)} ago; ${failing.length === 0 ? "all sources well" : failing.join("; ")}`;
  if (age > STALE_MILLISECONDS) return warning("published", found, advice);
  if (failing.length === 0) return ok("published", found);
  return warning("published", found, "The lines on endpoints, MEV API and databases tell what to mend.");
}

/** Entries and documents that came to harm; what is no entry at all is told apart. */
function judgeDamage({ quarantined }: Status): Finding[] {
  const { named, total } = unboundQuarantined(quarantined.filter(({ reason }) => reason !== NOT_AN_ENTRY));
  const objects = total === 1 ? "1 object" : `${toCount(total)} objects`;
  return few(named, ({ object, reason }) =>
    warning(
      "journal",
      `${objects} could not be used, for example ${object}: ${reason}`,
      "They are left out. See whether the disk is well, and put them back from a backup if there is one.",
    ),
  );
}

/** One finding for several things, by the first of them; none for none. */
function few<Thing>([first]: readonly Thing[], toFinding: (first: Thing) => Finding): Finding[] {
  return first === undefined ? [] : [toFinding(first)];
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
