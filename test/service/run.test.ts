import { rename, writeFile } from "node:fs/promises";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createLedger } from "../../generator/ledger/ledger.ts";
import { messageOf } from "../../generator/contract/error-message.ts";
import { toEntryKey } from "../../generator/journal/names.ts";
import { readPublished } from "../../generator/service/published.ts";
import type { Report } from "../../generator/service/report.ts";
import { findBoundary, run } from "../../generator/service/run.ts";
import { RpcFailure } from "../cluster/rpc/failure.ts";
import { damage } from "../journal/packed.ts";
import { FIRST_EPOCH, SLOTS_A_MINUTE, SLOTS_IN_EPOCH, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { check, snapshot } from "../story/observations.ts";
import { crowd } from "../story/validators.ts";
import { putBetween } from "../integration/generator/staging.ts";
import { MINUTE, openStage, STARTS_AT, type Stage } from "./harness.ts";
import { EPOCH_MILLISECONDS } from "../cluster/options.ts";

describe("run", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage({ validators: 20 });
    return () => stage.close();
  });

  // A listing costs as much as a put.
  it("lists the journal before and after it observes, and not again to publish", async () => {
    const reports = await stage.play({ until: STARTS_AT + 5 * MINUTE });
    const checks = reports.filter(
      ({ command, observations }) => command === "check" && observations === 1,
    );
    expect(checks.length).toBeGreaterThan(2);
    for (const { lists } of checks) expect(lists).toBe(2);
  });

  it("writes no wallet in the burst of checks around an epoch's end, which must not wait", async () => {
    const lead = 10_000;
    const boundaryAt = STARTS_AT + EPOCH_MILLISECONDS;
    const checks: number[] = [];
    const writes: number[] = [];
    let isWatched = false;
    await stage.play({
      until: boundaryAt + 3 * MINUTE,
      cadence: { checkMilliseconds: 5 * MINUTE, snapshotMilliseconds: 20 * MINUTE },
      onReport: ({ command }, context) => {
        if (command === "check") checks.push(stage.clock.now());
        if (isWatched) return;
        isWatched = true;
        Object.assign(context.wallets ?? {}, {
          write: () => Promise.resolve(void writes.push(stage.clock.now())),
        });
      },
    });
    const isInBurst = (time: number) => time > boundaryAt - lead && time < boundaryAt;
    expect(checks.filter(isInBurst).length).toBeGreaterThan(3);
    expect(writes.filter(isInBurst)).toEqual([]);
    expect(writes.length).toBeGreaterThan(10);
  });

  it("makes the check of the minute that runs right after a snapshot that took longer than one", async () => {
    const snapshotAt = STARTS_AT + 10 * MINUTE;
    const upstream = await putBetween(stage);
    onTestFinished(() => upstream.close());
    let isSlow = true;
    upstream.setFault(({ method }) => {
      if (!isSlow || method !== "getClusterNodes" || stage.clock.now() < snapshotAt)
        return undefined;
      isSlow = false;
      // The clock jumps while the answer is awaited.
      void stage.clock.sleepUntil(snapshotAt + 65_000);
      return undefined;
    });
    const observed: string[] = [];
    await stage.play({
      until: snapshotAt + 3 * MINUTE,
      onReport: ({ command, accepted }, { projection }) => {
        const time = Date.parse(projection.ledger().acceptance.newest?.time ?? "");
        if (accepted === true)
          observed.push(`${command} ${Math.floor((time - snapshotAt) / 1000)}`);
      },
    });
    expect(observed.slice(-4)).toEqual(["check -60", "snapshot 0", "check 65", "check 120"]);
  });
});

describe("a run that stored or published nothing", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage({ validators: 20 });
    await stage.play({ until: STARTS_AT + 3 * MINUTE });
    return () => stage.close();
  });

  async function runOn(): Promise<{ report: Report; errors: string[] }> {
    const errors: string[] = [];
    const report = await run({
      ...stage.command,
      forMilliseconds: 3 * MINUTE,
      onReport: () => undefined,
      onError: (error) => void errors.push(messageOf(error)),
    });
    return { report, errors };
  }

  it("has not failed where it did both, and says of when what it published is", async () => {
    const { report } = await runOn();
    expect(report).not.toHaveProperty("failure");
    expect(report.stored).toBeGreaterThan(2);
    expect(report.published).toBeGreaterThan(2);
    const { data } = (await readPublished(stage.publicStore, "mainnet", "status"))!;
    expect(report.snapshotAt).toBe(data.snapshotAt);
  });

  it("has failed where a damaged entry held back all documents, however new its status is", async () => {
    for await (const { key } of stage.stateStore.list("checkpoints/"))
      await stage.stateStore.delete(key);
    const place = { store: stage.stateStore, network: "mainnet", series: 1 } as const;
    await damage(place, toEntryKey(place, "0000000002"), (body) => body.subarray(0, 40));
    const { report } = await runOn();
    expect(report.stored).toBeGreaterThan(2);
    expect(report).toMatchObject({ published: 0, snapshotAt: null });
    expect(report.failure).toMatch(
      /^nothing was published: 1 entry of the journal cannot be read, for example 0000000002: /,
    );
    const { data } = (await readPublished(stage.publicStore, "mainnet", "status"))!;
    expect(Date.parse(data.observedAt!)).toBeGreaterThan(stage.clock.now() - 2 * MINUTE);
  });

  it("has failed where the public store refused everything", async () => {
    const folder = new URL(`${stage.command.settings.publicStore}/`.replace("file:", "file://"));
    await rename(new URL("api", folder), new URL("away", folder));
    await writeFile(new URL("api", folder), "");
    const { report, errors } = await runOn();
    expect(report.failure).toBe(`nothing was published: ${errors.at(-1)}`);
    expect(report.failure).toContain("an object lies where this key needs a directory");
  });

  it("has failed where every observation was refused at the door", async () => {
    const upstream = await putBetween(stage);
    onTestFinished(() => upstream.close());
    upstream.setFault(() => new RpcFailure(-32_005, "Node is behind by 200 slots"));
    const { report } = await runOn();
    expect(report).toMatchObject({ stored: 0, accepted: false });
    expect(report.failure).toMatch(/^nothing was stored: .*Node is behind by 200 slots/);
  });
});

describe("the boundary after the newest accepted reading", () => {
  it("is not known before slot time was measured between two snapshots", () => {
    expect(findBoundary(createLedger("mainnet"))).toBeNull();
    expect(findBoundary(foldStory(snapshot(0, crowd(3)), check(1, crowd(3))).ledger)).toBeNull();
  });

  it("is reckoned from it by measured slot time", () => {
    const { ledger } = foldStory(
      snapshot(0, crowd(3)),
      snapshot(10, crowd(3)),
      check(11, crowd(3)),
    );
    const end = Date.parse(timeAt(SLOTS_IN_EPOCH / SLOTS_A_MINUTE));
    expect(findBoundary(ledger)).toEqual({ epoch: FIRST_EPOCH, at: end });
  });

  it("is the one just passed while votes are still of slots before it", () => {
    const minute = SLOTS_IN_EPOCH / SLOTS_A_MINUTE;
    const past = [snapshot(minute - 20, crowd(3)), snapshot(minute - 10, crowd(3))];
    const boundary = FIRST_EPOCH * SLOTS_IN_EPOCH + SLOTS_IN_EPOCH;
    const before = foldStory(
      ...past,
      check(minute + 0.02, crowd(3), { slot: boundary - 1 }),
    ).ledger;
    expect(findBoundary(before)).toEqual({ epoch: FIRST_EPOCH, at: Date.parse(timeAt(minute)) });
    const after = foldStory(...past, check(minute + 0.02, crowd(3), { slot: boundary })).ledger;
    expect(findBoundary(after)).toEqual({
      epoch: FIRST_EPOCH + 1,
      at: Date.parse(timeAt(2 * minute)),
    });
  });
});
