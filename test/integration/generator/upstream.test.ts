import { afterEach, describe, expect, it } from "vitest";
import type { StatusSource } from "../../../generator/ledger/ledger.ts";
import { RpcFailure } from "../../rpc/rpc-server.ts";
import {
  allDelinquent,
  behindBy,
  epochChanging,
  halveStake,
  isAsking,
  keepRows,
  lagging,
  mevDown,
  olderVotes,
  onBoth,
  onFirst,
  rugOf,
  stakesRefused,
  stuck,
  toHttp,
  toResult,
  withoutBasisPoints,
  withoutCommissions,
} from "./faults.ts";
import { expectTrueEvents, suffer, type Look, type Suffering, type SufferingOptions } from "./suffering.ts";
import type { Fault, HttpFault } from "../../service/upstream.ts";

/*
 * Each row of the table of what goes wrong upstream, as one run of the whole generator over a story: what is
 * refused or degraded, that nothing false is known meanwhile, and that the next good answer recovers.
 */

describe("one endpoint of two that fails", () => {
  it.each<[string, Fault]>([
    ["is of another cluster", onFirst("getGenesisHash", toResult("EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"))],
    ["says that it is behind", onFirst("getHealth", new RpcFailure(-32_005, "Node is behind by 4000 slots"))],
    ["is 151 slots under the other", onFirst("getEpochInfo", behindBy(151))],
    ["answers from an old bank", onFirst("getVoteAccounts", olderVotes(400))],
    ["has no vote account", onFirst("getVoteAccounts", toResult({ current: [], delinquent: [] }))],
    ["answers in another shape", onFirst("getVoteAccounts", toResult({ validators: [] }))],
    ["does not offer the method", onFirst("getVoteAccounts", new RpcFailure(-32_601, "Method not found"))],
    ["asks to come back later", onFirst("getVoteAccounts", toHttp(429, "slow down", { "retry-after": "3600" }))],
    ["is forbidden", onFirst("getVoteAccounts", toHttp(403, "blocked"))],
  ])("because it %s is passed over, and nothing is missed", async (_, fault) => {
    const story = await play({ fault, minutes: 10 });
    expect(reasonsOf(story.during)).toEqual([]);
    expect(story.during.every(({ report }) => report.accepted)).toBe(true);
    await expectTrueEvents(story);
  });

  it.each<[string, HttpFault]>([
    ["fails inside", toHttp(500, "Internal Server Error", { "retry-after": "0" })],
    ["answers HTML", toHttp(200, "<!doctype html><title>Checking your browser</title>")],
    ["cuts its answer", { ...toHttp(200, `{"jsonrpc":"2.0","result":{"current":[`), cutAfter: 20 }],
  ])("because it %s is tried again, then passed over", async (_, answer) => {
    const story = await play({ fault: onFirst("getVoteAccounts", answer), minutes: 2 });
    expect(reasonsOf(story.during)).toEqual([]);
    expect(story.asked.filter(isAsking("first", "getVoteAccounts")).length).toBeGreaterThan(story.during.length);
    await expectTrueEvents(story);
  });

  it("by refusing a method is not asked for it again with each observation", async () => {
    const fault = onFirst("getVoteAccounts", new RpcFailure(-32_601, "Method not found"));
    const story = await play({ fault, minutes: 10 });
    expect(story.asked.filter(isAsking("first", "getVoteAccounts"))).toHaveLength(1);
  });
});

describe("endpoints that fail all of them", () => {
  it.each<[string, Fault, RegExp]>([
    [
      "of another cluster",
      onBoth("getGenesisHash", toResult("EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG")),
      /genesis hash is EtWTRABZ/,
    ],
    ["behind by their own word", onBoth("getHealth", new RpcFailure(-32_005, "Node is behind")), /Node is behind/],
    ["with an epoch that changes meanwhile", epochChanging(), /the epoch changed from 1060 to 1061/],
    ["stuck at a slot", stuck(), /is not above \d+, the last accepted one/],
    ["lagging behind what was seen", onBoth("*", lagging(3000)), /is not above \d+, the last accepted one/],
    ["with a list cut to a half", onBoth("getVoteAccounts", keepRows(0.5)), /vote accounts are under 80 % of/],
    ["with half of the stake", onBoth("getVoteAccounts", halveStake), /lamports of stake are under 80 % of/],
    ["without any commission", onBoth("getVoteAccounts", withoutCommissions), /had one is unreadable/],
    [
      "that refuse the list",
      onBoth("getVoteAccounts", new RpcFailure(-32_601, "no such method")),
      /no such method|refused earlier/,
    ],
  ])("%s are refused; what was known stays; the next good answer recovers", async (_, fault, reason) => {
    const story = await play({ fault, minutes: 8 });
    const refused = story.during.filter(({ report }) => !report.accepted);
    // One that is stuck has yet to be seen at its slot; of one that lags the first is not behind what was seen before.
    expect(refused.length).toBeGreaterThanOrEqual(story.during.length - 1);
    for (const { report } of refused) expect(report.rejected.map((one) => one.reason).join("; ")).toMatch(reason);
    expect(new Set(story.during.map(({ listed }) => listed))).toEqual(new Set([story.before.at(-1)?.listed]));
    expect(story.after[0]?.report.accepted).toBe(true);
    await expectTrueEvents(story);
  });

  it("with a smaller list for over ten minutes make it the reference", async () => {
    const story = await play({ fault: onBoth("getVoteAccounts", keepRows(0.5)), minutes: 14 });
    expectOutlasted(story.during);
    expect(story.after.every(({ report }) => report.accepted)).toBe(true);
    // Who has an account and no row has not left: only the rows are fewer.
    expect(new Set(story.during.map(({ listed }) => listed))).toEqual(new Set([story.before.at(-1)?.listed]));
    await expectTrueEvents(story);
  });

  it("that go back in slots for over ten minutes are a cluster that restarted: the series goes on", async () => {
    // 105 minutes: no snapshot is left that slots are timed by, or the end of it, where they leap, would be doubted as well.
    const story = await play({ fault: onBoth("*", lagging(31_500)), from: 140, minutes: 14 });
    expectOutlasted(story.during);
    expect(story.after.every(({ report }) => report.accepted)).toBe(true);
    await expectTrueEvents(story, { ofTheirEpochs: false });
  });
});

describe("answers that are wrong in one thing", () => {
  it("with everybody delinquent are an incident of the cluster, not of its validators", async () => {
    const story = await play({ fault: onBoth("getVoteAccounts", allDelinquent), minutes: 8 });
    const atMost = Math.max(...story.before.map(({ delinquent }) => delinquent));
    for (const { delinquent, report } of story.during) {
      expect(report.accepted).toBe(true);
      expect(delinquent).toBeLessThanOrEqual(atMost);
    }
    await expectTrueEvents(story);
  });

  it("with a percent only, of a node that knows no basis points, change nothing", async () => {
    const story = await play({ fault: onBoth("getVoteAccounts", withoutBasisPoints), minutes: 8 });
    expect(reasonsOf(story.during)).toEqual([]);
    expect(story.during.at(-1)?.dropped).toBe(story.before.at(-1)?.dropped);
    await expectTrueEvents(story);
  });

  it("with a rug that the vote account does not confirm are dropped and counted", async () => {
    const story = await play({ fault: onFirst("getVoteAccounts", rugOf(1)), minutes: 3 });
    const dropped = (looks: Look[]) => looks.at(-1)?.dropped ?? 0;
    expect(dropped(story.during)).toBe(dropped(story.before) + story.during.length);
    expect(story.during.at(-1)?.pending).toBe(0);
    await expectTrueEvents(story);
  });

  it("with a rug of everybody are denied by the vote accounts, however long they go on", async () => {
    const story = await play({ fault: onFirst("getVoteAccounts", rugOf(100)), minutes: 6 });
    expect(story.during.at(-1)?.dropped).toBeGreaterThan((story.before.at(-1)?.dropped ?? 0) + 6 * 20);
    expect(story.during.at(-1)?.pending).toBe(0);
    await expectTrueEvents(story);
  });

  it("with a rug of everybody, where no account can be read, are held, and dropped by the next true answer", async () => {
    const lie = onBoth("getVoteAccounts", rugOf(100));
    const noAccounts = onBoth("getMultipleAccounts", new RpcFailure(-32_601, "Method not found"));
    const story = await play({ fault: (asked) => lie(asked) ?? noAccounts(asked), minutes: 1 });
    expect(story.during.at(-1)?.pending).toBeGreaterThan(20);
    expect(story.after.at(-1)?.pending).toBe(0);
    await expectTrueEvents(story);
  });
});

describe("a side source that fails", () => {
  const gone = new RpcFailure(-32_601, "Method not found");
  it.each<[StatusSource, Fault]>([
    ["nodes", onBoth("getClusterNodes", gone)],
    ["locations", onBoth("getClusterNodes", gone)],
    ["info", onBoth("getProgramAccounts Config1111111111111111111111111111111111111", gone)],
    ["production", onBoth("getBlockProduction", gone)],
    ["stakeAccounts", stakesRefused(gone)],
    ["mev", mevDown()],
  ])("(%s) is degraded, keeps its facts, and recovers", async (source, fault) => {
    const story = await play({ fault, from: 15, minutes: 11 });
    expect(story.before.at(-1)?.sources[source].state).toBe("ok");
    const { state, reason } = story.during.at(-1)?.sources[source] ?? {};
    expect(state).toBe("degraded");
    expect(reason).not.toBe("");
    const known = story.before.at(-1)?.known[source] ?? 0;
    expect(known).toBeGreaterThan(0);
    for (const look of story.during) expect(look.known[source]).toBeGreaterThanOrEqual(known);
    expect(story.during.every(({ report }) => report.accepted)).toBe(true);
    expect(story.after.at(-1)?.sources[source].state).toBe("ok");
    await expectTrueEvents(story);
  });
});

const closing: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

async function play(options: SufferingOptions): Promise<Suffering> {
  const story = await suffer(options);
  closing.push(story.close);
  return story;
}

function reasonsOf(looks: Look[]): string[] {
  return looks.flatMap(({ report }) => report.rejected.map(({ reason }) => reason));
}

/** Refused for ten minutes, and believed from then on. */
function expectOutlasted(looks: Look[]): void {
  const [start = 0] = looks.map(({ minute }) => minute);
  for (const { minute, report } of looks) expect([minute, report.accepted]).toEqual([minute, minute - start >= 10]);
}
