import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { examineDays, examineJournal } from "../../../generator/service/doctor/journal.ts";
import type { Finding } from "../../../generator/service/doctor/findings.ts";
import { NOT_AN_ENTRY } from "../../../generator/service/projection.ts";
import { boundQuarantined } from "../../../generator/service/quarantined.ts";
import { openJournal } from "../../../generator/journal/journal.ts";
import type { JournalPlace } from "../../../generator/journal/names.ts";
import { readSeries } from "../../../generator/journal/series.ts";
import { toPackKey } from "../../../generator/journal/packs.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import { checkAt, damage, DAY_END, deleteLoose, fillDay, HOUR, packOf } from "../../journal/packed.ts";
import { makePlace } from "../../journal/samples.ts";
import { readDocument } from "../../service/documents.ts";
import { MINUTE, openStage, STARTS_AT, type Stage } from "../../service/harness.ts";

const PLAYED_UNTIL = STARTS_AT + 42 * MINUTE;
const STATUS_KEY = "api/v1/mainnet/status.json";
const DAMAGED = "2026-11-20/000500000-check-0123456789abcdef";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ validators: 40 });
  // A second process finds entries old enough for a checkpoint.
  await stage.play({ until: STARTS_AT + 31 * MINUTE });
  await stage.play({ until: PLAYED_UNTIL });
});
afterAll(() => stage.close());

async function examine(later: number, stores: Partial<Pick<Stage, "publicStore" | "stateStore">> = {}) {
  const { publicStore, stateStore } = { ...stage, ...stores };
  const series = await readSeries(stateStore, "mainnet");
  const now = PLAYED_UNTIL + later;
  return examineJournal({ network: "mainnet", publicStore, stateStore, series, now });
}

const of = (findings: Finding[], subject: string) => findings.findLast((finding) => finding.subject === subject);

function withObject(store: ObjectStore, key: string, body: string | null): ObjectStore {
  const bytes = body === null ? null : new TextEncoder().encode(body);
  const object = bytes && { key, etag: '"1"', size: bytes.length, body: bytes };
  return {
    ...store,
    get: (asked) => (asked === key ? Promise.resolve(object) : store.get(asked)),
    async *list(prefix, options) {
      yield* store.list(prefix, options);
      if (object && key.startsWith(prefix)) yield object;
    },
  };
}

describe("the journal", () => {
  it("of a network that was never observed is empty, which is no fault", async () => {
    const stores = { publicStore: openMemoryStore(), stateStore: openMemoryStore() };
    const [finding] = await examineJournal({ network: "testnet", ...stores, series: [], now: STARTS_AT });
    expect(finding?.level).toBe("ok");
    expect(finding?.found).toContain("snapshot --network testnet begins it");
  });

  it.each([
    ["journal", 0, "ok", /^series 1, since 2026-11-20: \d\d entries since 2026-11-19, the newest 60\.0 s old$/],
    ["checkpoint", 0, "ok", /^the newest is of \d+ min ago$/],
    ["published", 0, "ok", /^(60\.0 s|\d+ min) ago; all sources well$/],
    ["journal", 14, "ok", /the newest 15 min old$/],
    ["journal", 15, "warning", /the newest 16 min old$/],
    ["published", 60, "warning", /^\d+ min ago; all sources well$/],
    ["journal", 3 * 24 * 60, "warning", /^series 1, since 2026-11-20: no entry since 2026-11-22$/],
    ["checkpoint", 3 * 24 * 60, expect.any(String) as string, /none since 2026-11-22/],
  ])("(%s) is told %i minutes later: %s", async (subject, minutes, level, found) => {
    const finding = of(await examine(minutes * MINUTE), subject);
    expect(finding).toMatchObject({ level, found: expect.stringMatching(found) as string });
    if (subject === "journal" && level === "warning")
      expect(finding).toMatchObject({ advice: expect.stringContaining("run --network mainnet running?") as string });
  });

  it("is a warning when something else lies among the entries", async () => {
    const key = "journal/mainnet/0001/2026-11-20/notes.txt";
    const findings = await examine(0, { stateStore: withObject(stage.stateStore, key, "") });
    expect(findings[1]).toMatchObject({ level: "warning", found: expect.stringContaining(key) as string });
  });
});

it("a pack that cannot be read is a problem that says what to do, until a ruling leaves it out", async () => {
  const key = toPackKey(
    { network: "mainnet", series: 1 },
    { day: "2026-11-20", packedAt: PLAYED_UNTIL, names: ["2026-11-20/000000000-check-0000000000000000"] },
  );
  const stateStore = withObject(stage.stateStore, key, "");
  const { data } = await readDocument(stage, "status", {});
  const examined = async (verdict: "ignore" | "accept") => {
    const rulings = [{ subject: key, of: "observation", verdict, reason: "lost", ruledAt: data.generatedAt }];
    const body = JSON.stringify({ data: { ...data, rulings } });
    return of(
      await examine(24 * 60 * MINUTE, { stateStore, publicStore: withObject(stage.publicStore, STATUS_KEY, body) }),
      "packs",
    );
  };
  expect(await examined("accept")).toMatchObject({
    level: "problem",
    found: expect.stringContaining(key) as string,
    advice: expect.stringContaining("rule --observation KEY --ignore") as string,
  });
  expect((await examined("ignore"))?.level).toBe("ok");
});

describe("what is published", () => {
  it.each([
    ["is not there", null],
    ["cannot be read", "{"],
    ["cannot be read", '{"data":{}}'],
  ])("is a warning when its status %s", async (found, body) => {
    const publicStore = withObject(stage.publicStore, STATUS_KEY, body);
    const finding = of(await examine(0, { publicStore }), "published");
    expect(finding).toMatchObject({ level: "warning", found: `${STATUS_KEY} ${found}` });
  });

  const lost = Array.from({ length: 1388 }, (_, index) => ({ object: `lost-${1000 + index}`, reason: "it was gone" }));
  it.each([
    [
      "names entries that came to harm, apart from what is no entry at all",
      {
        quarantined: [
          { object: "journal/mainnet/0001/2026-11-20/stranger", reason: NOT_AN_ENTRY },
          { object: DAMAGED, reason: "unexpected end of file" },
        ],
      },
      { journal: `1 object could not be used, for example ${DAMAGED}: unexpected end of file` },
    ],
    [
      "names only some of what came to harm, which is counted all the same",
      { quarantined: boundQuarantined(lost) },
      { journal: "1,388 objects could not be used, for example lost-2288: it was gone" },
    ],
    [
      "tells of a degraded source, with the reason",
      { sources: [{ name: "mev", state: "degraded", lastSuccessAt: null, reason: "no answer" }] },
      { published: "mev degraded (no answer)" },
    ],
  ])("is no good when its status %s", async (_, change, warnings) => {
    const { data } = await readDocument(stage, "status", {});
    const status = JSON.stringify({ data: { ...data, ...change } });
    const findings = await examine(0, { publicStore: withObject(stage.publicStore, STATUS_KEY, status) });
    for (const subject of ["journal", "published"]) {
      const found = (warnings as Record<string, string>)[subject];
      const level = found?.includes(DAMAGED) === true ? "problem" : "warning";
      expect(of(findings, subject)?.level).toBe(found === undefined ? "ok" : level);
      expect(of(findings, subject)?.found).toContain(found ?? "");
    }
  });
});

it("a series without an observation says that none was accepted, and how to go on", async () => {
  const place = makePlace();
  const series = [{ series: 1, since: "2026-11-23T06:00:00.000Z", genesis: "unknown" }] as const;
  const stores = { publicStore: place.store, stateStore: place.store };
  const now = Date.parse("2026-11-23T06:05:00.000Z");
  const [finding] = await examineJournal({ ...stores, network: place.network, series: [...series], now });
  expect(finding).toMatchObject({
    level: "warning",
    found: "series 1 began 2026-11-23; no observation accepted yet",
    advice: expect.stringContaining("snapshot --network") as string,
  });
});

describe("the days of a journal", () => {
  let place: JournalPlace;
  beforeEach(() => {
    place = makePlace();
  });
  const told = async (now: number) =>
    (await examineDays(place, { now })).map(({ level, found }) => `${level}: ${found}`);

  it("before today are counted, packed and loose; today has no packs to tell of", async () => {
    const names = await fillDay(place, 3);
    expect(await told(DAY_END - HOUR)).toEqual([]);
    await openJournal(place).append(checkAt(1440));
    expect(await told(DAY_END + HOUR)).toEqual(["ok: 0 days packed, 1 with loose entries"]);
    await packOf(place, names);
    expect(await told(DAY_END + 25 * HOUR)).toEqual(["ok: 1 days packed, 2 with loose entries"]);
    await deleteLoose(place, names);
    expect(await told(DAY_END + 25 * HOUR)).toEqual(["ok: 1 days packed, 1 with loose entries"]);
  });

  it("of four days ago that are loose are a warning: nobody compacts", async () => {
    await fillDay(place, 3);
    expect(await told(DAY_END + 72 * HOUR - 1)).toEqual(["ok: 0 days packed, 1 with loose entries"]);
    const [finding] = await examineDays(place, { now: DAY_END + 72 * HOUR });
    expect(finding).toMatchObject({
      level: "warning",
      found: "0 days packed, 1 with loose entries, the oldest of 2026-11-20",
      advice: expect.stringContaining("publish --network mainnet") as string,
    });
  });

  it("whose pack cannot be read are a problem with its key and the reason", async () => {
    const names = await fillDay(place, 3);
    const key = await packOf(place, names);
    await damage(place, key, () => new Uint8Array());
    await deleteLoose(place, names);
    const [, finding] = await told(DAY_END + 80 * HOUR);
    expect(finding).toMatch(new RegExp(`^problem: 1 pack of the last 31 days .* ${key}: `));
  });
});
