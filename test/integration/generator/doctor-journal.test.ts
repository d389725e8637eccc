import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examineJournal } from "../../../generator/service/doctor/journal.ts";
import type { Finding } from "../../../generator/service/doctor/findings.ts";
import { NOT_AN_ENTRY } from "../../../generator/service/projection.ts";
import { WAITED_FOR } from "../../../generator/service/holes.ts";
import { readSeries } from "../../../generator/journal/series.ts";
import { toPackKey } from "../../../generator/journal/packs.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import { readDocument } from "../../service/documents.ts";
import { MINUTE, openStage, STARTS_AT, type Stage } from "../../service/harness.ts";

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
    ["journal", 0, "ok", /^series 1, since 2026-11-20: the newest entry is 60\.0 s old$/],
    ["published", 0, "ok", /^(60\.0 s|\d+ min) ago$/],
    ["journal", 14, "ok", /the newest entry is 15 min old$/],
    ["journal", 15, "warning", /the newest entry is 16 min old$/],
    ["published", 60, "warning", /^\d+ min ago$/],
    ["journal", 33 * 24 * 60, "warning", /^series 1, since 2026-11-20: no entry in 31 days$/],
  ])("(%s) is told %i minutes later: %s", async (subject, minutes, level, found) => {
    const finding = of(await examine(minutes * MINUTE), subject);
    expect(finding).toMatchObject({ level, found: expect.stringMatching(found) as string });
    if (subject === "journal" && level === "warning")
      expect(finding).toMatchObject({ advice: expect.stringContaining("run --network mainnet running?") as string });
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
      await examine(0, { stateStore, publicStore: withObject(stage.publicStore, STATUS_KEY, body) }),
      "journal",
    );
  };
  expect(await examined("accept")).toMatchObject({
    level: "problem",
    found: expect.stringMatching(`^1 unusable object, for example ${key}: .*publishing waits for it$`) as string,
    advice: expect.stringContaining(`rule --observation ${key} --ignore`) as string,
  });
  expect((await examined("ignore"))?.level).toBe("ok");
});

describe("what is published", () => {
  it.each([[null], ["{"], ['{"data":{}}']])("is a warning when its status is %j", async (body) => {
    const publicStore = withObject(stage.publicStore, STATUS_KEY, body);
    const finding = of(await examine(0, { publicStore }), "published");
    expect(finding).toMatchObject({ level: "warning", found: "no readable status.json" });
  });

  const stranger = { object: "journal/mainnet/0001/2026-11-20/stranger", reason: NOT_AN_ENTRY };
  const damaged = { object: "2026-11-20/000500000-check-0123456789abcdef", reason: `cut${WAITED_FOR}` };
  it.each([
    [
      "names an entry that publishing waits for",
      { quarantined: [damaged, stranger] },
      { journal: `problem: 2 unusable objects, for example ${damaged.object}: cut` },
    ],
    [
      "names what is no entry",
      { quarantined: [stranger] },
      { journal: `warning: 1 unusable object, for example ${stranger.object}` },
    ],
    [
      "tells of a degraded source, with the reason",
      { sources: [{ name: "mev", state: "degraded", lastSuccessAt: null, reason: "no answer" }] },
      { published: "ago; mev degraded (no answer)" },
    ],
  ])("is no good when its status %s", async (_, change, expected: Record<string, string>) => {
    const { data } = await readDocument(stage, "status", {});
    const status = JSON.stringify({ data: { ...data, ...change } });
    const findings = await examine(0, { publicStore: withObject(stage.publicStore, STATUS_KEY, status) });
    for (const subject of ["journal", "published"]) {
      const { level, found } = of(findings, subject)!;
      expect(`${level}: ${found}`).toMatch(expected[subject] ?? "ok: ");
    }
  });
});
