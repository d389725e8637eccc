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
import { ok, toFinding, toGrouped, toSpan, warning, warnIf, type Finding, type Level } from "./findings.ts";

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
const RECENT_DAYS = 2;
/** A day is packed within hours, and its loose entries go two days later. */
const OVERDUE_DAYS = 4;
const RESTORE =
  "Publishing waits for entries and packs. Put them back from a copy, or go on without one: rule --observation KEY --ignore. See infra/RUNBOOK.md, “The state is damaged or lost”.";
/** Each pack is read whole, some megabytes. */
const LOOK_DAYS = 31;

/**
 * What has been observed and published so far, and how fresh it is.
 * @throws {StoreError}
 */
export async function examineJournal(options: JournalExamination): Promise<Finding[]> {
  const { network, stateStore, series, now } = options;
  const newest = series.at(-1);
  if (newest === undefined)
    return [ok("journal", `nothing observed yet: npm run generate -- snapshot --network ${network} begins it`)];
  const place = { store: stateStore, network, series: newest.series };
  const fromDay = shiftDay(toDay(now), 1 - RECENT_DAYS);
  const status = await readStatus(options);
  const leftOut = typeof status === "string" ? [] : status.rulings.filter(({ verdict }) => verdict === "ignore");
  const [entries, days, [checkpoint]] = await Promise.all([
    examineEntries(place, { fromDay, now, newest }),
    examineDays(place, { now, leftOut: leftOut.map(({ subject }) => subject) }),
    listCheckpoints(place, { foldVersion: FOLD_VERSION, fromDay }),
  ]);
  // Without checkpoints each run folds the whole journal: only time is lost.
  const found =
    checkpoint === undefined
      ? `none since ${fromDay}: the next run folds the journal from an older one or its start`
      : `the newest is of ${toSpan(now - toTime(checkpoint.moment))} ago`;
  return [...entries, ...days, ok("checkpoint", found), ...examineStatus(status, options)];
}

async function examineEntries(
  place: JournalPlace,
  { fromDay, now, newest }: { fromDay: string; now: number; newest: Series },
): Promise<Finding[]> {
  const { names, foreign } = await listEntryNames(place, { fromDay });
  const last = names.at(-1);
  const age = last === undefined ? Infinity : now - toTime(last);
  const began = newest.since.slice(0, 10);
  const entries =
    last === undefined
      ? `no entry since ${fromDay}`
      : `${toGrouped(names.length)} entries since ${fromDay}, the newest ${toSpan(age)} old`;
  const isUnused = last === undefined && began >= fromDay;
  const found = isUnused
    ? `series ${newest.series} began ${began}; no observation accepted yet`
    : `series ${newest.series}, since ${began}: ${entries}`;
  const advice = isUnused
    ? `Run npm run generate -- snapshot --network ${place.network}: it says what is refused.`
    : `Is npm run generate -- run --network ${place.network} running? See what it says.`;
  const search = "They are left out. Find out who writes there: only Rugwatch should.";
  return [
    warnIf(age > STALE_MILLISECONDS, "journal", found, advice),
    ...warnOf("journal", foreign, ["foreign object", "among the entries", search]),
  ];
}

/** A warning, or another level, that counts things and shows the first; none without any. */
function warnOf(
  subject: string,
  all: readonly string[],
  [thing, what, advice, total = all.length]: Things,
  level: Level = "warning",
): Finding[] {
  const things = total === 1 ? `1 ${thing}` : `${toGrouped(total)} ${thing}s`;
  return all[0] === undefined ? [] : [toFinding(level, subject, `${things} ${what}, for example ${all[0]}`, advice)];
}

type Things = [thing: string, what: string, advice: string, total?: number];

/**
 * How the days before today are kept: packed, loose, or in unreadable packs, without those that a ruling leaves out.
 * @throws {StoreError}
 */
export async function examineDays(
  place: JournalPlace,
  { now, leftOut = [] }: { now: number; leftOut?: readonly string[] },
): Promise<Finding[]> {
  const today = toDay(now);
  const packNames = createPackNames(place);
  const days = await Array.fromAsync(listDays(place, { fromDay: null, untilDay: today }));
  const packed = days.filter(({ packs }) => packs.length > 0).length;
  const loose = days.filter((kept) => kept.loose.length > 0).map(({ day }) => day);
  if (packed + loose.length === 0) return [];
  const unreadable: string[] = [];
  // With all entries loose too, nothing depends on the pack yet.
  for (const pack of days.filter(({ day }) => day >= shiftDay(today, -LOOK_DAYS)).flatMap(packsBeyond)) {
    const names = await packNames.of(pack);
    if ("unreadable" in names && !leftOut.includes(pack.key)) unreadable.push(`${pack.key}: ${names.unreadable}`);
  }
  const found = `${toGrouped(packed)} days packed, ${toGrouped(loose.length)} with loose entries`;
  const overdue = loose.find((day) => day <= shiftDay(today, -OVERDUE_DAYS));
  const advice = `npm run generate -- publish --network ${place.network} does what is due, a piece at a time, and says what it cannot.`;
  const oldest = overdue === undefined ? "" : `, the oldest of ${overdue}`;
  return [
    warnIf(overdue !== undefined, "packs", found + oldest, advice),
    ...warnOf("packs", unreadable, ["pack", `of the last ${LOOK_DAYS} days cannot be read`, RESTORE], "problem"),
  ];
}

const documentSchema = z.object({ data: statusSchema });

/** The published status, or why there is none. */
async function readStatus({ network, publicStore }: JournalExamination): Promise<Status | string> {
  const key = toObjectKey(network, "status", {});
  const object = await publicStore.get(key);
  if (object === null) return `${key} is not there`;
  const document = documentSchema.safeParse(await new Response(object.body.slice()).json().catch(() => null));
  return document.success ? document.data.data : `${key} cannot be read`;
}

function examineStatus(status: Status | string, { network, now }: JournalExamination): Finding[] {
  const again = `npm run generate -- publish --network ${network} puts it again.`;
  if (typeof status === "string") return [warning("published", status, again)];
  const { generatedAt, sources, quarantined } = status;
  const age = now - Date.parse(generatedAt);
  const failing = sources
    .filter(({ state }) => state === "degraded" || state === "failed")
    .map(({ name, state, reason }) => `${name} ${state}${reason === null ? "" : ` (${reason})`}`);
  const found = `${toSpan(age)} ago; ${failing.length === 0 ? "all sources well" : failing.join("; ")}`;
  const isStale = age > STALE_MILLISECONDS;
  const advice = isStale ? again : "The lines on endpoints, MEV API and databases tell what to fix.";
  // Foreign objects are named with the entries.
  const { named, total } = unboundQuarantined(quarantined.filter(({ reason }) => reason !== NOT_AN_ENTRY));
  const all = named.map(({ object, reason }) => `${object}: ${reason}`);
  // Anything else is made again from the journal.
  const isObserved = named.some(({ object }) => /^(?:journal\/|\d{4}-)/.test(object));
  return [
    warnIf(isStale || failing.length > 0, "published", found, advice),
    ...warnOf("journal", all, ["object", "could not be used", RESTORE, total], isObserved ? "problem" : "warning"),
  ];
}

function toTime(name: string): number {
  const time = name.slice("2026-11-20/".length).replace(/^(\d\d)(\d\d)(\d\d)(\d{3}).*/, "$1:$2:$3.$4");
  return Date.parse(`${dayOf(name)}T${time}Z`);
}
