import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ruling } from "../../../generator/entries/ruling.ts";
import { createProjection } from "../../../generator/service/projection/projection.ts";
import { openRebuildCheckpoints } from "../../../generator/service/rebuild/checkpoints.ts";
import { toManifestKey } from "../../../generator/publish/manifest.ts";
import {
  fromEntryKey,
  numberOf,
  toEntryKey,
  toName,
  type JournalPlace,
} from "../../../generator/journal/names.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { changeEntry, damage, deleteLoose, FIRST_PACK, packFirst } from "../../journal/packed.ts";
import { makeRuling } from "../../journal/samples.ts";
import { timeAt } from "../../story/clock.ts";
import { check, snapshot } from "../../story/observations.ts";
import { keyOf, withA } from "../../story/validators.ts";
import { findDocument, readDocument, readTimeless } from "../documents.ts";
import { append, makeStation, makeStores, publish, type Stores } from "../offline.ts";

const RISE = [
  snapshot(0, withA({ bps: 500 })),
  check(1, withA({ bps: 10_000 })),
  check(1.5, withA({ bps: 10_000 })),
];
const A = { votePubkey: keyOf("A") };

let stores: Stores;
let place: JournalPlace;
beforeEach(() => {
  stores = makeStores();
  place = { store: stores.stateStore, network: "mainnet", series: 1 };
});

const site = () => ({ ...stores, network: "mainnet" as const });
const stationAt = (minute: number) =>
  makeStation({ ...stores, now: Date.parse(timeAt(minute)), holder: `${minute}` });
const publishAt = (minute: number) => publish(stationAt(minute));
const readStatus = async () => (await readDocument(site(), "status", {})).data;

/** As with a new version of the fold: everything is folded anew. */
async function forgetCheckpoints(): Promise<void> {
  for await (const { key } of place.store.list("checkpoints/")) await place.store.delete(key);
}

async function cutRise(cut = "0000000002") {
  await forgetCheckpoints();
  const key = toEntryKey(place, cut);
  const { body } = (await place.store.get(key))!;
  await damage(place, key, (whole) => whole.subarray(0, 40));
  return { cut, putBack: () => damage(place, key, () => body) };
}

async function rule(first: string, last: string, verdict: Ruling["verdict"]): Promise<void> {
  const after = first === "0000000001" ? null : toName(numberOf(first) - 1);
  await stationAt(0).journal.rule(
    makeRuling({ after, subject: { of: "observation", first, last }, verdict }),
  );
}

it("the status names the newest entry and its hash, so that all who keep it can tell a changed journal", async () => {
  await append(stationAt(2), RISE);
  await publishAt(2);
  const before = { entry: "0000000003", hash: await stationAt(2).journal.hashOf("0000000003") };
  expect((await readStatus()).journal).toEqual(before);
  await append(stationAt(3), [check(3, withA({ bps: 700 }))]);
  await publishAt(3);
  const [read] = await Array.fromAsync(stationAt(3).journal.read(["0000000004"]));
  expect((await readStatus()).journal).toEqual({
    entry: "0000000004",
    hash: "hash" in read! ? read.hash : "",
  });
  expect(read).toMatchObject({ previous: before.hash });
});

describe("while an entry that was published cannot be read", () => {
  it("only the status is written, which names it; what stands stays until the entry is whole again", async () => {
    await append(stationAt(2), RISE);
    await publishAt(2);
    const before = await readTimeless(site());
    expect((await readDocument(site(), "validatorEvents", A)).data).toMatchObject([
      { severity: "RUG" },
    ]);
    const { cut, putBack } = await cutRise();
    await append(stationAt(3), [check(3, withA({ bps: 700 })), check(3.5, withA({ bps: 700 }))]);
    const report = await publishAt(4);
    expect(await readTimeless(site())).toEqual(before);
    expect(report).toMatchObject({
      documents: { rendered: 0, written: 0 },
      quarantined: [{ object: cut }],
    });
    expect(report.skipped).toContain(`rule --observation ${cut} --ignore`);
    const status = await readStatus();
    expect(status).toMatchObject({ generatedAt: timeAt(4), quarantined: [{ object: cut }] });
    expect(status.quarantined[0]?.reason).toContain("publishing waits");
    await putBack();
    expect(await publishAt(5)).toMatchObject({ skipped: null, quarantined: [] });
    expect(await readStatus()).toMatchObject({ quarantined: [] });
    expect((await readDocument(site(), "validatorEvents", A)).data).toMatchObject([
      { toCommission: 7 },
      { toCommission: 100 },
    ]);
  });

  it("a process that goes on sees at its next run that the entry is whole again", async () => {
    await append(stationAt(2), RISE);
    const { putBack } = await cutRise();
    const running = stationAt(2);
    expect((await publish(running)).skipped).not.toBeNull();
    expect((await publish(running)).skipped).not.toBeNull();
    await putBack();
    expect(await publish(running)).toMatchObject({ skipped: null, quarantined: [] });
  });

  it("nothing is published for the first time either", async () => {
    await append(stationAt(2), RISE);
    await cutRise();
    await publishAt(2);
    expect(await readTimeless(site())).toEqual(new Map());
    expect(await findDocument(site(), "status", {})).not.toBeNull();
  });

  it("the status says so even if no entry can be read", async () => {
    await append(stationAt(2), [RISE[1]!]);
    const { cut } = await cutRise("0000000001");
    expect((await publishAt(2)).skipped).toContain(cut);
    expect(await readStatus()).toMatchObject({ epoch: null, quarantined: [{ object: cut }] });
  });
});

describe("an entry that is gone", () => {
  const gone = "0000000002";

  it("is told as a hole by its number, and a ruling goes on without it until it is back", async () => {
    await append(stationAt(2), RISE);
    const { body } = (await place.store.get(toEntryKey(place, gone)))!;
    await deleteLoose(place, [gone]);
    const report = await publishAt(3);
    expect(report.skipped).toContain(`for example ${gone}: the object is missing`);
    expect(report.skipped).toContain(`rule --observation ${gone} --ignore`);
    expect(report.quarantined).toEqual([
      { object: gone, reason: "the object is missing; publishing waits for it" },
    ]);
    await rule(gone, gone, "ignore");
    expect(await publishAt(4)).toMatchObject({ skipped: null, quarantined: [] });
    expect((await readDocument(site(), "validatorEvents", A)).data).toEqual([]);
    await rule(gone, gone, "accept");
    await place.store.put(toEntryKey(place, gone), body, {
      expect: "absent",
      contentType: "application/zstd",
    });
    expect(await publishAt(5)).toMatchObject({ skipped: null, quarantined: [] });
    expect((await readDocument(site(), "validatorEvents", A)).data).toMatchObject([
      { createdAt: timeAt(1) },
    ]);
  });

  it("at the journal's end is followed by the next number that is free, and is no hole", async () => {
    await append(stationAt(2), RISE);
    await deleteLoose(place, ["0000000003"]);
    expect(await publishAt(3)).toMatchObject({ skipped: null });
    expect(await stationAt(3).journal.append(check(3, withA({ bps: 10_000 })))).toBe("0000000003");
    expect(await publishAt(4)).toMatchObject({ skipped: null });
  });

  it("may be ruled away one by one, in any order, though nothing follows that can be read", async () => {
    await append(stationAt(2), [...RISE, check(3, withA({ bps: 700 }))]);
    for (const name of ["0000000003", "0000000004"])
      await damage(place, toEntryKey(place, name), (whole) => whole.subarray(0, 40));
    expect((await publishAt(3)).skipped).toContain(
      "rule --observation 0000000003-0000000004 --ignore",
    );
    await rule("0000000004", "0000000004", "ignore");
    expect((await publishAt(4)).skipped).toContain("rule --observation 0000000003 --ignore");
    await rule("0000000003", "0000000003", "ignore");
    expect(await publishAt(5)).toMatchObject({ skipped: null, quarantined: [] });
    expect((await publishAt(6)).documents.written).toBe(0);
  });
});

describe("an entry that was changed in the middle of the journal", () => {
  it.each(["0000000002", "0000000003"])(
    "holds publishing back until a ruling leaves out %s",
    async (ruledOn) => {
      await append(stationAt(2), [
        ...RISE,
        ...[3, 4].map((minute) => check(minute, withA({ bps: 10_000 }))),
      ]);
      await publishAt(3);
      const before = await readTimeless(site());
      await changeEntry(place, "0000000002", (text) => text.replaceAll(":10000,", ":9000,"));
      await forgetCheckpoints();
      const { skipped } = await publishAt(4);
      expect(skipped).toContain(
        "0000000003: it was written after another entry than 0000000002: one of the two was",
      );
      expect(skipped).toContain("rule --observation 0000000003 --ignore");
      expect(await readTimeless(site())).toEqual(before);
      await rule(ruledOn, ruledOn, "ignore");
      expect(await publishAt(5)).toMatchObject({ skipped: null, quarantined: [] });
      expect((await readDocument(site(), "validatorEvents", A)).data).toMatchObject([
        { severity: "RUG" },
      ]);
    },
  );
});

it("a ruling that cannot be read holds publishing back, and no other ruling is offered for it", async () => {
  await append(stationAt(2), RISE);
  await rule("0000000003", "0000000003", "ignore");
  const key = "journal/mainnet/0001/rulings/0001.json";
  const { body } = (await place.store.get(key))!;
  await damage(place, key, (whole) => whole.subarray(0, 20));
  const { skipped, quarantined } = await publishAt(3);
  expect(skipped).toContain(`${key}: `);
  expect(skipped).toContain("It is a ruling: put it back from a copy");
  expect(quarantined).toMatchObject([{ object: key }]);
  await damage(place, key, () => body);
  expect(await publishAt(4)).toMatchObject({ skipped: null, quarantined: [] });
});

describe("a pack that cannot be read", () => {
  const NOW = 1_060;
  /** The first thousand, and what came after. */
  const many = [
    RISE[0]!,
    RISE[1]!,
    ...Array.from({ length: 1_000 }, (_, at) => check(2 + at, withA({ bps: 10_000 }))),
  ];
  const filled = openMemoryStore();
  beforeAll(async () => {
    const first = makeStation({
      publicStore: openMemoryStore(),
      stateStore: filled,
      now: 0,
      holder: "first",
    });
    await append(first, many);
    await packFirst(first.place);
  });

  async function losePack(change: (whole: Uint8Array) => Uint8Array) {
    for await (const { key } of filled.list("")) {
      const isLoose = fromEntryKey(place, key) !== null && key < toEntryKey(place, "0000001001");
      const options = { expect: "absent", contentType: "application/zstd" } as const;
      if (!isLoose) await place.store.put(key, (await filled.get(key))!.body, options);
    }
    const { body } = (await place.store.get(FIRST_PACK))!;
    const putBack = () => damage(place, FIRST_PACK, () => body);
    await damage(place, FIRST_PACK, change);
    return { putBack };
  }

  it.each<[string, (whole: Uint8Array) => Uint8Array, string]>([
    ["at all", () => new Uint8Array(), "0000000001"],
    [
      "to its end",
      (whole) =>
        zstdCompressSync(zstdDecompressSync(whole).toString().split("\n").slice(0, 3).join("\n")),
      "0000000002",
    ],
  ])(
    "%s holds publishing back, also behind a checkpoint, until a ruling leaves out its range",
    async (_, change, first) => {
      const { putBack } = await losePack(change);
      const range = `${first}-0000001000`;
      for (const minute of [NOW, NOW + 1]) {
        const { skipped, quarantined } = await publishAt(minute);
        expect(skipped).toContain(`rule --observation ${range} --ignore`);
        expect(quarantined).toContainEqual({
          object: first,
          reason: expect.stringMatching(/pack/) as string,
        });
        expect(await readTimeless(site())).toEqual(new Map());
      }
      expect(await Array.fromAsync(place.store.list("checkpoints/"))).toHaveLength(1);
      await rule(first, "0000001000", "ignore");
      expect(await publishAt(NOW + 2)).toMatchObject({ skipped: null, quarantined: [] });
      const left = await readTimeless(site());
      await rule(first, "0000001000", "accept");
      expect((await publishAt(NOW + 3)).skipped).toContain(range);
      expect(await readTimeless(site())).toEqual(left);
      await putBack();
      expect(await publishAt(NOW + 4)).toMatchObject({ skipped: null, quarantined: [] });
      expect((await readDocument(site(), "validatorEvents", A)).data).toMatchObject([
        { toCommission: 100 },
      ]);
    },
  );

  it("holds nothing back where the ledger knew it whole, also after a rebuild that met the hole", async () => {
    const { putBack } = await losePack(() => new Uint8Array());
    await putBack();
    await publishAt(NOW);
    await damage(place, FIRST_PACK, () => new Uint8Array());
    expect((await publishAt(NOW + 1)).skipped).toBeNull();
    const rebuilding = stationAt(NOW + 2);
    const signal = new AbortController().signal;
    const checkpoints = openRebuildCheckpoints(rebuilding, {
      verify: false,
      saveMilliseconds: Infinity,
      signal,
    });
    const rebuilt = createProjection({ ...rebuilding, now: rebuilding.clock.now, checkpoints });
    await rebuilt.foldThrough(null);
    expect(rebuilt.holes()).toHaveLength(1_000);
    // As for a new version of the render: begins behind what was published.
    await stores.stateStore.delete(toManifestKey("mainnet"));
    expect((await publishAt(NOW + 3)).skipped).toBeNull();
  });
});
