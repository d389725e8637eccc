import { expect, it } from "vitest";
import { FRESH_MILLISECONDS } from "../../proxy/cache/revalidate.ts";
import { describeProxy, type Proxy } from "./_setup.ts";
import { LATEST_EPOCH, makeIndex, makeUnlisted, publish, SEEN_AT } from "./fixtures.ts";

const SNAPSHOTS = 6;
const ROUNDS_WHILE_SWAPPING = 8;
const MINUTE = 60_000;

/** An index of which every item and every sum tells which snapshot it is of. */
function makeMarkedIndex(mark: number) {
  const index = makeIndex();
  return {
    ...index,
    snapshotAt: new Date(Date.parse(SEEN_AT) + mark * MINUTE).toISOString(),
    latestEpoch: LATEST_EPOCH + mark,
    validators: index.validators.map((row) => ({ ...row, name: `Mark ${mark}` })),
    unlisted: [makeUnlisted(200, { name: `Mark ${mark}` })],
    rugsPerEpoch: index.rugsPerEpoch.map((row) => ({ ...row, totalEvents: mark })),
    rugsGlobal: { ...index.rugsGlobal, commissionEvents: mark },
  };
}

interface Body {
  data: { name?: string; totalEvents?: number }[];
  meta: { snapshotAt?: string; latestEpoch?: number; global?: { commissionEvents: number }; query?: string };
}

/** Every mark in an answer, each once. */
function readMarks({ data, meta }: Body): number[] {
  const marks = data.map(({ name, totalEvents }) => totalEvents ?? Number(name?.replace("Mark ", "")));
  if (meta.snapshotAt !== undefined) marks.push((Date.parse(meta.snapshotAt) - Date.parse(SEEN_AT)) / MINUTE);
  if (meta.latestEpoch !== undefined) marks.push(meta.latestEpoch - LATEST_EPOCH);
  if (meta.global !== undefined) marks.push(meta.global.commissionEvents);
  return [...new Set(marks)];
}

async function ask(request: Proxy["request"], path: string): Promise<number[]> {
  const response = await request(`/api/v1/${path}`);
  return readMarks((await response.json()) as Body);
}

const PATHS = ["validators", "validators?limit=7&page=3", "stats/rugs-per-epoch?epochs=20", "search?q=mark"];

describeProxy("a new snapshot", (open) => {
  it("is swapped in whole: no answer given meanwhile is of two snapshots", async () => {
    const { world, request } = await open({ published: [publish("index", {}, makeMarkedIndex(0))] });
    expect(await ask(request, "validators")).toEqual([0]);
    for (let mark = 1; mark <= SNAPSHOTS; mark += 1) {
      const before = PATHS.map((path) => ask(request, path));
      await world.put(publish("index", {}, makeMarkedIndex(mark)));
      world.now += FRESH_MILLISECONDS;
      const during = Array.from({ length: ROUNDS_WHILE_SWAPPING }, () =>
        PATHS.map((path) => ask(request, path)),
      ).flat();
      for (const marks of await Promise.all([...before, ...during])) {
        expect(marks).toHaveLength(1);
        expect([mark - 1, mark]).toContain(marks[0]);
      }
    }
  });

  it("is what all routes answer from once 15 s have passed and it was asked for", async () => {
    const { world, request } = await open({ published: [publish("index", {}, makeMarkedIndex(1))] });
    for (const path of PATHS) expect(await ask(request, path)).toEqual([1]);
    await world.put(publish("index", {}, makeMarkedIndex(2)));
    world.now += FRESH_MILLISECONDS - 1;
    for (const path of PATHS) expect(await ask(request, path)).toEqual([1]);
    world.now += 1;
    // The first one asks for it and is not kept waiting.
    await ask(request, "validators");
    await expect.poll(() => ask(request, "validators")).toEqual([2]);
    for (const path of PATHS) expect(await ask(request, path)).toEqual([2]);
  });
});
