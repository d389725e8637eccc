import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { FOLD_VERSION } from "../../generator/ledger/ledger.ts";
import { createProjection } from "../../generator/service/projection.ts";
import { openRebuildCheckpoints } from "../../generator/service/rebuild/checkpoints.ts";
import { toManifestKey } from "../../generator/publish/manifest.ts";
import { toEntryKey, type JournalPlace } from "../../generator/journal/names.ts";
import { damage, deleteLoose, HOUR, packOf } from "../journal/packed.ts";
import { timeAt } from "../story/clock.ts";
import { ruling } from "../story/fold.ts";
import { check, snapshot } from "../story/observations.ts";
import { keyOf, withA } from "../story/validators.ts";
import { findDocument, readDocument, readTimeless } from "./documents.ts";
import { append, makeStation, makeStores, publish, type Stores } from "./offline.ts";

const RISE = [snapshot(0, withA({ bps: 500 })), check(1, withA({ bps: 10_000 })), check(1.5, withA({ bps: 10_000 }))];
const A = { votePubkey: keyOf("A") };

let stores: Stores;
let place: JournalPlace;
beforeEach(() => {
  stores = makeStores();
  place = { store: stores.stateStore, network: "mainnet", series: 1 };
});

const site = () => ({ ...stores, network: "mainnet" as const });
const stationAt = (minute: number) => makeStation({ ...stores, now: Date.parse(timeAt(minute)), holder: `${minute}` });
const publishAt = (minute: number) => publish(stationAt(minute));
const readStatus = async () => (await readDocument(site(), "status", {})).data;

async function cutRise() {
  const { names } = await stationAt(0).journal.names();
  const cut = names.find((name) => name.includes("-check-")) ?? "";
  const key = toEntryKey(place, cut);
  const { body } = (await place.store.get(key))!;
  await damage(place, key, (whole) => whole.subarray(0, 40));
  return { cut, putBack: () => damage(place, key, () => body) };
}

describe("while an entry that was published cannot be read", () => {
  it("only the status is written, which names it; what stands stays until the entry is whole again", async () => {
    await append(stationAt(2), RISE);
    await publishAt(2);
    const before = await readTimeless(site());
    expect((await readDocument(site(), "validatorEvents", A)).data).toMatchObject([{ severity: "RUG" }]);
    const { cut, putBack } = await cutRise();
    await append(stationAt(3), [check(3, withA({ bps: 700 })), check(3.5, withA({ bps: 700 }))]);
    const report = await publishAt(4);
    expect(await readTimeless(site())).toEqual(before);
    expect(report).toMatchObject({ documents: { rendered: 0, written: 0 }, quarantined: [{ object: cut }] });
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
    const { cut } = await cutRise();
    expect((await publishAt(2)).skipped).toContain(cut);
    expect(await readStatus()).toMatchObject({ epoch: null, quarantined: [{ object: cut }] });
  });
});

describe("a pack that cannot be read", () => {
  const DAY = 24 * 60;
  const restOf = (day: number) => [0, 10, 40, 55].map((minute) => snapshot(day * DAY + minute, withA({ bps: 10_000 })));

  async function losePack(change: (whole: Uint8Array) => Uint8Array) {
    await append(stationAt(2), RISE);
    const { names } = await stationAt(0).journal.names();
    const key = await packOf(place, names, Date.parse(timeAt(DAY)) + HOUR);
    const { body } = (await place.store.get(key))!;
    await deleteLoose(place, names);
    await damage(place, key, change);
    await append(stationAt(3 * DAY + 56), [1, 2, 3].flatMap(restOf));
    return { key, putBack: () => damage(place, key, () => body) };
  }

  const rule = (key: string, verdict: "ignore" | "accept", ruledAt: string) =>
    append(stationAt(3 * DAY + 60), [{ ...ruling(RISE[0]!), subject: { of: "observation", key }, verdict, ruledAt }]);
  const NOW = 3 * DAY + 61;

  it.each<[string, (whole: Uint8Array) => Uint8Array]>([
    ["at all", () => new Uint8Array()],
    [
      "to its end",
      (whole) => zstdCompressSync(zstdDecompressSync(whole).toString().split("\n").slice(0, 2).join("\n")),
    ],
  ])("%s holds publishing back, also behind a checkpoint, until a ruling leaves it out", async (_, change) => {
    const { key, putBack } = await losePack(change);
    for (const minute of [NOW, NOW + 1]) {
      const { skipped, quarantined } = await publishAt(minute);
      expect(skipped).toContain(`rule --observation ${key} --ignore`);
      expect(JSON.stringify(quarantined)).toContain(key);
      expect(await readTimeless(site())).toEqual(new Map());
    }
    const { leftOut, through } = await stationAt(NOW + 2).journal.findStartingPoint({
      now: Date.parse(timeAt(NOW + 2)),
      foldVersion: FOLD_VERSION,
    });
    expect(through).not.toBeNull();
    expect(leftOut).not.toEqual([]);
    await rule(key, "ignore", timeAt(NOW + 3));
    expect(await publishAt(NOW + 4)).toMatchObject({ skipped: null, quarantined: [] });
    const left = await readTimeless(site());
    await rule(key, "accept", timeAt(NOW + 5));
    expect((await publishAt(NOW + 6)).skipped).toContain(key);
    expect(await readTimeless(site())).toEqual(left);
    await putBack();
    expect(await publishAt(NOW + 7)).toMatchObject({ skipped: null, quarantined: [] });
    expect((await readDocument(site(), "validatorEvents", A)).data).toMatchObject([{ toCommission: 100 }]);
  });

  it("holds nothing back where the ledger knew it whole, also after a rebuild that met the hole", async () => {
    const { key, putBack } = await losePack(() => new Uint8Array());
    await putBack();
    await publishAt(NOW);
    await damage(place, key, () => new Uint8Array());
    expect((await publishAt(NOW + 1)).skipped).toBeNull();
    // A rebuild now would find a checkpoint due between these.
    await append(stationAt(NOW + 90), [check(NOW + 50, withA()), check(NOW + 80, withA())]);
    const rebuilding = stationAt(NOW + 81);
    const signal = new AbortController().signal;
    const checkpoints = openRebuildCheckpoints(rebuilding, { verify: false, saveMilliseconds: Infinity, signal });
    const rebuilt = createProjection({ ...rebuilding, now: rebuilding.clock.now, checkpoints });
    await rebuilt.foldThrough(null);
    expect(rebuilt.holes()).toMatchObject([{ name: key }]);
    // As for a new version of the render: begins behind what was published.
    await stores.stateStore.delete(toManifestKey("mainnet"));
    expect((await publishAt(NOW + 82)).skipped).toBeNull();
  });
});
