import { describe, expect, it } from "vitest";
import { openJournal } from "../../../generator/journal/journal.ts";
import {
  transactionsEntrySchema,
  type TransactionsEntry,
} from "../../../generator/entries/entry.ts";
import { makePlace } from "../../journal/samples.ts";
import { key } from "../fixtures.ts";
import { entryOf, fails, observe, observeHanging, reasonOf } from "../observing.ts";
import type { Methods, TestServer } from "../../rpc/rpc-server.ts";
import {
  AUTHORITY,
  HEAD,
  historyNode,
  read,
  RESULTS,
  ROWS,
  SCHEDULE,
  search,
} from "./history-node.ts";

const withoutHistory: Methods = {
  ...historyNode(),
  getSignaturesForAddress: fails(-32_011, "Transaction history is not available from this node"),
};

const asked = (node: TestServer | undefined, method: string) =>
  (node?.asked ?? []).flatMap(({ body }) => (body?.method === method ? [body.params] : []));

const statesOf = ({ transactions }: TransactionsEntry, witness: number) =>
  transactions.map(({ answers }) => answers[witness]?.state);

describe("transactions of an authority", () => {
  it("are what each witness lists and answers, as a validator answered", async () => {
    const { observer, nodes, clock } = await observe([historyNode(), historyNode()]);
    const entry = entryOf(await read(observer, search()));
    const sorted = ROWS.map(({ signature }) => signature).sort();
    const answer = { state: "ok", after: 1_000, upTo: HEAD };
    expect(entry).toEqual({
      ...{
        kind: "transactions",
        format: 1,
        network: "mainnet",
        time: new Date(clock.now()).toISOString(),
      },
      panel: nodes.map(({ url }, position) => `${url}#${position}`),
      schedule: SCHEDULE,
      searches: [
        {
          authority: AUTHORITY,
          after: 1_000,
          upTo: null,
          answers: [answer, answer],
          transactions: [0, 1, 2, 3],
        },
      ],
      transactions: sorted.map((signature) => {
        const { slot, transaction, ...result } = RESULTS.get(signature)!;
        const [index, blockTime] = [result["transactionIndex"], result["blockTime"]];
        const fields = { slot, index, blockTime, bytes: transaction[0], inner: [], loaded: [] };
        const answer = { state: "ok", failed: false, ...fields };
        return { signature, answers: [answer, answer] };
      }),
    });
  });

  it("come back from the journal as they were written", async () => {
    const { observer } = await observe([historyNode(), withoutHistory, {}]);
    const entry = entryOf(
      await read(observer, search(), search({ authority: key(9), upTo: 1_227 })),
    );
    expect(transactionsEntrySchema.parse(entry)).toEqual(entry);
    const place = makePlace();
    const name = await openJournal(place).append(entry);
    expect(await Array.fromAsync(openJournal(place).read([name]))).toMatchObject([{ name, entry }]);
  });

  it("are asked for finalized, from who has reached the slot that the witness answered", async () => {
    const { observer, nodes } = await observe([historyNode()]);
    await read(observer, search());
    expect(asked(nodes[0], "getSignaturesForAddress")).toEqual([
      [AUTHORITY, { limit: 25, commitment: "finalized", minContextSlot: HEAD }],
    ]);
    const options = {
      encoding: "base64",
      maxSupportedTransactionVersion: 1,
      commitment: "finalized",
    };
    expect(asked(nodes[0], "getTransaction")).toEqual(
      ROWS.map(({ signature }) => [signature, options]),
    );
  });

  it("are asked for once, however many searches find them", async () => {
    const { observer, nodes } = await observe([historyNode()]);
    const searches = [search({ upTo: 1_227 }), search({ authority: key(9), after: 1_226 })];
    const entry = entryOf(await read(observer, ...searches));
    expect(asked(nodes[0], "getTransaction")).toHaveLength(4);
    const slotsOf = (index: number) =>
      entry.searches[index]!.transactions.map(
        (place) => RESULTS.get(entry.transactions[place]!.signature)!.slot,
      ).sort();
    expect([slotsOf(0), slotsOf(1)]).toEqual([
      [1_226, 1_227],
      [1_227, 1_228, 1_229],
    ]);
  });

  it("that failed are not asked for, unless a witness lists them as good", async () => {
    const failed = ROWS.map((row, index) =>
      index < 2 ? { ...row, err: { InstructionError: [0, "Custom"] } } : row,
    );
    const alone = await observe([historyNode({ rows: failed })]);
    expect(entryOf(await read(alone.observer, search())).transactions).toHaveLength(2);
    const { observer } = await observe([historyNode({ rows: failed }), historyNode()]);
    const entry = entryOf(await read(observer, search()));
    expect(entry.transactions).toHaveLength(4);
    expect(entry.searches[0]!.transactions).toEqual([0, 1, 2, 3]);
  });

  it("that one witness lists are asked of every other, which may not know them", async () => {
    const ignorant = historyNode({ rows: [], results: new Map() });
    const { observer } = await observe([historyNode({ rows: [] }), historyNode(), ignorant]);
    const entry = entryOf(await read(observer, search()));
    const states = [0, 1, 2].map((witness) => [...new Set(statesOf(entry, witness))]);
    expect(states).toEqual([["ok"], ["ok"], ["unknown"]]);
  });

  it("that a witness lists and does not have are not unknown to it: it contradicts itself", async () => {
    const forgetful = historyNode({ results: new Map() });
    const { observer } = await observe([historyNode(), forgetful]);
    const entry = entryOf(await read(observer, search()));
    expect(entry.searches[0]!.answers).toMatchObject([{ state: "ok" }, { state: "ok" }]);
    expect(statesOf(entry, 0)).toEqual(["ok", "ok", "ok", "ok"]);
    for (const { signature, answers } of entry.transactions)
      expect(answers[1]).toEqual({
        state: "failed",
        reason: expect.stringMatching(`#1 getTransaction: it lists ${signature}, but`) as string,
      });
  });
});

describe("a witness", () => {
  it("that keeps no history says so at once, and costs no call in the next reading", async () => {
    const { observer, nodes } = await observe([historyNode(), withoutHistory]);
    const first = entryOf(await read(observer, search()));
    expect(first.searches[0]!.answers).toMatchObject([
      { state: "ok" },
      {
        state: "failed",
        isRefused: true,
        reason: expect.stringContaining("#1 getSignaturesForAddress") as string,
      },
    ]);
    expect(statesOf(first, 0)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(statesOf(first, 1)).toEqual(["failed", "failed", "failed", "failed"]);
    expect(asked(nodes[1], "getSignaturesForAddress")).toHaveLength(1);
    const second = entryOf(await read(observer, search(), search({ authority: key(9) })));
    expect(second.searches.map(({ answers }) => answers[1])).toMatchObject([
      { isRefused: true },
      { isRefused: true },
    ]);
    expect(asked(nodes[1], "getSignaturesForAddress")).toHaveLength(1);
    expect(asked(nodes[1], "getTransaction")).toEqual([]);
  });

  it("that cannot be used has failed in its place, and is no reason not to read the others", async () => {
    const behind = { getHealth: fails(-32_005, "Node is behind by 200 slots") };
    const { observer, nodes } = await observe([behind, historyNode()]);
    const entry = entryOf(await read(observer, search()));
    expect(entry.panel).toEqual(nodes.map(({ url }, position) => `${url}#${position}`));
    expect(entry.searches[0]!.answers).toMatchObject([
      {
        state: "failed",
        isRefused: false,
        reason: expect.stringContaining("behind by 200 slots") as string,
      },
      { state: "ok" },
    ]);
    expect(statesOf(entry, 0)).toEqual(["failed", "failed", "failed", "failed"]);
  });

  it.each<[string, number, number]>([
    ["the first that it keeps on", 1_228, 1_227],
    ["the slot asked for, where it keeps more", 900, 1_000],
    ["the slot asked for, where it keeps all", 0, 1_000],
    ["the slot asked for, where that is the last one it has dropped", 1_001, 1_000],
  ])("answers for the slots from %s", async (_, firstSlot, after) => {
    const { observer } = await observe([historyNode({ firstSlot })]);
    const entry = entryOf(await read(observer, search()));
    expect(entry.searches[0]!.answers).toEqual([{ state: "ok", after, upTo: HEAD }]);
    expect(entry.transactions).toHaveLength(firstSlot === 1_228 ? 2 : 4);
  });

  it("that keeps nothing of the slots asked for answers for none", async () => {
    const { observer } = await observe([historyNode(), historyNode({ firstSlot: 1_101 })]);
    const entry = entryOf(await read(observer, search({ upTo: 1_100 })));
    expect(entry.searches[0]!.answers).toMatchObject([
      { state: "ok", after: 1_000, upTo: 1_100 },
      {
        state: "failed",
        isRefused: false,
        reason: expect.stringContaining("from slot 1101 on") as string,
      },
    ]);
  });

  it("that does not say how far back it keeps them answers for no slots; what it lists is read", async () => {
    const secretive = { ...historyNode(), getFirstAvailableBlock: fails(-32_000, "no") };
    const { observer } = await observe([secretive, historyNode({ rows: [] })]);
    const entry = entryOf(await read(observer, search()));
    const reason = expect.stringContaining("getFirstAvailableBlock: error -32000: no") as string;
    expect(entry.searches[0]).toMatchObject({
      answers: [{ state: "failed", isRefused: false, reason }, { state: "ok" }],
      transactions: [0, 1, 2, 3],
    });
    expect(statesOf(entry, 1)).toEqual(["ok", "ok", "ok", "ok"]);
  });

  it("that has not reached the slots asked for is not asked", async () => {
    const { observer, nodes } = await observe([historyNode()]);
    const reason = reasonOf(await read(observer, search({ after: HEAD })));
    expect(reason).toContain("it is at slot 1233, but was asked for slots after 1233");
    expect(asked(nodes[0], "getSignaturesForAddress")).toEqual([]);
  });

  it("whose other node is behind is asked again, until that one has caught up", async () => {
    let head = HEAD - 2;
    const node: Methods = {
      ...historyNode(),
      getSignaturesForAddress: (params: [string, { limit: number; minContextSlot: number }]) =>
        (historyNode({ head: head++ })["getSignaturesForAddress"] as (params: unknown) => unknown)(
          params,
        ),
    };
    const { observer, nodes } = await observe([node]);
    const entry = entryOf(await read(observer, search()));
    expect(entry.searches[0]!.answers).toEqual([{ state: "ok", after: 1_000, upTo: HEAD }]);
    expect(asked(nodes[0], "getSignaturesForAddress")).toHaveLength(3);
  });

  it("that hangs has failed when its time is over, and costs the others nothing", async () => {
    const { observer } = await observeHanging([historyNode(), historyNode()], {
      hangs: (position, method) => position === 1 && method === "getSignaturesForAddress",
      milliseconds: 5_000,
    });
    const searches = Array.from({ length: 9 }, (_, index) => search({ authority: key(index + 1) }));
    const entry = entryOf(await read(observer, ...searches));
    for (const { answers } of entry.searches)
      expect(answers).toMatchObject([{ state: "ok" }, { state: "failed" }]);
    expect(statesOf(entry, 0)).toEqual(["ok", "ok", "ok", "ok"]);
    const reasons = entry.searches.map(({ answers }) =>
      answers[1]?.state === "failed" ? answers[1].reason : "",
    );
    expect(reasons[0]).toContain("no answer in time");
    expect(reasons.at(-1)).toContain("not asked after 3 failures in a row");
  });
});

it.each(["getSignaturesForAddress", "getFirstAvailableBlock", "getTransaction"])(
  "a witness that hangs at %s takes no time from the others' answers",
  async (hanging) => {
    const { observer } = await observeHanging([historyNode(), historyNode(), historyNode()], {
      hangs: (position, method) => position === 1 && method === hanging,
    });
    const entry = entryOf(await read(observer, search()));
    for (const place of [0, 2]) {
      expect(entry.searches[0]?.answers[place]).toMatchObject({ state: "ok" });
      expect(statesOf(entry, place)).toEqual(["ok", "ok", "ok", "ok"]);
    }
  },
);

describe("a reading of transactions", () => {
  it("is refused where nobody could be asked, with what each of them said", async () => {
    const oops: Methods = { ...historyNode(), getSignaturesForAddress: fails(-32_000, "oops") };
    const { observer } = await observe([
      oops,
      { ...oops, getSignaturesForAddress: fails(-32_000, "no") },
    ]);
    const said = /#0 getSignaturesForAddress: error -32000: oops; .*#1 .*error -32000: no/;
    const reason = expect.stringMatching(said) as string;
    expect(await read(observer, search())).toEqual({ passed: false, isUnread: true, reason });
  });

  it.each([
    ["nobody keeps a history", withoutHistory],
    ["nobody keeps those slots", historyNode({ firstSlot: 1_101, rows: [] })],
  ])("is made where all that can be said is that %s", async (_, node) => {
    const failing = { ...historyNode(), getSignaturesForAddress: fails(-32_000, "no") };
    const { observer } = await observe([node, failing]);
    const entry = entryOf(await read(observer, search({ upTo: 1_100 })));
    expect(entry).toMatchObject({ searches: [{ transactions: [] }], transactions: [] });
  });

  it("waits fifteen seconds for an epoch schedule", async () => {
    const hangs = (_: number, method: string) => method === "getEpochSchedule";
    const { observer, clock } = await observeHanging([historyNode()], { hangs });
    const startedAt = clock.now();
    expect(reasonOf(await read(observer, search()))).toContain(
      "getEpochSchedule: no answer in time",
    );
    expect(clock.now() - startedAt).toBe(15_000);
  });

  it("is refused without an epoch schedule that fits", async () => {
    const { observer } = await observe([
      { ...historyNode(), getEpochSchedule: { ...SCHEDULE, slotsPerEpoch: 432 } },
    ]);
    expect(reasonOf(await read(observer, search()))).toContain(
      "but 300 from slot 1200 on were observed",
    );
  });
});
