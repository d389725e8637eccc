import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createMetrics } from "../../../generator/service/metrics/metrics.ts";
import { publish } from "../../../generator/service/publishing.ts";
import { rebuild, type RebuildOptions } from "../../../generator/service/rebuild.ts";
import { toObjectKey } from "../../../generator/contract/object-keys.ts";
import type { Difference } from "../../../generator/publish/compare.ts";
import { readManifest, toManifestKey, writeManifest } from "../../../generator/publish/manifest.ts";
import { readTimeless } from "../../service/documents.ts";
import { MINUTE, openStage, timeAt, type Stage } from "../../service/harness.ts";
import { makeDirectory } from "../../store/directory.ts";
import { keepStores } from "./staging.ts";

const CADENCE = { checkMilliseconds: 20 * MINUTE, snapshotMilliseconds: 40 * MINUTE };

let stage: Stage;
let putBack: () => Promise<void>;

beforeAll(async () => {
  stage = await openStage({ validators: 20, seed: 3 });
  await stage.play({ until: timeAt(0.8), cadence: CADENCE });
  putBack = await keepStores(stage);
  return () => stage.close();
});
beforeEach(() => putBack());

async function rebuilding(changes: Partial<Pick<RebuildOptions, "verify" | "prune">> = {}) {
  const named: Difference[] = [];
  const progress: number[] = [];
  const onDifference = (difference: Difference) => void named.push(difference);
  const onProgress: RebuildOptions["onProgress"] = ({ folded }) => void progress.push(folded);
  const flags = { verify: false, prune: false, ...changes };
  const report = await rebuild({ ...stage.command, ...flags, onDifference, onProgress });
  expect(named).toHaveLength(report.differences);
  return { report, named, progress };
}

const verifying = () => rebuilding({ verify: true });

const noop = () => undefined;

const put = (key: string, text: string) =>
  stage.publicStore.put(key, new TextEncoder().encode(text), {
    expect: "any",
    contentType: "application/json",
  });

const FOREIGN = "api/v1/mainnet/validators/nobody.json";
const EVENTS = toObjectKey("mainnet", "events", {});
const RUGS = toObjectKey("mainnet", "rugsPerEpoch", {});

async function tamper(): Promise<void> {
  await put(EVENTS, '{"data":[],"meta":{}}');
  await stage.publicStore.delete(RUGS);
  await put(FOREIGN, "{}");
}

describe("rebuild --verify", () => {
  it("has nothing to do where there is neither a journal nor a document", async () => {
    for (const store of [stage.stateStore, stage.publicStore])
      for await (const { key } of store.list("")) await store.delete(key);
    expect((await verifying()).named).toEqual([]);
  });

  it("finds nothing after a run, and writes nothing", async () => {
    const before = await readTimeless(stage);
    const { report, named, progress } = await verifying();
    expect(named).toEqual([]);
    expect(report).toMatchObject({ puts: 0, bytes: 0, rejected: [], skipped: null });
    expect(report.events).toBeGreaterThan(0);
    expect(progress).toEqual(Array.from({ length: report.observations }, (_, index) => index + 1));
    expect(await readTimeless(stage)).toEqual(before);
  });

  it("names each document that is not as the journal says, and mends none", async () => {
    await tamper();
    const where = {
      path: "data[0]",
      published: null,
      expected: expect.stringMatching(/^\{"id":"/) as string,
    };
    const expected = [
      { key: EVENTS, what: "different", where },
      { key: RUGS, what: "missing" },
      { key: FOREIGN, what: "unexpected" },
    ];
    expect((await verifying()).named).toEqual(expected);
    expect((await verifying()).named).toEqual(expected);
  });

  it("judges what is published by the entries that were published, not by later ones", async () => {
    await stage.play({ until: timeAt(0.8) + 5 * MINUTE, publishes: false });
    expect((await verifying()).named).toEqual([]);
    await publish(stage.command);
    expect((await verifying()).named).toEqual([]);
  });

  it("does not judge an export that the manifest says is still to be written", async () => {
    await stage.play({ until: timeAt(1.1), cadence: CADENCE });
    const key = [...(await readTimeless(stage)).keys()].find((each) => each.endsWith(".csv"));
    const { manifest } = await readManifest(stage.stateStore, "mainnet");
    await put(key!, "of an earlier state");
    expect((await verifying()).named).toEqual([{ key, what: "different" }]);
    await writeManifest(stage.stateStore, { ...manifest!, deferred: [key!] });
    expect((await verifying()).named).toEqual([]);
    expect((await rebuilding()).report.documents.written).toBe(1);
    expect((await readManifest(stage.stateStore, "mainnet")).manifest?.deferred).toEqual([]);
  });
});

describe("rebuild", () => {
  it("puts back what was changed and what is missing, and leaves what it does not know", async () => {
    const before = await readTimeless(stage);
    await tamper();
    const { report } = await rebuilding();
    expect(report.documents.written).toBe(2);
    expect((await verifying()).named).toEqual([{ key: FOREIGN, what: "unexpected" }]);
    expect((await readTimeless(stage)).get(EVENTS)).toBe(before.get(EVENTS));
  });

  it("deletes what the journal does not produce only with --prune", async () => {
    await tamper();
    const { report } = await rebuilding({ prune: true });
    expect(report.upkeep).toEqual(["1 object deleted that the journal does not produce"]);
    expect((await verifying()).named).toEqual([]);
  });

  it("deletes nothing that another generator publishes meanwhile", async () => {
    await stage.play({ until: timeAt(1.1), cadence: CADENCE });
    const later = await readTimeless(stage);
    const { directory: kept, remove } = await makeDirectory();
    onTestFinished(remove);
    const directory = dirname(stage.publicStore.name.slice("file:".length));
    for (const role of ["public", "state"])
      cpSync(join(directory, role), join(kept, role), { recursive: true });
    await putBack();
    const status = toObjectKey("mainnet", "status", {});
    const { instrument } = createMetrics({ now: stage.clock.now, steadyNow: stage.clock.timer });
    const publishing: RebuildOptions["instrument"] = (network) => ({
      ...instrument(network),
      onStoreOperation: (_, { operation, key }) => {
        if (operation !== "put" || key !== status) return;
        for (const role of ["public", "state"]) rmSync(join(directory, role), { recursive: true });
        cpSync(kept, directory, { recursive: true });
      },
    });
    const options = {
      ...stage.command,
      verify: false,
      prune: true,
      onDifference: noop,
      onProgress: noop,
    };
    await rebuild({ ...options, instrument: publishing });
    expect([...later.keys()].filter((key) => key.includes("/epochs/")).length).toBeGreaterThan(0);
    expect([...(await readTimeless(stage)).keys()]).toEqual([...later.keys()]);
  });

  it("writes only the status where all is as it should be", async () => {
    // The first leaves a checkpoint of the newest entry.
    await rebuilding();
    expect((await rebuilding()).report).toMatchObject({ puts: 1, documents: { written: 0 } });
  });

  it("waits for another generator that is publishing, and then publishes", async () => {
    await tamper();
    const until = new Date(stage.clock.now() + 100_000).toISOString();
    const lease = new TextEncoder().encode(JSON.stringify({ holder: "another", until }));
    await stage.stateStore.put("lease/mainnet.json", lease, {
      expect: "any",
      contentType: "application/json",
    });
    const { report } = await rebuilding();
    expect(report).toMatchObject({ skipped: null, documents: { written: 2 } });
    expect(stage.clock.now()).toBeGreaterThanOrEqual(Date.parse(until));
    expect((await verifying()).named).toEqual([{ key: FOREIGN, what: "unexpected" }]);
  });

  it.each(["foldVersion", "renderVersion"] as const)(
    "of a %s older than what is published publishes and prunes nothing, and does not wait",
    async (version) => {
      await tamper();
      const { manifest } = await readManifest(stage.stateStore, "mainnet");
      await writeManifest(stage.stateStore, { ...manifest!, [version]: manifest![version] + 1 });
      const [before, beganAt] = [await readTimeless(stage), stage.clock.now()];
      const { report } = await rebuilding({ prune: true });
      expect(report).toMatchObject({
        skipped: "a newer version publishes",
        documents: { written: 0 },
      });
      expect(stage.clock.now() - beganAt).toBeLessThan(1_000);
      expect(await readTimeless(stage)).toEqual(before);
    },
  );

  it("reproduces every byte from the journal alone", async () => {
    const before = await readTimeless(stage);
    for (const key of before.keys()) await stage.publicStore.delete(key);
    await stage.stateStore.delete(toManifestKey("mainnet"));
    for await (const { key } of stage.stateStore.list("checkpoints/"))
      await stage.stateStore.delete(key);
    const { report } = await rebuilding();
    expect(report.documents.written).toBe(before.size);
    expect(await readTimeless(stage)).toEqual(before);
  });
});

describe("publish", () => {
  it("repairs at once what was changed behind its back, and then writes at most two objects", async () => {
    const before = await readTimeless(stage);
    await tamper();
    expect((await publish(stage.command)).documents.written).toBe(2);
    await stage.publicStore.delete(FOREIGN);
    expect(await readTimeless(stage)).toEqual(before);
    const { puts, documents } = await publish(stage.command);
    expect([puts <= 2, documents.written]).toEqual([true, 0]);
  });

  it("writes nothing of a network that was never observed", async () => {
    const { puts, observations } = await publish({ ...stage.command, network: "testnet" });
    expect({ puts, observations }).toEqual({ puts: 0, observations: 0 });
    expect(await readTimeless({ ...stage, network: "testnet" })).toEqual(new Map());
  });
});
