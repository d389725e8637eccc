import { describe, expect, it } from "vitest";
import type { SnapshotIndex } from "../../../generator/contract/snapshot-index.ts";
import { FRESH_MILLISECONDS, RETRY_MILLISECONDS } from "../../../proxy/cache/cache.ts";
import { getAnswer, toSnapshot } from "../../../proxy/cache/snapshots.ts";
import { describeProxy, readError, type Proxy } from "../_setup.ts";
import {
  LATEST_EPOCH,
  makeIndex,
  makeUnlisted,
  makeValidator,
  publish,
  SEEN_AT,
  toPubkey,
  VALIDATORS,
} from "../fixtures.ts";
import { openBench, settle, type Bench } from "./_bench.ts";

const KEY = "api/v1/mainnet/index.json";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Puts an index, lets it be read, and says what is held then. */
async function takeIndex(bench: Bench, changes: Partial<SnapshotIndex> | Uint8Array | null) {
  if (changes === null) bench.objects.delete(KEY);
  else if (changes instanceof Uint8Array) bench.objects.set(KEY, changes);
  else bench.put(publish("index", {}, makeIndex(changes)));
  bench.now += MINUTE;
  await bench.snapshots.get("mainnet");
  await settle();
  const { value, stale, ageSeconds } = await bench.snapshots.get("mainnet");
  return { name: value.index.validators[0]?.name, stale, ageSeconds };
}

async function openWithIndex(): Promise<Bench> {
  const bench = openBench([publish("index", {}, makeIndex())]);
  await bench.snapshots.get("mainnet");
  return bench;
}

const NAMED = makeIndex({
  validators: makeIndex().validators.map((row) => ({ ...row, name: "New" })),
});
const CUT = publish("index", {}, NAMED).body.subarray(0, 5_000);
const EARLIER = new Date(Date.parse(SEEN_AT) - MINUTE).toISOString();
const NEW = { name: "New", stale: false, ageSeconds: 0 };

describe("the index of a network", () => {
  it("is replaced by one that is newer, also one whose validators have left the list", async () => {
    expect(await takeIndex(await openWithIndex(), NAMED)).toEqual(NEW);
    const unlisted = NAMED.validators.slice(1, 50).map(({ rank }) => makeUnlisted(rank));
    const few = { ...NAMED, validators: NAMED.validators.slice(0, 1), unlisted };
    expect(await takeIndex(await openWithIndex(), few)).toEqual(NEW);
  });

  it("is confirmed without its body while it is the same", async () => {
    const bench = await openWithIndex();
    const { value } = await bench.snapshots.get("mainnet");
    for (let minute = 0; minute < 5; minute++) {
      expect(await takeIndex(bench, {})).toMatchObject({ stale: false, ageSeconds: 0 });
    }
    expect((await bench.snapshots.get("mainnet")).value).toBe(value);
    expect([bench.reads.length, bench.bodies]).toEqual([6, 1]);
  });

  it("of an older generator has null where it lacks what was added since and may be null", async () => {
    const added = ["incident", "pattern", "appliedCommission"];
    const older = JSON.stringify(makeIndex(), (name, value: unknown) =>
      added.includes(name) ? undefined : value,
    );
    const bench = await openWithIndex();
    expect(await takeIndex(bench, Buffer.from(older))).toMatchObject({
      stale: false,
      ageSeconds: 0,
    });
    const { index } = (await bench.snapshots.get("mainnet")).value;
    expect(index.events[0]).toMatchObject({
      id: makeIndex().events[0]?.id,
      incident: null,
      pattern: null,
    });
    expect(index.validators.at(-1)).toHaveProperty("appliedCommission", null);
  });

  it.each<[string, Partial<SnapshotIndex> | Uint8Array | null, RegExp]>([
    ["is gone", null, /index\.json has gone/],
    ["is cut", CUT, /JSON/],
    ["lacks what is never null", Buffer.from('{"network":"mainnet"}'), /networkStake/],
    [
      "is of another network",
      { ...NAMED, network: "testnet" },
      /the index of mainnet is that of testnet/,
    ],
    [
      "is older",
      { ...NAMED, snapshotAt: EARLIER },
      /older than the one cached: of 2026-11-20T11:59/,
    ],
    ["has no time", { ...NAMED, snapshotAt: null }, /older than the one cached/],
    [
      "knows few",
      { ...NAMED, validators: [makeValidator(1)] },
      /knows 2 vote accounts, the one cached 61/,
    ],
  ])("is kept, unconfirmed, when the one in the store %s", async (_, changes, reason) => {
    const bench = await openWithIndex();
    expect(await takeIndex(bench, changes)).toEqual({
      name: "Validator 1",
      stale: true,
      ageSeconds: 60,
    });
    expect(bench.log).toHaveLength(1);
    expect(describeCauses(bench.log[0]?.error)).toMatch(reason);
  });

  it("gives way to an older or a smaller one that the store still holds ten minutes later", async () => {
    const bench = await openWithIndex();
    const smaller = { ...NAMED, validators: NAMED.validators.slice(0, 1), snapshotAt: EARLIER };
    for (let minute = 0; minute < 10; minute++)
      expect(await takeIndex(bench, smaller)).toMatchObject({ name: "Validator 1", stale: true });
    expect(await takeIndex(bench, smaller)).toEqual(NEW);
  });

  it("is doubted from the beginning again after the store has given the one cached", async () => {
    const bench = await openWithIndex();
    const older = { ...NAMED, snapshotAt: EARLIER };
    for (let minute = 0; minute < 9; minute++) await takeIndex(bench, older);
    expect(await takeIndex(bench, {})).toMatchObject({ stale: false });
    for (let minute = 0; minute < 9; minute++)
      expect(await takeIndex(bench, older)).toMatchObject({ stale: true });
  });

  it("of another network is not served either where nothing is held", async () => {
    const bench = openBench([
      { ...publish("index", {}, { ...NAMED, network: "testnet" }), key: KEY },
    ]);
    await expect(bench.snapshots.get("mainnet")).rejects.toMatchObject({
      code: "upstream_unavailable",
    });
  });

  it("may come later where there was none", async () => {
    const bench = openBench([]);
    expect((await bench.snapshots.get("mainnet")).value.index.validators).toEqual([]);
    expect(await takeIndex(bench, NAMED)).toEqual(NEW);
    expect((await bench.snapshots.get("mainnet")).value.index.validators).toHaveLength(VALIDATORS);
  });

  it("has answers that are put together once each", () => {
    const snapshot = toSnapshot(makeIndex(), null);
    let times = 0;
    const ask = () => getAnswer(snapshot, "page", "snapshot", () => ({ times: (times += 1) }));
    expect(ask()).toBe(ask());
    expect(times).toBe(1);
  });
});

/** The messages of an error and of what caused it. */
function describeCauses(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${describeCauses(error.cause)}` : "";
}

/** An index whose items and sums all name their snapshot. */
function publishMarked(mark: number) {
  const index = makeIndex();
  return publish(
    "index",
    {},
    {
      ...index,
      snapshotAt: new Date(Date.parse(SEEN_AT) + mark * MINUTE).toISOString(),
      latestEpoch: LATEST_EPOCH + mark,
      validators: index.validators.map((row) => ({ ...row, name: `Mark ${mark}` })),
      unlisted: [makeUnlisted(200, { name: `Mark ${mark}` })],
      rugsPerEpoch: index.rugsPerEpoch.map((row) => ({ ...row, totalEvents: mark })),
      rugsGlobal: { ...index.rugsGlobal, commissionEvents: mark },
    },
  );
}

interface Body {
  data: { name?: string; totalEvents?: number }[];
  meta: { snapshotAt?: string; latestEpoch?: number; global?: { commissionEvents: number } };
}

/** Every mark in an answer, each once. */
async function readMarks(request: Proxy["request"], path: string): Promise<number[]> {
  const { data, meta } = (await (await request(`/api/v1/${path}`)).json()) as Body;
  const marks = data.map(
    ({ name, totalEvents }) => totalEvents ?? Number(name?.replace("Mark ", "")),
  );
  if (meta.snapshotAt !== undefined)
    marks.push((Date.parse(meta.snapshotAt) - Date.parse(SEEN_AT)) / MINUTE);
  if (meta.latestEpoch !== undefined) marks.push(meta.latestEpoch - LATEST_EPOCH);
  if (meta.global !== undefined) marks.push(meta.global.commissionEvents);
  return [...new Set(marks)];
}

const MARKED = [
  "validators",
  "validators?limit=7&page=3",
  "stats/rugs-per-epoch?epochs=20",
  "search?q=mark",
];

describeProxy("a new snapshot", (open) => {
  it("is swapped in whole: no answer given meanwhile is of two snapshots", async () => {
    const { world, request } = await open({ published: [publishMarked(0)] });
    expect(await readMarks(request, "validators")).toEqual([0]);
    for (let mark = 1; mark <= 6; mark += 1) {
      const before = MARKED.map((path) => readMarks(request, path));
      await world.put(publishMarked(mark));
      world.now += FRESH_MILLISECONDS + 1;
      const during = Array.from({ length: 8 }, () =>
        MARKED.map((path) => readMarks(request, path)),
      );
      for (const marks of await Promise.all([...before, ...during.flat()])) {
        expect(marks).toHaveLength(1);
        expect([mark - 1, mark]).toContain(marks[0]);
      }
    }
  });
});

const PATHS = ["/api/v1/validators", `/api/v1/validators/${toPubkey(1)}`];

describeProxy("what is held while the store fails", (open) => {
  it.each(PATHS)("is served at %s, marked stale, and fresh again afterwards", async (path) => {
    const { world, request } = await open();
    const read = ({ status, headers }: Response) => [
      status,
      ...["etag", "x-data-stale", "age"].map((name) => headers.get(name)),
    ];
    const [, etag] = read(await request(path)) as [number, string];
    world.storeDown = true;
    world.now += HOUR;
    expect(read(await request(path))).toEqual([200, etag, "true", "3600"]);
    const held = { headers: { "if-none-match": etag } };
    expect(read(await request(path, held))).toEqual([304, etag, "true", "3600"]);
    world.storeDown = false;
    world.now += RETRY_MILLISECONDS + 1;
    await expect.poll(async () => read(await request(path))).toEqual([200, etag, null, null]);
  });

  it.each(PATHS)(
    "is nothing at %s where nothing was read: 503, and the store is asked every 2 s at most",
    async (path) => {
      const { world, request } = await open();
      world.storeDown = true;
      for (let time = 0; time < 3; time++) {
        const response = await request(path);
        await readError(response, 503, "upstream_unavailable");
        expect(response.headers.get("retry-after")).toBe("5");
      }
      expect(world.reads).toEqual([...new Set(world.reads)]);
      world.storeDown = false;
      world.now += RETRY_MILLISECONDS + 1;
      expect((await request(path)).status).toBe(200);
    },
  );

  it.each([
    `/api/v1/validators/${toPubkey(99)}`,
    `/api/v1/validators/${toPubkey(2)}/location`,
    `/api/v1/wallets/${toPubkey(99)}`,
    `/api/v1/wallets/${toPubkey(1)}?network=testnet`,
    "/api/v1/changes?network=testnet",
    `/validators/${toPubkey(99)}`,
  ])("is marked stale where it says that there is nothing: %s", async (path) => {
    const { world, request } = await open();
    const read = ({ status, headers }: Response) => [
      status,
      headers.get("x-data-stale"),
      headers.get("age"),
    ];
    expect(read(await request(path))).toEqual([404, null, null]);
    world.storeDown = true;
    world.now += HOUR;
    expect(read(await request(path))).toEqual([404, "true", "3600"]);
  });

  it("is told apart from a network without data", async () => {
    const { world, request } = await open();
    expect((await request("/api/v1/validators?network=testnet")).status).toBe(200);
    world.storeDown = true;
    await readError(
      await request("/api/v1/validators?network=alpenglow"),
      503,
      "upstream_unavailable",
    );
  });
});
