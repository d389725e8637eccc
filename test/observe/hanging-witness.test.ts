import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import type { Later } from "../../generator/rpc/grace.ts";
import { INSTEAD, type Methods } from "../rpc/rpc-server.ts";
import { SLOT, voteRow } from "./cluster.ts";
import { entryOf, observe, observeHanging, SMALL } from "./observing.ts";
import { historyNode, read, search } from "./transactions/history-node.ts";

/** Requests that were taken and are not given up yet. */
const hung = new Set<ServerResponse>();

/** Takes the questions that `hangs` names, or all, and never answers them. */
const hanging = (hangs: (method: string) => boolean = () => true): Methods => ({
  [INSTEAD](response, { body }) {
    if (!hangs(body?.method ?? "")) return false;
    hung.add(response);
    response.once("close", () => hung.delete(response));
    return true;
  },
});
/** A rate in percent alone makes a check ask for accounts, too. */
const unclear = {
  getVoteAccounts: {
    current: [voteRow(1, { inflationRewardsCommissionBps: null })],
    delinquent: [],
  },
};

/** Turns of the event loop without a request, after which only what hangs is left. */
const STILL_TURNS = 100;

/** A grace is over as soon as only what hangs is left. */
async function observePatiently(changes: Methods[]) {
  const { nodes, clock } = await observe(changes);
  async function isStill(isEnded: () => boolean): Promise<boolean> {
    let [turns, before] = [0, 0];
    while ((hung.size === 0 || turns < STILL_TURNS) && !isEnded()) {
      await new Promise((resolve) => setImmediate(resolve));
      const requests = nodes.reduce((sum, { asked }) => sum + asked.length, 0);
      turns = requests === before ? turns + 1 : 0;
      before = requests;
    }
    return !isEnded();
  }
  const later: Later = (milliseconds, task) => {
    let isEnded = false;
    void isStill(() => isEnded).then((isOver) => {
      if (!isOver) return;
      clock.advance(milliseconds);
      task();
    });
    return () => void (isEnded = true);
  };
  const timing = { now: clock.now, timer: clock.now, sleep: clock.sleep, later };
  const { observer } = await observe([], { endpoints: nodes.map(({ url }) => url), ...timing });
  const timed = async <T>(task: () => Promise<T>) => {
    const startedAt = clock.now();
    const observed = await task();
    return { observed, milliseconds: clock.now() - startedAt };
  };
  return { observer, nodes, clock, timed };
}

const listsOf = ({ panel }: { panel: { list: unknown }[] }) =>
  panel.map(({ list }) => list !== null);

describe("one witness of three that never answers", () => {
  it.each([
    ["anything", () => true, 5_000],
    ["with its list", (method: string) => method === "getVoteAccounts", 5_000],
    ["with accounts", (method: string) => method === "getMultipleAccounts", 5_000],
  ])("%s costs one check five seconds, and the next ones nothing", async (_, hangs, cost) => {
    const { observer, nodes, clock, timed } = await observePatiently([
      unclear,
      { ...unclear, ...hanging(hangs) },
      unclear,
    ]);
    const check = () => timed(() => observer.check({ isClear: () => false }));
    const first = await check();
    expect(first.milliseconds).toBe(cost);
    const asked = nodes[1]?.asked.length;
    clock.advance(60_000 - cost);
    const { observed, milliseconds } = await check();
    expect(milliseconds).toBe(0);
    const hung = (nodes[1]?.asked ?? []).slice(asked).map(({ body }) => body?.method ?? "");
    expect(hung.filter(hangs)).toEqual([]);
    const { panel, accounts } = entryOf(observed);
    expect([...panel, ...accounts].filter(({ endpoint }) => endpoint.endsWith("#0"))).toHaveLength(
      2,
    );
    const reasons = [...panel, ...accounts].flatMap((one) =>
      "reason" in one && one.reason !== null ? [one.reason] : [],
    );
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(reason).toMatch(/not asked: .* no answer in time while/);
  });

  it("is asked again after ninety seconds, and counts at once when it answers", async () => {
    let isHung = true;
    const { observer, clock, timed } = await observePatiently([{}, hanging(() => isHung), {}]);
    await timed(() => observer.check());
    isHung = false;
    clock.advance(60_000);
    expect(listsOf(entryOf(await observer.check()))).toEqual([true, false, true]);
    clock.advance(60_000);
    expect(listsOf(entryOf(await observer.check()))).toEqual([true, true, true]);
  });

  it("while it goes on hanging is asked ever more seldom, down to every six minutes", async () => {
    const { observer, clock, timed } = await observePatiently([{}, hanging(), {}]);
    const costs: number[] = [];
    for (let minute = 0; minute < 30; minute++) {
      const { milliseconds } = await timed(() => observer.check());
      costs.push(milliseconds);
      clock.advance(60_000 - milliseconds);
    }
    expect(costs.flatMap((cost, minute) => (cost > 0 ? [minute] : []))).toEqual([
      0, 2, 6, 13, 20, 27,
    ]);
  });

  it("costs a snapshot at most ten seconds, and leaves the rest of its time for proofs", async () => {
    const { observer, clock } = await observeHanging([{}, {}, {}], {
      hangs: (position, method) => position === 0 && method === "getMultipleAccounts",
    });
    const startedAt = clock.now();
    const { accounts } = entryOf(await observer.snapshot(SMALL));
    expect(accounts.map(({ state }) => state)).toEqual(["failed", "ok", "ok"]);
    expect(clock.now() - startedAt).toBe(10_000);
  });

  it.each(["getEpochSchedule", "getSignaturesForAddress", "getTransaction"])(
    "at %s leaves the proofs to the others, which take five seconds",
    async (method) => {
      const { observer, clock } = await observeHanging(
        [historyNode(), historyNode(), historyNode()],
        { hangs: (position, asked) => position === 0 && asked === method },
      );
      const startedAt = clock.now();
      const entry = entryOf(await read(observer, search()));
      expect(clock.now() - startedAt).toBeLessThanOrEqual(5_000);
      for (const place of [1, 2]) {
        const states = entry.transactions.map(({ answers }) => answers[place]?.state);
        expect(states).toEqual(["ok", "ok", "ok", "ok"]);
      }
    },
  );
});

it("two of two are waited for as long as before: there is no majority without one", async () => {
  const { observer, clock } = await observeHanging([{}, {}], {
    hangs: (position, method) => position === 1 && method === "getVoteAccounts",
  });
  const startedAt = clock.now();
  expect(entryOf(await observer.check()).panel).toMatchObject([{ slot: SLOT }, { list: null }]);
  expect(clock.now() - startedAt).toBe(12_000);
});
