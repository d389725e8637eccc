import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { check, snapshot } from "../../../generator/service/observing.ts";
import { publish } from "../../../generator/service/publishing.ts";
import { readDocument } from "../../service/documents.ts";
import { MINUTE, openStage, STARTS_AT, type Stage } from "../../service/harness.ts";
import type { Fault, Upstream } from "../../service/upstream.ts";
import { putBetween } from "./staging.ts";

const SEEN_AT = STARTS_AT + 10 * MINUTE;

describe("the status of a cluster", () => {
  let stage: Stage;
  let upstream: Upstream;

  beforeEach(async () => {
    stage = await openStage();
    upstream = await putBetween(stage);
    await stage.clock.sleepUntil(SEEN_AT);
    await snapshot(stage.command);
  });

  afterEach(() => Promise.all([upstream.close(), stage.close()]));

  it("says which side sources fail, while their facts stay, and when they answer again", async () => {
    // Each snapshot asks all of them.
    stage.command.settings = { ...stage.command.settings, stakeScanMinutes: 0 };
    const known = await readFacts(stage);
    upstream.setFault((asked) => (OF_SIDES.test(asked.method) ? gone(asked) : undefined));
    await expectSides("degraded", MINUTE);
    expect(await readFacts(stage)).toEqual(known);
    upstream.setFault(undefined);
    await expectSides("ok", 2 * MINUTE);
  });

  it.each([
    ["a check that reached no endpoint", check, gone, /status 404/, "http_404"],
    ["a snapshot that reached no endpoint", snapshot, gone, /status 404/, "http_404"],
    ["a check with a list that is not believed", check, halved, /under 80 %/, "failed"],
  ])(
    "says so after %s, and since when, until the next good answer",
    async (_, command, fault, reason, code) => {
      upstream.setFault(fault);
      await stage.clock.sleepUntil(SEEN_AT + MINUTE);
      const report = await command(stage.command);
      expect(report.accepted).toBe(false);
      expect(report.rejected[0]?.reason).toMatch(reason);
      const lastSuccessAt = new Date(SEEN_AT).toISOString();
      expect(await readVotes(stage)).toMatchObject({
        state: "degraded",
        lastSuccessAt,
        reason: code,
      });
      upstream.setFault(undefined);
      await stage.clock.sleepUntil(SEEN_AT + 2 * MINUTE);
      expect((await check(stage.command)).accepted).toBe(true);
      const again = {
        name: "votes",
        state: "ok",
        lastSuccessAt: new Date(SEEN_AT + 2 * MINUTE).toISOString(),
      };
      expect(await readVotes(stage)).toEqual({ ...again, reason: null });
    },
  );

  async function expectSides(state: string, later: number): Promise<void> {
    await stage.clock.sleepUntil(SEEN_AT + later);
    expect((await snapshot(stage.command)).accepted).toBe(true);
    const { data } = await readDocument(stage, "status", {});
    const sides = data.sources.filter(({ name }) => SIDES.includes(name));
    expect(sides.map((side) => side.state)).toEqual(SIDES.map(() => state));
  }

  it.each([
    ["while another generator has just observed it", check, 29_000],
    ["after a command that observes nothing", publish, MINUTE],
  ])("is well %s", async (_, command, later) => {
    upstream.setFault(gone);
    await stage.clock.sleepUntil(SEEN_AT + later);
    expect((await command(stage.command)).accepted).not.toBe(true);
    expect(await readVotes(stage)).toMatchObject({ state: "ok", reason: null });
  });
});

/** No JSON-RPC any more: not retried, so reported at once. */
const gone: Fault = () => ({ status: 404, body: "Not Found" });

const halved: Fault = ({ method }) => {
  if (method !== "getVoteAccounts") return undefined;
  return ({ current }: { current: unknown[] }) => ({
    current: current.slice(current.length / 2),
    delinquent: [],
  });
};

const SIDES = ["nodes", "locations", "info", "production", "stakeAccounts", "mev"];
const OF_SIDES = /^(?:GET|getClusterNodes|getBlockProduction|getProgramAccounts.*)$/;

async function readFacts(stage: Stage) {
  const { data } = await readDocument(stage, "validators", {});
  return data.map((one) => [
    one.name,
    one.version,
    one.location,
    one.stakeAccountCount,
    one.mevVendorEnabled,
  ]);
}

async function readVotes(stage: Stage) {
  const { data } = await readDocument(stage, "status", {});
  return data.sources.find(({ name }) => name === "votes");
}
