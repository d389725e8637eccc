import { describe, expect, it } from "vitest";
import {
  readVoteInstruction,
  type VoteInstruction,
} from "../../generator/chain/vote-instructions.ts";
import { address, layOut, u16, u32, u64, u8 } from "../cluster/transactions/layout.ts";
import {
  CLOCK,
  authorizeWithdrawer,
  updateBlockRevenueCommission,
  updateCommission,
  updateCommissionBasisPoints,
  updateCommissionCollector,
  voteFor,
} from "../cluster/transactions/programs.ts";
import type { Instruction } from "../cluster/transactions/message.ts";
import {
  addressWithSeed,
  authorizeVoter,
  authorizeVoterWithKey,
  authorizeWithdrawerChecked,
  authorizeWithdrawerCheckedWithSeed,
  authorizeWithdrawerWithSeed,
  initializeVoteAccount,
  initializeVoteAccountWithKey,
  withdrawFromVoteAccount,
} from "../integration/validator/vote-program.ts";
import { BLOCKHASH, OWNERS, PAYER, VOTE_ACCOUNTS } from "./made-up.ts";

const [VOTE] = VOTE_ACCOUNTS;
const [OWNER, NEXT] = OWNERS.map(({ address: key }) => key) as [string, string];
const OWNERS_OF_ACCOUNT = { vote: VOTE, node: PAYER.address, voter: NEXT, withdrawer: OWNER };
const KEY = { publicKey: new Uint8Array(48).fill(1), proof: new Uint8Array(96).fill(2) };
const initializeV2 = (basisPoints: number) =>
  initializeVoteAccountWithKey(OWNERS_OF_ACCOUNT, { key: KEY, basisPoints });
const SEEDED = { base: OWNER, owner: CLOCK, seed: "vote:é" };
const DERIVED = addressWithSeed(SEEDED);

const keysOf = ({ accounts }: Instruction) => accounts.map(({ address: key }) => key);
const read = (instruction: Instruction) =>
  readVoteInstruction(instruction.data, keysOf(instruction));

const inflation = (basisPoints: number) => ({ of: "inflationCommission", basisPoints }) as const;
const revenue = (basisPoints: number) => ({ of: "blockRevenueCommission", basisPoints }) as const;
const initialized = (basisPoints: number) =>
  ({ of: "initialized", withdrawAuthority: OWNER, basisPoints }) as const;
const collector = (source: "inflation" | "blockRevenue", to: string) =>
  ({ of: `${source}Collector`, to }) as const;
const REWARDS = { of: "inflation rewards", to: NEXT } as const;
const REVENUE = { of: "block revenue", to: VOTE } as const;
const WITHDRAWER = { of: "withdrawAuthority", to: NEXT } as const;
const BY_OWNER = (account: number) => ({ key: OWNER, account });
const BY_DERIVED = { key: DERIVED, account: 2 };

/** The last number: accounts that the runtime requires. */
const CASES: [
  string,
  Instruction,
  VoteInstruction["change"],
  VoteInstruction["authority"],
  number,
][] = [
  ["UpdateCommission", updateCommission(VOTE, OWNER, 7), inflation(700), BY_OWNER(1), 1],
  [
    "UpdateCommissionBps",
    updateCommissionBasisPoints(VOTE, OWNER, 525),
    inflation(525),
    BY_OWNER(1),
    1,
  ],
  [
    "the same of block revenue",
    updateBlockRevenueCommission(VOTE, OWNER, 5_000),
    revenue(5_000),
    BY_OWNER(1),
    1,
  ],
  [
    "…Collector",
    updateCommissionCollector(VOTE, OWNER, REWARDS),
    collector("inflation", NEXT),
    BY_OWNER(2),
    3,
  ],
  [
    "also of revenue",
    updateCommissionCollector(VOTE, OWNER, REVENUE),
    collector("blockRevenue", VOTE),
    BY_OWNER(2),
    3,
  ],
  ["Authorize", authorizeWithdrawer(VOTE, OWNER, NEXT), WITHDRAWER, BY_OWNER(2), 2],
  ["AuthorizeChecked", authorizeWithdrawerChecked(VOTE, OWNER, NEXT), WITHDRAWER, BY_OWNER(2), 4],
  ["AuthorizeWithSeed", authorizeWithdrawerWithSeed(VOTE, SEEDED, NEXT), WITHDRAWER, BY_DERIVED, 3],
  [
    "AuthorizeCheckedWithSeed",
    authorizeWithdrawerCheckedWithSeed(VOTE, SEEDED, NEXT),
    WITHDRAWER,
    BY_DERIVED,
    4,
  ],
  ["InitializeAccount", initializeVoteAccount(OWNERS_OF_ACCOUNT, 9), initialized(900), null, 3],
  ["InitializeAccountV2", initializeV2(1_234), initialized(1_234), null, 4],
];

describe.each(CASES)("%s", (_, instruction, change, authority, accountsLeast) => {
  const wanted = { voteAccount: VOTE, authority, isFromSeed: authority === BY_DERIVED, change };
  const { data, accounts } = instruction;

  it("is read, also with more bytes and accounts after it, as the runtime does", () => {
    expect(read(instruction)).toEqual(wanted);
    const more = [...accounts, { address: CLOCK, isSigner: false, isWritable: false }];
    expect(read({ ...instruction, data: layOut(data, u64(0n)), accounts: more })).toEqual(wanted);
  });

  it("is nothing when cut", () => {
    // A one-byte kind is valid and has its own test.
    const isLoneKind = (length: number) => data[0] === 18 && length === 7;
    for (let length = 0; length < data.length; length++) {
      if (isLoneKind(length)) continue;
      expect(read({ ...instruction, data: data.subarray(0, length) }), String(length)).toBeNull();
    }
  });

  it("is nothing without the accounts that the runtime asks for, and names nobody who is not there", () => {
    const withAccounts = (count: number) =>
      read({ ...instruction, accounts: accounts.slice(0, count) });
    expect(withAccounts(accountsLeast)?.voteAccount).toBe(VOTE);
    expect(withAccounts(accountsLeast - 1)).toBeNull();
    const others = keysOf(instruction).slice(1);
    expect(readVoteInstruction(data, [undefined, ...others])).toBeNull();
    const unknown = readVoteInstruction(data, [VOTE, ...others.map(() => undefined)]);
    expect(unknown?.authority ?? null).toBeNull();
  });
});

describe("a rate", () => {
  it.each([
    [updateCommission(VOTE, OWNER, 0), 0],
    [updateCommission(VOTE, OWNER, 100), 10_000],
    [updateCommission(VOTE, OWNER, 101), 10_000],
    [updateCommission(VOTE, OWNER, 255), 10_000],
    [updateCommissionBasisPoints(VOTE, OWNER, 10_000), 10_000],
    [updateCommissionBasisPoints(VOTE, OWNER, 10_001), 10_000],
    [updateBlockRevenueCommission(VOTE, OWNER, 65_535), 10_000],
    [initializeVoteAccount(OWNERS_OF_ACCOUNT, 200), 10_000],
    [initializeV2(65_535), 10_000],
  ])("is at most 100 percent (%#)", (instruction, basisPoints) => {
    expect(read(instruction)?.change).toMatchObject({ basisPoints });
  });

  it.each([
    [0, "inflationCommission"],
    [1, "blockRevenueCommission"],
    [2, undefined],
  ])("is of kind %i also where one byte says it", (kind, of) => {
    const data = layOut(u32(18), u16(250), u8(kind));
    expect(readVoteInstruction(data, [VOTE, OWNER])?.change.of).toBe(of);
  });
});

it("a withdrawal may close the account, so its amount and its authority are read", () => {
  const withdrawal = withdrawFromVoteAccount({
    vote: VOTE,
    to: NEXT,
    withdrawer: OWNER,
    lamports: 5n,
  });
  expect(read(withdrawal)).toMatchObject({
    authority: { key: OWNER },
    change: { of: "withdrawal", lamports: 5n },
  });
});

describe("what changes no rate, no collector and no withdraw authority", () => {
  const slotHash = { slot: 5n, hash: BLOCKHASH, root: null };
  it.each<[string, Instruction]>([
    ["a vote", voteFor(VOTE, OWNER, slotHash)],
    ["another voter", authorizeVoter(VOTE, OWNER, NEXT)],
    ["another voter with a BLS key", authorizeVoterWithKey(VOTE, OWNER, { voter: NEXT, key: KEY })],
  ])("is passed over: %s", (_, instruction) => {
    expect(read(instruction)).toBeNull();
  });

  it.each([
    ["a tag after the last", layOut(u32(20), address(OWNER), u32(1))],
    ["a tag that only begins like one", layOut(u32(5 + 256), u8(7))],
    ["a kind of commission that is not known", layOut(u32(18), u16(250), u32(2))],
    ["a kind of collector that is not known", layOut(u32(17), u32(2))],
    ["somebody who is not known to be authorized", layOut(u32(1), address(OWNER), u32(3))],
    ["another voter from a seed", layOut(u32(10), u32(0), address(CLOCK), u64(0n), address(NEXT))],
    ["another voter, who signs, from a seed", layOut(u32(11), u32(0), address(CLOCK), u64(0n))],
    [
      "one with a BLS key",
      layOut(u32(10), u32(2), KEY.publicKey, KEY.proof, address(CLOCK), u64(0n), address(NEXT)),
    ],
    [
      "a seed that is too long",
      layOut(u32(10), u32(1), address(CLOCK), u64(33n), new Uint8Array(33), address(NEXT)),
    ],
    [
      "a seed of more bytes than there are numbers",
      layOut(u32(10), u32(1), address(CLOCK), u64(2n ** 64n - 1n)),
    ],
  ])("is passed over: %s", (_, data) => {
    expect(readVoteInstruction(data, [VOTE, CLOCK, OWNER, NEXT])).toBeNull();
  });

  it("is told from the longest seed", () => {
    const data = layOut(
      u32(10),
      u32(1),
      address(CLOCK),
      u64(32n),
      new Uint8Array(32).fill(97),
      address(NEXT),
    );
    expect(readVoteInstruction(data, [VOTE, CLOCK, OWNER])?.change).toEqual({
      of: "withdrawAuthority",
      to: NEXT,
    });
  });
});
