import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examineJournal } from "../../../generator/service/doctor/journal.ts";
import type { Finding } from "../../../generator/service/doctor/findings.ts";
import { NOT_AN_ENTRY } from "../../../generator/service/projection.ts";
import { boundQuarantined } from "../../../generator/service/quarantined.ts";
import { readSeries } from "../../../generator/journal/series.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import { MINUTE, openStage, STARTS_AT, type Stage } from "../harness.ts";

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
    const text = Buffer.from((await stage.publicStore.get(STATUS_KEY))!.body).toString();
    const status = JSON.parse(text) as { data: { sources: { name: string; state: string; reason: string | null }[] } };
    Object.assign(
      status.data.sources.find(({ name }) => name === "mev")!,
      { state: "degraded", reason: "no answer" },
    );
    const publicStore = withObject(stage.publicStore, STATUS_KEY, JSON.stringify(status));
    expect((await examine(PLAYED_UNTIL, { publicStore })).get("published")).toMatchObject({
      level: "warning",
      found: expect.stringContaining("mev degraded (no answer)") as string,
    });
  });

  it("is a warning when it leaves out entries that came to harm, apart from what is no entry at all", async () => {
    const text = Buffer.from((await stage.publicStore.get(STATUS_KEY))!.body).toString();
    const quarantined = [
      { object: "journal/mainnet/0001/2026-11-20/stranger", reason: NOT_AN_ENTRY },
      { object: "2026-11-20/000500000-check-0123456789abcdef", reason: "unexpected end of file" },
    ];
    const document = JSON.parse(text) as { data: object };
    const body = JSON.stringify({ ...document, data: { ...document.data, quarantined } });
    const findings = await examine(PLAYED_UNTIL, { publicStore: withObject(stage.publicStore, STATUS_KEY, body) });
    expect(findings.get("journal")).toMatchObject({
      level: "warning",
      found:
        "1 object could not be used, for example 2026-11-20/000500000-check-0123456789abcdef: unexpected end of file",
    });
    expect(findings.get("published")?.level).toBe("ok");
  });

  it("counts what came to harm also where the status names only some of it", async () => {
    const text = Buffer.from((await stage.publicStore.get(STATUS_KEY))!.body).toString();
    const all = Array.from({ length: 1388 }, (_, index) => ({ object: `lost-${1000 + index}`, reason: "it was gone" }));
    const document = JSON.parse(text) as { data: object };
    const body = JSON.stringify({ ...document, data: { ...document.data, quarantined: boundQuarantined(all) } });
    const findings = await examine(PLAYED_UNTIL, { publicStore: withObject(stage.publicStore, STATUS_KEY, body) });
    expect(findings.get("journal")?.found).toBe("1,388 objects could not be used, for example lost-2288: it was gone");
  });
});
