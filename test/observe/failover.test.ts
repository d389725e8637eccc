import { describe, expect, it } from "vitest";
import { withFailover } from "../../generator/rpc/retry.ts";
import { RpcError } from "../../generator/rpc/error.ts";
import type { SnapshotRequest } from "../../generator/observe/snapshot.ts";
import { EPOCH, EPOCH_INFO, GENESIS, healthyNode, SLOT } from "./cluster.ts";
import { createClock, key } from "./fixtures.ts";
import { entryOf, fails, observe, observeHanging, reasonOf, servers } from "./observing.ts";
import { startServer, toExactJson, type Methods, type TestServer } from "../rpc/rpc-server.ts";

const WHOLE: SnapshotRequest = { expected: [], scanStakeAccounts: () => true, closedMev: () => null };

const methodsAsked = (node: TestServer | undefined) => node?.asked.map(({ body }) => body?.method) ?? [];
const countAsked = (node: TestServer | undefined, method: string) =>
  methodsAsked(node).filter((one) => one === method).length;

/** Answers of which each call takes the next, and all later ones the last. */
function inTurn(...answers: unknown[]) {
  let count = 0;
  return (params: unknown[]) => {
    const answer = answers[Math.min(count++, answers.length - 1)];
    return typeof answer === "function" ? (answer as (params: unknown[]) => unknown)(params) : answer;
  };
}

describe("fail-over", () => {
  it("tells the task how many are left, and tells what each said", async () => {
    const left: number[] = [];
    const asked = withFailover(["a", "b", "c"], (name, rest) => {
      left.push(rest);
      return Promise.reject(new RpcError({ kind: name === "c" ? "limited" : "network", message: `${name} failed` }));
    });
    await expect(asked).rejects.toMatchObject({ kind: "limited", message: "a failed; b failed; c failed" });
    expect(left).toEqual([3, 2, 1]);
  });

  it("ends at once with a bug", async () => {
    const error = new TypeError("a bug");
    let count = 0;
    const asked = withFailover(["a", "b"], () => {
      count++;
      return Promise.reject(error);
    });
    await expect(asked).rejects.toBe(error);
    expect(count).toBe(1);
  });

  it("has something to say when there is nobody to ask", async () => {
    await expect(withFailover([], () => Promise.resolve(1))).rejects.toMatchObject({ message: "no endpoint to ask" });
  });
});

describe("an endpoint that takes requests and never answers", () => {
  const hangsAt = (position: number, method: string) => ({
    hangs: (at: number, asked: string) => at === position && asked === method,
  });

  it("leaves a check time to turn to the next", async () => {
    const { observer, nodes } = await observeHanging([{}, {}], hangsAt(0, "getVoteAccounts"));
    expect(entryOf(await observer.check()).endpoint).toBe(`${nodes[1]?.url ?? ""}#1`);
  });

  it("costs a snapshot the section it was asked for, and no more", async () => {
    const { observer } = await observeHanging([{}], hangsAt(0, "getClusterNodes"));
    const entry = entryOf(await observer.snapshot(WHOLE));
    expect(entry.nodes).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("no answer in time") as string,
    });
    expect(entry.production.state).toBe("ok");
  });

  it("leaves a snapshot time to go on without knowing who is absent", async () => {
    const { observer } = await observeHanging([{}], hangsAt(0, "getMultipleAccounts"));
    const entry = entryOf(await observer.snapshot({ ...WHOLE, expected: [key(4)] }));
    expect(entry.absent).toEqual([]);
    expect(entry.production.state).toBe("ok");
  });

  it("leaves a side source time to turn to the next", async () => {
    const { observer } = await observeHanging([{}, {}], hangsAt(0, "getClusterNodes"));
    expect(entryOf(await observer.snapshot(WHOLE)).nodes.state).toBe("ok");
  });
});

describe("a snapshot", () => {
  const scans = (node: TestServer | undefined) =>
    node?.asked.filter(({ body }) => String(body?.params?.[0]).startsWith("Stake")).length;

  it("asks nothing costly of an endpoint whose vote accounts fail", async () => {
    const { observer, nodes } = await observe([{ getVoteAccounts: fails(-32_000, "oops") }, {}]);
    expect(entryOf(await observer.snapshot(WHOLE)).endpoint).toBe(`${nodes[1]?.url ?? ""}#1`);
    expect(scans(nodes[0])).toBe(0);
    expect(methodsAsked(nodes[0])).not.toContain("getClusterNodes");
  });

  it("asks nothing costly when the epoch ends while the vote accounts are read", async () => {
    const next = { ...EPOCH_INFO, epoch: EPOCH + 1, slotIndex: 0 };
    const { observer, nodes } = await observe([{ getEpochInfo: inTurn(EPOCH_INFO, next) }]);
    expect(reasonOf(await observer.snapshot(WHOLE))).toContain("the epoch changed");
    expect(scans(nodes[0])).toBe(0);
  });

  it("is not begun again when its last check fails and another endpoint can make it", async () => {
    const getEpochInfo = inTurn(EPOCH_INFO, EPOCH_INFO, fails(-32_000, "oops"));
    const { observer, nodes } = await observe([{ getEpochInfo }, {}]);
    expect(entryOf(await observer.snapshot(WHOLE)).endpoint).toBe(`${nodes[0]?.url ?? ""}#0`);
    expect([scans(nodes[0]), scans(nodes[1])]).toEqual([1, 0]);
  });

  it("is refused when nobody can make its last check 5,000 slots before the end of the epoch, and not begun again", async () => {
    const late = { ...EPOCH_INFO, slotIndex: 427_000 };
    const { observer, nodes } = await observe([{ getEpochInfo: inTurn(late, late, fails(-32_000, "oops")) }]);
    expect(reasonOf(await observer.snapshot(WHOLE))).toContain("#0 getEpochInfo: error -32000: oops");
    expect(scans(nodes[0])).toBe(1);
  });

  it("needs no last check before, so that an endpoint that a scan was too much for costs the scan alone", async () => {
    const early = { ...EPOCH_INFO, slotIndex: 426_999 };
    const methods: Methods = { ...healthyNode(), getEpochInfo: early };
    const server = await startServer(({ body }, response) => {
      const isScan = String(body?.params?.[0]).startsWith("Stake");
      if (isScan) return void response.writeHead(429, { "retry-after": "600" }).end();
      const answer = methods[body?.method ?? ""];
      const result: unknown =
        typeof answer === "function" ? (answer as (params?: unknown[]) => unknown)(body?.params) : answer;
      response.end(toExactJson({ jsonrpc: "2.0", id: 1, result }));
    });
    servers.push(server);
    const { observer } = await observe([], { endpoints: [server.url] });
    expect(entryOf(await observer.snapshot(WHOLE)).stakeAccounts.state).toBe("failed");
  });

  it("near the end of the epoch is vouched for by no other endpoint than its own", async () => {
    const late = { ...EPOCH_INFO, slotIndex: 431_900 };
    const getEpochInfo = inTurn(late, late, fails(-32_000, "oops"));
    const { observer } = await observe([{ getEpochInfo }, { getEpochInfo: late }]);
    expect(reasonOf(await observer.snapshot(WHOLE))).toContain("#0 getEpochInfo");
  });

  it("is refused when another endpoint, which a side source may come from, passed the end of the epoch", async () => {
    const next = { ...EPOCH_INFO, epoch: EPOCH + 1, slotIndex: 3 };
    const { observer } = await observe([{}, { getEpochInfo: inTurn(EPOCH_INFO, next) }]);
    expect(reasonOf(await observer.snapshot(WHOLE))).toMatch(/#1: the epoch changed from 1053 to 1054/);
  });

  it("takes no side source from an endpoint that is behind", async () => {
    const behind = { ...EPOCH_INFO, absoluteSlot: SLOT - 151 };
    const { observer, nodes } = await observe([{ getClusterNodes: fails(-32_601, "no") }, { getEpochInfo: behind }]);
    expect(entryOf(await observer.snapshot(WHOLE)).nodes.state).toBe("failed");
    expect(methodsAsked(nodes[1])).not.toContain("getClusterNodes");
  });

  it("takes no side source from an endpoint that began in another epoch", async () => {
    const next = { ...EPOCH_INFO, epoch: EPOCH + 1, slotIndex: 3, absoluteSlot: SLOT + 5 };
    const { observer } = await observe([{ getClusterNodes: fails(-32_601, "no") }, { getEpochInfo: next }]);
    const entry = entryOf(await observer.snapshot(WHOLE));
    expect(entry.epoch).toBe(EPOCH);
    expect(entry.nodes.state).toBe("failed");
  });
});

describe("from one observation to the next", () => {
  it("the cluster behind every endpoint is looked at anew", async () => {
    const { observer } = await observe([{ getGenesisHash: inTurn(GENESIS, key(78)) }, {}]);
    expect(entryOf(await observer.check()).endpoint).toContain("#0");
    expect(entryOf(await observer.check()).endpoint).toContain("#1");
  });

  it("what an endpoint refused is not asked again, and what it did not refuse is", async () => {
    const refusal = fails(-32_010, "excluded from account secondary indexes");
    const getProgramAccounts = ([program]: [string]) => (program.startsWith("Stake") ? refusal() : []);
    const { observer, nodes } = await observe([{ getProgramAccounts, getProgramAccountsV2: refusal }]);
    expect(entryOf(await observer.snapshot(WHOLE)).stakeAccounts.state).toBe("failed");
    const asked = countAsked(nodes[0], "getProgramAccounts");
    const again = entryOf(await observer.snapshot(WHOLE));
    expect(again.stakeAccounts).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("refused earlier") as string,
    });
    expect(again.info.state).toBe("ok");
    expect(countAsked(nodes[0], "getProgramAccounts")).toBe(asked + 1);
  });

  /** A healthy node that answers its first requests with a status. */
  async function startRefusing(count: number, status: number, headers: Record<string, string> = {}) {
    const methods: Methods = healthyNode();
    let left = count;
    const server = await startServer(({ body }, response) => {
      if (left-- > 0) return void response.writeHead(status, headers).end();
      response.end(toExactJson({ jsonrpc: "2.0", id: 1, result: methods[body?.method ?? ""] }));
    });
    servers.push(server);
    return server;
  }

  it.each<[string, number, Record<string, string>, number]>([
    ["wants to be left alone", 429, { "retry-after": "45" }, 45_000],
    ["shuts us out", 403, {}, 15 * 60_000],
  ])(
    "an endpoint that %s is left alone, and used again when that is over",
    async (_, status, headers, milliseconds) => {
      const limited = await startRefusing(3, status, headers);
      const { nodes } = await observe([{}]);
      const clock = createClock();
      const { observer } = await observe([], {
        endpoints: [limited.url, nodes[0]?.url ?? ""],
        timer: clock.now,
        sleep: clock.sleep,
      });
      expect(entryOf(await observer.check()).endpoint).toContain("#1");
      clock.advance(milliseconds - 10_000);
      expect(entryOf(await observer.check()).endpoint).toContain("#1");
      expect(limited.asked).toHaveLength(3);
      expect(clock.slept).toEqual([]);
      clock.advance(10_000);
      expect(entryOf(await observer.check()).endpoint).toContain("#0");
    },
  );

  it.each([500, 429])("the only endpoint there is is not lost by a %d that asks for an hour", async (status) => {
    const limited = await startRefusing(1, status, { "retry-after": "3600" });
    const clock = createClock();
    const { observer } = await observe([], { endpoints: [limited.url], timer: clock.now, sleep: clock.sleep });
    await observer.check();
    clock.advance(60_000);
    expect(entryOf(await observer.check()).endpoint).toContain("#0");
  });

  it("the only endpoint there is is waited for, as long as the check may take", async () => {
    const limited = await startRefusing(1, 429, { "retry-after": "20" });
    const clock = createClock();
    const { observer } = await observe([], { endpoints: [limited.url], timer: clock.now, sleep: clock.sleep });
    expect(entryOf(await observer.check()).endpoint).toContain("#0");
    expect(clock.now() - createClock().now()).toBeGreaterThanOrEqual(20_000);
  });
});
