import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { examineDays, examineJournal } from "../../../generator/service/doctor/journal.ts";
import type { Finding } from "../../../generator/service/doctor/findings.ts";
import { NOT_AN_ENTRY } from "../../../generator/service/projection.ts";
import { boundQuarantined } from "../../../generator/service/quarantined.ts";
import { readSeries } from "../../../generator/journal/series.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import type { Status } from "../../../generator/contract/status.ts";
import { readDocument } from "../../service/documents.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import { MINUTE, openStage, STARTS_AT, type Stage } from "../../service/harness.ts";
import { openJournal } from "../../../generator/journal/journal.ts";
import type { JournalPlace } from "../../../generator/journal/names.ts";
import { checkAt, damage, DAY_END, deleteLoose, fillDay, HOUR, packOf } from "../../journal/packed.ts";
import { makePlace } from "../../journal/samples.ts";

const PLAYED_UNTIL = STARTS_AT + 42 * MINUTE;
const STATUS_KEY = "api/v1/mainnet/status.json";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ validators: 40 });
  // A second process finds entries old enough for a checkpoint.
  await stage.play({ until: STARTS_AT + 31 * MINUTE });
  await stage.play({ until: PLAYED_UNTIL });
});
afterAll(() => stage.close());

async function examine(now: number, stores: Partial<Pick<Stage, "publicStore" | "stateStore">> = {}) {
  const { publicStore, stateStore } = { ...stage, ...stores };
  const series = await readSeries(stateStore, "mainnet");
  const findings = await examineJournal({ network: "mainnet", publicStore, stateStore, series, now });
  return new Map<string, Finding>(findings.map((finding) => [finding.subject, finding]));
}

/** The stage's own store with one object in the place of another, or added. */
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

/** The public store with a status that says something else. */
async function withStatus(change: (status: Status) => void): Promise<ObjectStore> {
  const document = { data: structuredClone((await readDocument(stage, "status", {})).data) };
  change(document.data);
  return withObject(stage.publicStore, STATUS_KEY, JSON.stringify(document));
}

describe("the journal", () => {
  it("of a network that was never observed is empty, which is no fault", async () => {
    const findings = await examineJournal({
      network: "testnet",
      publicStore: openMemoryStore(),
      stateStore: openMemoryStore(),
      series: [],
      now: STARTS_AT,
    });
    expect(findings).toMatchObject([
      { level: "ok", found: expect.stringContaining("snapshot --network testnet begins it") as string },
    ]);
  });

  it("is told with its series, the count and age of its entries, the checkpoint and what is published", async () => {
    const findings = await examine(PLAYED_UNTIL);
    expect(findings.get("journal")).toMatchObject({
      level: "ok",
      found: expect.stringMatching(
        /^series 1, since 2026-11-20: \d\d entries since 2026-11-19, the newest 60\.0 s old$/,
      ) as string,
    });
    expect(findings.get("checkpoint")).toMatchObject({
      level: "ok",
      found: expect.stringMatching(/^the newest is of \d+ min ago$/) as string,
    });
    expect(findings.get("published")).toMatchObject({
      found: expect.stringMatching(/^(60\.0 s|\d+ min) ago; all sources well$/) as string,
      level: "ok",
    });
  });

  it("is a warning when nothing came for more than a quarter of an hour", async () => {
    expect((await examine(PLAYED_UNTIL + 14 * MINUTE)).get("journal")).toMatchObject({ level: "ok" });
    expect((await examine(PLAYED_UNTIL + 15 * MINUTE)).get("journal")).toMatchObject({
      level: "warning",
      found: expect.stringContaining("the newest 16 min old") as string,
      advice: expect.stringContaining("run --network mainnet running?") as string,
    });
  });

  it("is a warning when nothing came for days, and then there is no recent checkpoint either", async () => {
    const findings = await examine(PLAYED_UNTIL + 3 * 24 * 60 * MINUTE);
    expect(findings.get("journal")).toMatchObject({
      level: "warning",
      found: "series 1, since 2026-11-20: no entry since 2026-11-22",
    });
    expect(findings.get("checkpoint")).toMatchObject({
      found: expect.stringContaining("none since 2026-11-22") as string,
    });
  });

  it("is a warning when something else lies among the entries", async () => {
    const key = "journal/mainnet/0001/2026-11-20/notes.txt";
    const series = await readSeries(stage.stateStore, "mainnet");
    const stateStore = withObject(stage.stateStore, key, "");
    const { publicStore } = stage;
    const findings = await examineJournal({ network: "mainnet", publicStore, stateStore, series, now: PLAYED_UNTIL });
    expect(findings[1]).toMatchObject({ level: "warning", found: expect.stringContaining(key) as string });
  });
});

describe("what is published", () => {
  it.each([
    ["is not there", null],
    ["cannot be read", "{"],
    ["cannot be read", '{"data":{}}'],
  ])("is a warning when its status %s", async (found, body) => {
    const publicStore = withObject(stage.publicStore, STATUS_KEY, body);
    expect((await examine(PLAYED_UNTIL, { publicStore })).get("published")).toMatchObject({
      level: "warning",
      found: `${STATUS_KEY} ${found}`,
    });
  });

  it("is a warning when it is old", async () => {
    expect((await examine(PLAYED_UNTIL + 60 * MINUTE)).get("published")).toMatchObject({
      level: "warning",
      found: expect.stringMatching(/^\d+ min ago; all sources well$/) as string,
    });
  });

  it("is a warning when a source is degraded, with the reason", async () => {
    const publicStore = await withStatus((status) => {
      const mev = status.sources.find(({ name }) => name === "mev")!;
      Object.assign(mev, { state: "degraded", reason: "no answer" });
    });
    expect((await examine(PLAYED_UNTIL, { publicStore })).get("published")).toMatchObject({
      level: "warning",
      found: expect.stringContaining("mev degraded (no answer)") as string,
    });
  });

  it("is a warning when it leaves out entries that came to harm, apart from what is no entry at all", async () => {
    const quarantined = [
      { object: "journal/mainnet/0001/2026-11-20/stranger", reason: NOT_AN_ENTRY },
      { object: "2026-11-20/000500000-check-0123456789abcdef", reason: "unexpected end of file" },
    ];
    const publicStore = await withStatus((status) => Object.assign(status, { quarantined }));
    const findings = await examine(PLAYED_UNTIL, { publicStore });
    expect(findings.get("journal")).toMatchObject({
      level: "warning",
      found:
        "1 object could not be used, for example 2026-11-20/000500000-check-0123456789abcdef: unexpected end of file",
    });
    expect(findings.get("published")?.level).toBe("ok");
  });

  it("counts what came to harm also where the status names only some of it", async () => {
    const all = Array.from({ length: 1388 }, (_, index) => ({ object: `lost-${1000 + index}`, reason: "it was gone" }));
    const publicStore = await withStatus((status) => Object.assign(status, { quarantined: boundQuarantined(all) }));
    const findings = await examine(PLAYED_UNTIL, { publicStore });
    expect(findings.get("journal")?.found).toBe("1,388 objects could not be used, for example lost-2288: it was gone");
  });
});

describe("the days of a journal", () => {
  let place: JournalPlace;
  beforeEach(() => {
    place = makePlace();
  });

  it("a journal that began today has no packs to tell of", async () => {
    await fillDay(place, 3);
    expect(await examineDays(place, { now: DAY_END - HOUR })).toEqual([]);
  });

  it("the days before today are counted, packed and loose", async () => {
    const names = await fillDay(place, 3);
    await openJournal(place).append(checkAt(1440));
    const at = (now: number) => examineDays(place, { now });
    expect(await at(DAY_END + HOUR)).toMatchObject([{ level: "ok", found: "0 days packed, 1 with loose entries" }]);
    await packOf(place, names);
    expect(await at(DAY_END + 25 * HOUR)).toMatchObject([
      { level: "ok", found: "1 days packed, 2 with loose entries" },
    ]);
    await deleteLoose(place, names);
    expect(await at(DAY_END + 25 * HOUR)).toMatchObject([
      { level: "ok", found: "1 days packed, 1 with loose entries" },
    ]);
  });

  it("loose entries of four days ago are a warning: nobody tidies", async () => {
    await fillDay(place, 3);
    expect(await examineDays(place, { now: DAY_END + 72 * HOUR - 1 })).toMatchObject([{ level: "ok" }]);
    expect(await examineDays(place, { now: DAY_END + 72 * HOUR })).toMatchObject([
      {
        level: "warning",
        found: "0 days packed, 1 with loose entries, the oldest of 2026-11-20",
        advice: expect.stringContaining("publish --network mainnet") as string,
      },
    ]);
  });

  it("a pack that cannot be read is a warning with its key and the reason", async () => {
    const names = await fillDay(place, 3);
    const key = await packOf(place, names);
    await damage(place, key, () => new Uint8Array());
    await deleteLoose(place, names);
    const findings = await examineDays(place, { now: DAY_END + 80 * HOUR });
    expect(findings).toMatchObject([
      { level: "ok" },
      { level: "warning", found: expect.stringMatching(`^1 packs of the last 31 days .* ${key}: `) as string },
    ]);
  });
});
