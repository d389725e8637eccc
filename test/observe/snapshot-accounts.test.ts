import { describe, expect, it } from "vitest";
import { snapshotEntrySchema } from "../../generator/entries/entry.ts";
import type { SnapshotRequest } from "../../generator/observe/snapshot.ts";
import { SLOT, voteAccount, voteRow } from "./cluster.ts";
import { key } from "./fixtures.ts";
import { entryOf, fails, observe } from "./observing.ts";
import type { Methods } from "../rpc/rpc-server.ts";

/* A snapshot has the vote account of each of its rows as every witness holds it. */

const SMALL: SnapshotRequest = { expected: [], scanStakeAccounts: () => false, closedMev: () => null };
const AUTHORITY = key(0);

const holding = (accounts: Record<string, ReturnType<typeof voteAccount>>, slot = SLOT): Methods => ({
  getMultipleAccounts: ([keys]: [string[]]) => ({ context: { slot }, value: keys.map((one) => accounts[one] ?? null) }),
});

describe("the vote accounts of a snapshot", () => {
  it("are those of its rows, in their order, by every witness at its own slot", async () => {
    const { observer, nodes } = await observe([
      holding({ [key(1)]: voteAccount(700), [key(2)]: voteAccount(800) }, SLOT - 4),
      holding({ [key(1)]: voteAccount(10_000) }, SLOT + 2),
    ]);
    const entry = entryOf(await observer.snapshot(SMALL));
    expect(snapshotEntrySchema.parse(entry)).toEqual(entry);
    const rates: Record<string, number[]> = { [key(1)]: [700, 10_000], [key(2)]: [800] };
    const rowsOf = (witness: number) =>
      entry.votes.map(({ vote }) => {
        const rate = rates[vote]?.[witness];
        return rate === undefined ? null : [rate, null, AUTHORITY];
      });
    expect(entry.accounts).toEqual([
      { state: "ok", endpoint: `${nodes[0]?.url ?? ""}#0`, slot: SLOT - 4, rows: rowsOf(0) },
      { state: "ok", endpoint: `${nodes[1]?.url ?? ""}#1`, slot: SLOT + 2, rows: rowsOf(1) },
    ]);
  });

  it.each<[string, Methods, RegExp]>([
    ["cannot be asked for accounts", { getMultipleAccounts: fails(-32_000, "oops") }, /#1 getMultipleAccounts.*oops/],
    [
      "holds them at an old slot",
      holding({}, SLOT - 151),
      /#1 getMultipleAccounts: the answer is of slot .* 150 slots/,
    ],
    ["is of another cluster", { getGenesisHash: key(78) }, /#1: genesis hash is/],
  ])("say why of a witness that %s, and cost the rest nothing", async (_, change, reason) => {
    const { observer, nodes } = await observe([holding({ [key(1)]: voteAccount(700) }), change]);
    const entry = entryOf(await observer.snapshot(SMALL));
    expect(snapshotEntrySchema.parse(entry)).toEqual(entry);
    expect(entry.accounts).toMatchObject([
      { state: "ok" },
      { state: "failed", endpoint: `${nodes[1]?.url ?? ""}#1`, reason: expect.stringMatching(reason) as string },
    ]);
    expect(entry.nodes.state).toBe("ok");
  });

  it("may be failures only: what the list shows is journaled all the same", async () => {
    const { observer } = await observe([{ getMultipleAccounts: fails(-32_000, "oops") }]);
    const entry = entryOf(await observer.snapshot(SMALL));
    expect(entry.accounts).toMatchObject([{ state: "failed" }]);
    expect(entry.votes).toHaveLength(2);
  });

  it("are asked for a hundred at a time, and are of the lowest slot of the answers", async () => {
    const current = Array.from({ length: 150 }, (_, index) => voteRow(index + 1, { nodePubkey: key(200) }));
    const isOfVotes = (keys: string[]) => current.some(({ votePubkey }) => votePubkey === keys[0]);
    const getMultipleAccounts = ([keys]: [string[]]) => ({
      context: { slot: isOfVotes(keys) && keys.length < 100 ? SLOT - 2 : SLOT + 9 },
      value: keys.map(() => null),
    });
    const { observer, nodes } = await observe([{ getVoteAccounts: { current, delinquent: [] }, getMultipleAccounts }]);
    const { accounts, votes } = entryOf(await observer.snapshot(SMALL));
    const asked = nodes[0]?.asked.filter(({ body }) => body?.method === "getMultipleAccounts") ?? [];
    const keys = asked.map(({ body }) => (body?.params as [string[]])[0]).filter(isOfVotes);
    expect(keys.map(({ length }) => length).sort()).toEqual([100, 50]);
    expect(accounts).toEqual([
      expect.objectContaining({ state: "ok", slot: SLOT - 2, rows: votes.map(() => null) }) as object,
    ]);
  });
});
