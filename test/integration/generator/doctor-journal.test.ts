import { beforeAll, describe, expect, it } from "vitest";
import { checkJournal } from "../../../generator/service/doctor/journal.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { readDocument } from "../../service/documents.ts";
import { clockAt, makeContext, toFindingLine } from "../../service/doctor/node.ts";
import { MINUTE, openStage, STARTS_AT, type Stage } from "../../service/harness.ts";

const PLAYED_UNTIL = STARTS_AT + 11 * MINUTE;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ validators: 40 });
  await stage.play({ until: PLAYED_UNTIL });
  return () => stage.close();
});

/** @param status in place of the published one; undefined: that one */
async function check(status?: string | null, now = PLAYED_UNTIL): Promise<string[]> {
  const { publicStore: store, stateStore } = stage;
  const body = new TextEncoder().encode(status ?? "");
  const head = { key: "status", etag: '"1"', size: body.length };
  const object = status === null ? null : { ...head, body, modifiedAt: null };
  const publicStore =
    status === undefined ? store : { ...store, get: () => Promise.resolve(object) };
  return (
    await checkJournal(
      "mainnet",
      makeContext({ publicStore, stateStore, clock: clockAt(() => now) }),
    )
  ).map(toFindingLine);
}

describe("the journal", () => {
  it("of a network that was never observed is empty, which is no fault", async () => {
    const [finding] = await checkJournal("testnet", makeContext());
    expect(toFindingLine(finding!)).toMatch(
      /^ok journal: empty: npm run generate -- snapshot --network testnet begins it$/,
    );
  });

  it("whose series cannot be read is not guessed", async () => {
    const stateStore = openMemoryStore();
    const options = { expect: "absent", contentType: "application/json" } as const;
    await stateStore.put("series/mainnet/0001.json", Buffer.from("{}"), options);
    await expect(checkJournal("mainnet", makeContext({ stateStore }))).rejects.toThrow(
      "cannot be read",
    );
  });
});

describe("what is published", () => {
  it.each([
    [0, /^ok published: (\d+\.\d s|\d+ min) ago, the newest observation (\d+\.\d s|\d+ min) old$/],
    [
      60,
      /^warning published: \d+ min ago, .* → Is npm run generate -- run --network mainnet running\?/,
    ],
  ])("is described %i minutes later", async (minutes, expected) => {
    const lines = await check(undefined, PLAYED_UNTIL + minutes * MINUTE);
    expect(lines).toEqual([
      "ok journal: series 1, since 2026-11-20",
      expect.stringMatching(expected),
    ]);
  });

  it.each([[null], ["{"], ['{"data":{}}']])(
    "is a warning when its status is %j",
    async (status) => {
      const expected = /^warning published: no readable status\.json → .*publish --network mainnet/;
      expect((await check(status))[1]).toMatch(expected);
    },
  );

  const stranger = {
    object: "journal/mainnet/0001/stranger",
    reason: "not the name of an entry or a ruling",
  };
  const mended = { object: "0000000003", reason: "cut; publishing waits for it" };
  const toTime = (minutesAgo: number) => new Date(PLAYED_UNTIL - minutesAgo * MINUTE).toISOString();
  const mev = { name: "mev", state: "degraded", lastSuccessAt: null, reason: "no answer" };
  it.each([
    [
      "what is no entry, beside an entry that can be read again",
      { quarantined: [mended, stranger] },
      `warning journal: 1 unusable object, for example ${stranger.object}: .* → It is left out`,
    ],
    [
      "no late observation",
      { observedAt: toTime(16) },
      "warning published: .* ago, .* 16 min old → Is",
    ],
    [
      "a degraded source, and why",
      { sources: [mev] },
      "warning published: .* old; mev degraded \\(no answer\\)",
    ],
  ])("is no good when its status names %s", async (_, change, expected) => {
    const { data, meta } = await readDocument(stage, "status", {});
    const lines = await check(JSON.stringify({ data: { ...data, ...change }, meta }));
    expect(lines).toContainEqual(expect.stringMatching(`^${expected}`));
    expect(lines.filter((line) => !line.startsWith("ok "))).toHaveLength(1);
  });
});
