import { describe, expect, it } from "vitest";
import { decodePublicKey } from "../../../generator/chain/public-key.ts";
import { encodeKeyAt } from "../../../generator/chain/base58.ts";
import { U64_MAX } from "../../../generator/rpc/answer.ts";
import { readStakesByPage, tallyWhole } from "../../../generator/observe/stakes/stake-answers.ts";
import {
  readStakeRecord,
  type StakeRecords,
} from "../../../generator/observe/stakes/stake-records.ts";
import { indexVoters, toStakeRows } from "../../../generator/observe/stakes/stake-tally.ts";
import { openNode } from "../../rpc/open-server.ts";
import { key, withReader } from "../fixtures.ts";
import { inTurn } from "../observing.ts";
import { delegation, EPOCH, NOW, toBody, toChunks, VOTES, type Delegation } from "./stakes.ts";

const question = { voters: indexVoters(VOTES), epoch: EPOCH, withRecords: true };

type Account = Partial<Delegation> & {
  withdrawer?: string;
  pubkey?: string;
  data?: string;
  keyFirst?: boolean;
};

/** Bytes 44 to 180, in base64. */
function toWideSlice({ withdrawer = key(9), ...fields }: Account): string {
  const { vote, stake, activation, deactivation } = delegation(fields);
  const data = Buffer.alloc(136);
  data.set(decodePublicKey(withdrawer));
  data.set(decodePublicKey(vote), 80);
  for (const [index, value] of [stake, activation, deactivation].entries())
    data.writeBigUInt64LE(value, 112 + 8 * index);
  return data.toString("base64");
}

function toRow(account: Account) {
  const { pubkey, keyFirst = false } = account;
  const data = { account: { data: [account.data ?? toWideSlice(account), "base64"], space: 200 } };
  const own = pubkey === undefined ? {} : { pubkey };
  return keyFirst ? { ...own, ...data } : { ...data, ...own };
}

const toAnswer = (...accounts: Account[]) =>
  JSON.stringify({ result: { context: { slot: 1 }, value: accounts.map(toRow) }, id: 1 });

const list = (records: StakeRecords | null) =>
  records?.chunks().flatMap((chunk) =>
    Array.from({ length: chunk.count }, (_, index) => {
      const { stakeAccount, bytes, withdrawerAt, voterAt, lamports, state } = readStakeRecord(
        chunk,
        index,
      );
      const [withdrawer, vote] = [encodeKeyAt(bytes, withdrawerAt), encodeKeyAt(bytes, voterAt)];
      return { stakeAccount, withdrawer, vote, lamports, state };
    }),
  );

const read = async (text: string, size = text.length) =>
  tallyWhole(toBody(...toChunks(text, size)), question);

describe("the records of a scan", () => {
  const accounts: Account[] = [
    { pubkey: key(20), stake: 7n },
    { pubkey: key(21), withdrawer: key(8), vote: key(2), stake: U64_MAX, keyFirst: true },
    { pubkey: key(22), vote: key(3), stake: 5n },
  ];
  const expected = [
    { stakeAccount: key(20), withdrawer: key(9), vote: key(1), lamports: 7n, state: "active" },
    { stakeAccount: key(21), withdrawer: key(8), vote: key(2), lamports: U64_MAX, state: "active" },
    { stakeAccount: key(22), withdrawer: key(9), vote: key(3), lamports: 5n, state: "active" },
  ];

  it.each([1, 7, 100, 10_000])(
    "are every account with its own key, in chunks of %d bytes",
    async (size) => {
      const sums = await read(toAnswer(...accounts), size);
      expect(list(sums.records)).toEqual(expected);
      expect(toStakeRows(VOTES, sums).map(([, , , count]) => count)).toEqual([1, 1]);
    },
  );

  it.each<[string, Partial<Delegation>, string]>([
    ["activated before", { activation: NOW - 1n }, "active"],
    ["of the genesis block", { activation: U64_MAX }, "active"],
    ["activated now", { activation: NOW }, "activating"],
    ["activated later, as no chain says", { activation: NOW + 1n }, "activating"],
    ["deactivated now", { deactivation: NOW }, "deactivating"],
    ["deactivated later", { deactivation: NOW + 1n }, "active"],
    ["deactivated before", { deactivation: NOW - 1n }, "inactive"],
    ["never active", { activation: NOW, deactivation: NOW }, "inactive"],
  ])("have the state of a delegation %s", async (_, fields, state) => {
    const { records } = await read(toAnswer({ pubkey: key(20), ...fields }));
    expect(list(records)).toMatchObject([{ state }]);
  });

  it.each<[string, Account[]]>([
    ["without its key", [{}]],
    ["without its key before others", [{}, { pubkey: key(21) }]],
    ["with a key that is none", [{ pubkey: "0OIl".repeat(10) }]],
    ["with a key of another length", [{ pubkey: "abc" }]],
    ["with an escaped key", [{ pubkey: `"${key(20).slice(1)}` }]],
    ["of the narrow slice", [{ pubkey: key(20), data: Buffer.alloc(56).toString("base64") }]],
    ["of a byte more", [{ pubkey: key(20), data: Buffer.alloc(137).toString("base64") }]],
  ])("refuse an answer with an account %s", async (_, some) => {
    await expect(read(toAnswer(...some))).rejects.toMatchObject({
      kind: "shape",
      message: /account \d of the answer/,
    });
  });

  it("of pages are those of all pages, and what was asked is the wider slice", async () => {
    const pages = [accounts.slice(0, 2), accounts.slice(2)].map((some, page) => ({
      context: { slot: 1 },
      value: { accounts: some.map(toRow), paginationKey: page === 0 ? "next" : null },
    }));
    const node = await openNode({ getProgramAccountsV2: inTurn(...pages) });
    const sums = await withReader(node.url, (reader) => readStakesByPage(reader, question));
    expect(list(sums.records)).toEqual(expected);
    expect(node.asked[0]?.body?.params).toMatchObject([
      expect.anything(),
      { dataSlice: { offset: 44, length: 136 } },
    ]);
  });
});
