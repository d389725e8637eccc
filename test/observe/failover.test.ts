import { describe, expect, it } from "vitest";
import { RpcError } from "../../generator/rpc/error.ts";
import { withFailover } from "../../generator/rpc/retry.ts";
import { INSTEAD, type Methods, type TestServer } from "../rpc/rpc-server.ts";
import { EPOCH, EPOCH_INFO, GENESIS, SLOT } from "./cluster.ts";
import { key } from "./fixtures.ts";
import { entryOf, failed, fails, inTurn, observe, observeHanging, WHOLE } from "./observing.ts";

const NEXT = { ...EPOCH_INFO, epoch: EPOCH + 1, slotIndex: 3 };
const OOPS = fails(-32_000, "oops");

const methodsAsked = (node: TestServer | undefined) =>
  node?.asked.map(({ body }) => body?.method) ?? [];
const countScans = (node: TestServer) =>
  node.asked.filter(({ body }) => String(body?.params?.[0]).startsWith("Stake")).length;

it("fail-over ends at once with a bug, and has something to say when there is nobody to ask", async () => {
  const asked: unknown[] = [];
  const fail = (error: Error) =>
    withFailover(["a", "b"], (...candidate) => {
      asked.push(candidate);
      return Promise.reject(error);
    });
  await expect(fail(new TypeError("a bug"))).rejects.toThrow(new TypeError("a bug"));
  expect(asked.splice(0)).toEqual([["a", 2]]);
  await expect(fail(new RpcError({ kind: "body", message: "oops" }))).rejects.toMatchObject({
    message: "oops; oops",
  });
  expect(asked).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
  await expect(withFailover([], () => Promise.resolve(1))).rejects.toMatchObject({
    message: "no endpoint to ask",
  });
});

describe("an endpoint that takes requests and never answers", () => {
  const observeHangingAt = (count: number, method: string) =>
    observeHanging(
      Array.from({ length: count }, () => ({})),
      { hangs: (at, asked) => at === 0 && asked === method },
    );

  it("leaves a check, or a side source, time to turn to the next", async () => {
    const checking = await observeHangingAt(2, "getVoteAccounts");
    expect(entryOf(await checking.observer.check()).endpoint).toContain("#1");
    const { observer } = await observeHangingAt(2, "getClusterNodes");
    expect(entryOf(await observer.snapshot(WHOLE)).nodes.state).toBe("ok");
  });

  it.each([
    ["eight seconds beside another", 2, 8_000],
    ["a whole check alone", 1, 40_000],
  ])("is waited for %s", async (_, count, milliseconds) => {
    const { observer, clock } = await observeHangingAt(count, "getGenesisHash");
    const startedAt = clock.now();
    expect((await observer.check()).passed).toBe(count > 1);
    expect(clock.now() - startedAt).toBe(milliseconds);
  });

  it("costs a snapshot what it was asked for, a section or who is absent, and no more", async () => {
    const { observer } = await observeHangingAt(1, "getClusterNodes");
    const { nodes, production } = entryOf(await observer.snapshot(WHOLE));
    expect([nodes, production]).toMatchObject([failed("no answer in time"), { state: "ok" }]);
    const { observer: other } = await observeHangingAt(1, "getMultipleAccounts");
    const entry = entryOf(await other.snapshot({ ...WHOLE, expected: [key(4)] }));
    expect(entry).toMatchObject({ absent: [], production: { state: "ok" } });
  });
});

describe("a snapshot", () => {
  const late = { ...EPOCH_INFO, slotIndex: 427_000 };
  const last = { ...EPOCH_INFO, slotIndex: 431_900 };
  const epochs = (...getEpochInfo: unknown[]): Methods => ({
    getEpochInfo: inTurn(...getEpochInfo),
  });

  it.each<[string, Methods[], RegExp, number[]]>([
    [
      "of the next endpoint, where the first has no list",
      [{ getVoteAccounts: OOPS }, {}],
      /#1$/,
      [0, 1],
    ],
    ["refused, where the epoch ends meanwhile", [epochs(EPOCH_INFO, NEXT)], /epoch changed/, [0]],
    [
      "whole, where another can make its last check",
      [epochs(EPOCH_INFO, EPOCH_INFO, OOPS), {}],
      /#0$/,
      [1, 0],
    ],
    [
      "refused, where nobody can 5000 slots before the end",
      [epochs(late, late, OOPS)],
      /#0 getEpochInfo: .*oops/,
      [1],
    ],
    [
      "vouched for by no other at the end",
      [epochs(last, last, OOPS), epochs(last)],
      /#0 getEpochInfo/,
      [1, 0],
    ],
    [
      "whole, where one of three alone passed the end",
      [{}, epochs(EPOCH_INFO, NEXT), {}],
      /#0$/,
      [1, 0, 0],
    ],
    [
      "refused, where one passed the end",
      [{}, epochs(EPOCH_INFO, NEXT)],
      /#1: .* changed from 1053 to 1054/,
      [1, 0],
    ],
  ])("asks nothing costly in vain: it is %s", async (_, changes, outcome, scans) => {
    const { observer, nodes } = await observe(changes);
    const observed = await observer.snapshot(WHOLE);
    expect(observed.passed ? observed.entry.endpoint : observed.reason).toMatch(outcome);
    expect(nodes.map(countScans)).toEqual(scans);
    if (scans[0] === 0) expect(methodsAsked(nodes[0])).not.toContain("getClusterNodes");
  });

  it("needs no last check before, so that an endpoint that a scan was too much for costs the scan alone", async () => {
    const busy: Methods = {
      getEpochInfo: { ...EPOCH_INFO, slotIndex: 426_999 },
      [INSTEAD](response, { body }) {
        const isScan = String(body?.params?.[0]).startsWith("Stake");
        if (isScan) response.writeHead(429, { "retry-after": "600" }).end();
        return isScan;
      },
    };
    const { observer } = await observe([busy]);
    expect(entryOf(await observer.snapshot(WHOLE)).stakeAccounts.state).toBe("failed");
  });

  it.each([
    [
      "no side source from an endpoint that is behind",
      { ...EPOCH_INFO, absoluteSlot: SLOT - 151 },
      false,
    ],
    ["one from who is 150 slots behind", { ...EPOCH_INFO, absoluteSlot: SLOT - 150 }, true],
    ["none from who began in another epoch", { ...NEXT, absoluteSlot: SLOT + 5 }, false],
  ])("takes %s", async (_, getEpochInfo, isAsked) => {
    const { observer, nodes } = await observe([
      { getClusterNodes: fails(-32_601, "no") },
      { getEpochInfo },
    ]);
    const entry = entryOf(await observer.snapshot(WHOLE));
    expect(entry).toMatchObject({ epoch: EPOCH, nodes: { state: isAsked ? "ok" : "failed" } });
    expect(methodsAsked(nodes[1]).includes("getClusterNodes")).toBe(isAsked);
  });
});

it("the cluster behind every endpoint is looked at anew from one observation to the next", async () => {
  const { observer } = await observe([{ getGenesisHash: inTurn(GENESIS, key(78)) }, {}]);
  expect(entryOf(await observer.check()).endpoint).toContain("#0");
  expect(entryOf(await observer.check()).endpoint).toContain("#1");
});
