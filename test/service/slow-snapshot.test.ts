import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINUTE, openStage, STARTS_AT, type Stage } from "./harness.ts";
import { startUpstream } from "./upstream.ts";

const SNAPSHOT_AT = STARTS_AT + 10 * MINUTE;
const TAKES = 65_000;

describe("a snapshot that takes longer than a minute", () => {
  let stage: Stage;
  const observed: { kind: string; second: number }[] = [];
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    stage = await openStage();
    const { settings } = stage.command;
    const [, rpcUrl = ""] = settings.rpcUrls.mainnet;
    const upstream = await startUpstream({ rpcUrl, mevUrl: settings.mevUrls.mainnet ?? "" });
    closing.push(
      () => upstream.close(),
      () => stage.close(),
    );
    stage.command.settings = { ...settings, rpcUrls: { ...settings.rpcUrls, mainnet: upstream.rpcUrls } };
    let isSlow = true;
    upstream.setFault(({ method }) => {
      if (!isSlow || method !== "getClusterNodes" || stage.clock.now() < SNAPSHOT_AT) return undefined;
      isSlow = false;
      // The story's clock jumps ahead while the answer is awaited.
      void stage.clock.sleepUntil(SNAPSHOT_AT + TAKES);
      return undefined;
    });
    await stage.play({
      until: SNAPSHOT_AT + 3 * MINUTE,
      onReport: ({ command, accepted }, { projection }) => {
        const time = Date.parse(projection.ledger().acceptance.newest?.time ?? "");
        if (accepted === true) observed.push({ kind: command, second: Math.floor((time - SNAPSHOT_AT) / 1000) });
      },
    });
  });
  afterAll(() => Promise.all(closing.map((close) => close())));

  it("is followed at once by the check of the minute that runs, so that no change waits for another", () => {
    expect(observed.slice(-4)).toEqual([
      { kind: "check", second: -60 },
      { kind: "snapshot", second: 0 },
      { kind: "check", second: 65 },
      { kind: "check", second: 120 },
    ]);
  });
});
