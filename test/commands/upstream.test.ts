import { afterEach, describe, expect, it } from "vitest";
import type { StatusSource } from "../../generator/ledger/ledger.ts";
import { RpcFailure } from "../observe/rpc-server.ts";
import { expectTrueEvents, suffer, type Look, type Suffering, type SufferingOptions } from "./suffering.ts";
import type { Change, Fault, HttpFault } from "./upstream.ts";

/*
 * Each row of the table of what goes wrong upstream (design §5), as one run of the whole generator over a story: what is
 * refused or degraded, that nothing false is known meanwhile, and that the next good answer recovers.
 */

interface VoteRow {
  votePubkey: string;
  activatedStake: number | bigint;
  lastVote: number;
  commission?: number;
  inflationRewardsCommissionBps?: number;
}
type Votes = Record<"current" | "delinquent", VoteRow[]>;

describe("one endpoint of two that fails", { timeout: 60_000 }, () => {
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

  it("by refusing a method is not asked for it again that day", async () => {
    const fault = onFirst("getVoteAccounts", new RpcFailure(-32_601, "Method not found"));
    const story = await play({ fault, minutes: 10 });
    expect(story.asked.filter(isAsking("first", "getVoteAccounts"))).toHaveLength(1);
  });
});

describe("endpoints that fail all of them", { timeout: 60_000 }, () => {
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
    const story = await play({ fault: onBoth("getVoteAccounts", keepRows(0.5)), minutes: 14, heals: 1 });
    const verdicts = story.during.map(({ report }) => report.accepted);
    expect(verdicts.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => false));
    expect(verdicts.at(-1)).toBe(true);
    expect(story.during.at(-1)?.report.rejected).toEqual([]);
  });

  it("that go back in slots for over ten minutes are a cluster that restarted: the series goes on", async () => {
    const story = await play({ fault: onBoth("*", lagging(3000)), minutes: 14, heals: 1 });
    expect(story.during.slice(0, 9).map(({ report }) => report.accepted)).not.toContain(true);
    expect(story.during.at(-1)?.report.accepted).toBe(true);
  });
});

describe("answers that are wrong in one thing", { timeout: 60_000 }, () => {
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

  it("with a rug of everybody are held, and dropped by the next true answer", async () => {
    const story = await play({ fault: onBoth("getVoteAccounts", rugOf(100)), minutes: 1 });
    expect(story.during.at(-1)?.pending).toBeGreaterThan(20);
    expect(story.after.at(-1)?.pending).toBe(0);
    await expectTrueEvents(story);
  });
});

describe("a side source that fails", { timeout: 60_000 }, () => {
  const gone = new RpcFailure(-32_601, "Method not found");
  it.each<[StatusSource, Fault]>([
    ["nodes", onBoth("getClusterNodes", gone)],
    ["info", onBoth("getProgramAccounts Config1111111111111111111111111111111111111", gone)],
    ["production", onBoth("getBlockProduction", gone)],
    ["stakeAccounts", stakesRefused(gone)],
    ["mev", mevDown()],
  ])("(%s) is degraded, keeps its facts, and recovers", async (source, fault) => {
    const story = await play({ fault, minutes: 11 });
    expect(story.before.at(-1)?.sources[source].state).toBe("ok");
    const { state, reason } = story.during.at(-1)?.sources[source] ?? {};
    expect(state).toBe("degraded");
    expect(reason).not.toBe("");
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

function isAsking(side: string, way: string) {
  return (asked: { side: string; method: string; params: unknown[] }) =>
    asked.side === side &&
    (way === "*" || way === asked.method || way === `${asked.method} ${String(asked.params[0])}`);
}

function onFirst(way: string, answer: ReturnType<Fault>): Fault {
  return (asked) => (isAsking("first", way)(asked) ? answer : undefined);
}

function onBoth(way: string, answer: ReturnType<Fault>): Fault {
  return (asked) => (isAsking("first", way)(asked) || isAsking("second", way)(asked) ? answer : undefined);
}

function toHttp(status: number, body: string, headers: Record<string, string> = {}): HttpFault {
  return { status, headers, body };
}

function toResult(result: unknown): Change {
  return () => result;
}

function behindBy(slots: number): Change {
  return (info: { absoluteSlot: number; slotIndex: number }) => ({
    ...info,
    absoluteSlot: info.absoluteSlot - slots,
    slotIndex: info.slotIndex - slots,
  });
}

function olderVotes(slots: number): Change {
  return (votes: Votes) => mapRows(votes, (row) => ({ ...row, lastVote: row.lastVote - slots }));
}

/** Every answer as of so many slots ago. */
function lagging(slots: number): Change {
  return (result: unknown) => {
    if (typeof result !== "object" || result === null) return result;
    if ("absoluteSlot" in result) return behindBy(slots)(result as never);
    return "current" in result ? olderVotes(slots)(result as never) : result;
  };
}

function stuck(): Fault {
  const first = new Map<string, unknown>();
  return ({ side, method, params }) => {
    if (side === "mev") return undefined;
    const question = JSON.stringify([method, params]);
    return (result: never) => {
      if (!first.has(question)) first.set(question, result);
      return first.get(question);
    };
  };
}

function epochChanging(): Fault {
  let before: string | null = null;
  return ({ method }) => {
    const isAfter = before === "getVoteAccounts" && method === "getEpochInfo";
    if (method === "getVoteAccounts" || method === "getHealth") before = method;
    return isAfter ? (info: { epoch: number }) => ({ ...info, epoch: info.epoch + 1, slotIndex: 0 }) : undefined;
  };
}

function mapRows(votes: Votes, map: (row: VoteRow) => VoteRow): Votes {
  return { current: votes.current.map(map), delinquent: votes.delinquent.map(map) };
}

function keepRows(share: number): Change {
  return ({ current, delinquent }: Votes) => ({
    current: current.slice(0, Math.floor(current.length * share)),
    delinquent,
  });
}

const halveStake: Change = (votes: Votes) =>
  mapRows(votes, (row) => ({ ...row, activatedStake: BigInt(row.activatedStake) / 2n }));

const withoutCommissions: Change = (votes: Votes) => mapRows(votes, (row) => withoutBasisPointsOf(withoutPercent(row)));

const withoutBasisPoints: Change = (votes: Votes) => mapRows(votes, withoutBasisPointsOf);

function withoutPercent(row: VoteRow): VoteRow {
  const left = { ...row };
  delete left.commission;
  return left;
}

function withoutBasisPointsOf(row: VoteRow): VoteRow {
  const left = { ...row };
  delete left.inflationRewardsCommissionBps;
  return left;
}

const allDelinquent: Change = ({ current, delinquent }: Votes) => ({
  current: [],
  delinquent: [...current, ...delinquent],
});

/** Shows so many validators, of those with the least to hide, at 100 %. */
function rugOf(validators: number): Change {
  return ({ current, delinquent }: Votes) => ({
    current: current
      .toSorted((a, b) => (a.votePubkey < b.votePubkey ? -1 : 1))
      .map((row, index) =>
        index < validators ? { ...row, commission: 100, inflationRewardsCommissionBps: 10_000 } : row,
      ),
    delinquent,
  });
}

function stakesRefused(failure: RpcFailure): Fault {
  const scan = isAsking("first", "getProgramAccounts Stake11111111111111111111111111111111111111");
  return (asked) =>
    scan({ ...asked, side: "first" }) || asked.method === "getProgramAccountsV2" ? failure : undefined;
}

function mevDown(): Fault {
  return ({ side }) => (side === "mev" ? toHttp(500, '{"validators":[]}', { "retry-after": "0" }) : undefined);
}
