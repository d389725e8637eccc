import { describe, expect, it } from "vitest";
import { readVoteInstruction, type VoteInstruction } from "../../generator/chain/vote-instructions.ts";
import {
  address,
  layOut,
  u16,
  u32,
  u64,
  u8,
  CLOCK,
  authorizeWithdrawer,
  updateBlockRevenueCommission,
  updateCommission,
  updateCommissionBasisPoints,
  updateCommissionCollector,
  voteFor,
} from "../../infra/demo/cluster/transactions/programs.ts";
import type { Instruction } from "../../infra/demo/cluster/transactions/message.ts";
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
const SEEDED = { base: OWNER, owner: CLOCK, seed: "vote:é" };
const DERIVED = addressWithSeed(SEEDED);

const read = ({ data, accounts }: Instruction): VoteInstruction | null =>
  readVoteInstruction(
    data,
    accounts.map(({ address: key }) => key),
  );
const says = (change: VoteInstruction["change"], authority: VoteInstruction["authority"], isFromSeed = false) => ({
  ...{ voteAccount: VOTE, authority, isFromSeed, change },
});

const CASES: { name: string; instruction: Instruction; wanted: VoteInstruction }[] = [
  {
    name: "UpdateCommission",
    instruction: updateCommission(VOTE, OWNER, 7),
    wanted: says({ of: "inflationCommission", basisPoints: 700 }, { key: OWNER, account: 1 }),
  },
  {
    name: "UpdateCommissionBps of inflation rewards",
    instruction: updateCommissionBasisPoints(VOTE, OWNER, 525),
    wanted: says({ of: "inflationCommission", basisPoints: 525 }, { key: OWNER, account: 1 }),
  },
  {
    name: "UpdateCommissionBps of block revenue",
    instruction: updateBlockRevenueCommission(VOTE, OWNER, 5_000),
    wanted: says({ of: "blockRevenueCommission", basisPoints: 5_000 }, { key: OWNER, account: 1 }),
  },
  {
    name: "UpdateCommissionCollector of inflation rewards",
    instruction: updateCommissionCollector(VOTE, OWNER, { of: "inflation rewards", to: NEXT }),
    wanted: says({ of: "inflationCollector", to: NEXT }, { key: OWNER, account: 2 }),
  },
  {
    name: "UpdateCommissionCollector of block revenue",
    instruction: updateCommissionCollector(VOTE, OWNER, { of: "block revenue", to: VOTE }),
    wanted: says({ of: "blockRevenueCollector", to: VOTE }, { key: OWNER, account: 2 }),
  },
  {
    name: "Authorize of a withdrawer",
    instruction: authorizeWithdrawer(VOTE, OWNER, NEXT),
    wanted: says({ of: "withdrawAuthority", to: NEXT }, { key: OWNER, account: 2 }),
  },
  {
    name: "AuthorizeChecked of a withdrawer",
    instruction: authorizeWithdrawerChecked(VOTE, OWNER, NEXT),
    wanted: says({ of: "withdrawAuthority", to: NEXT }, { key: OWNER, account: 2 }),
  },
  {
    name: "AuthorizeWithSeed of a withdrawer",
    instruction: authorizeWithdrawerWithSeed(VOTE, SEEDED, NEXT),
    wanted: says({ of: "withdrawAuthority", to: NEXT }, { key: DERIVED, account: 2 }, true),
  },
  {
    name: "AuthorizeCheckedWithSeed of a withdrawer",
    instruction: authorizeWithdrawerCheckedWithSeed(VOTE, SEEDED, NEXT),
    wanted: says({ of: "withdrawAuthority", to: NEXT }, { key: DERIVED, account: 2 }, true),
  },
  {
    name: "InitializeAccount",
    instruction: initializeVoteAccount(OWNERS_OF_ACCOUNT, 9),
    wanted: says({ of: "initialized", withdrawAuthority: OWNER, basisPoints: 900 }, null),
  },
  {
    name: "InitializeAccountV2",
    instruction: initializeVoteAccountWithKey(OWNERS_OF_ACCOUNT, { key: KEY, basisPoints: 1_234 }),
    wanted: says({ of: "initialized", withdrawAuthority: OWNER, basisPoints: 1_234 }, null),
  },
];

describe.each(CASES)("$name", ({ instruction, wanted }) => {
  it("is read", () => {
    expect(read(instruction)).toEqual(wanted);
  });

  it("is read with more bytes and accounts after it, as the runtime does", () => {
    const data = layOut(instruction.data, u64(0n));
    const accounts = [...instruction.accounts, { address: CLOCK, isSigner: false, isWritable: false }];
    expect(read({ ...instruction, data, accounts })).toEqual(wanted);
  });

  it("is nothing when cut", () => {
    const { data } = instruction;
    // A kind can be a lone byte: its own test.
    const isLoneKind = (length: number) => data[0] === 18 && length === 7;
    for (let length = 0; length < data.length; length++) {
      if (isLoneKind(length)) continue;
      expect(read({ ...instruction, data: data.subarray(0, length) }), String(length)).toBeNull();
    }
  });

  it("is nothing without a vote account, and names nobody who is not there", () => {
    const keys = instruction.accounts.map(({ address: key }) => key);
    expect(readVoteInstruction(instruction.data, [])).toBeNull();
    expect(readVoteInstruction(instruction.data, [undefined, ...keys.slice(1)])).toBeNull();
    const unknown = readVoteInstruction(instruction.data, [VOTE, ...keys.slice(1).map(() => undefined)]);
    expect(unknown?.authority ?? null).toBeNull();
  });
});

describe("accounts without which the runtime refuses", () => {
  it.each([
    ["InitializeAccount", 3],
    ["InitializeAccountV2", 4],
    ["Authorize of a withdrawer", 2],
    ["AuthorizeChecked of a withdrawer", 4],
    ["AuthorizeWithSeed of a withdrawer", 3],
    ["AuthorizeCheckedWithSeed of a withdrawer", 4],
    ["UpdateCommissionCollector of block revenue", 3],
    ["UpdateCommission", 1],
    ["UpdateCommissionBps of block revenue", 1],
  ])("%s needs %i", (name, least) => {
    const { instruction } = CASES.find((one) => one.name === name)!;
    const withAccounts = (count: number) => read({ ...instruction, accounts: instruction.accounts.slice(0, count) });
    expect(withAccounts(least)?.voteAccount).toBe(VOTE);
    expect(withAccounts(least - 1)).toBeNull();
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
    [initializeVoteAccountWithKey(OWNERS_OF_ACCOUNT, { key: KEY, basisPoints: 65_535 }), 10_000],
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

describe("what changes no rate, no collector and no withdraw authority", () => {
  const slotHash = { slot: 5n, hash: BLOCKHASH, root: null };
  it.each<[string, Instruction]>([
    ["a vote", voteFor(VOTE, OWNER, slotHash)],
    ["a withdrawal", withdrawFromVoteAccount({ vote: VOTE, to: NEXT, withdrawer: OWNER, lamports: 5n })],
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
      "another voter with a BLS key from a seed",
      layOut(u32(10), u32(2), KEY.publicKey, KEY.proof, address(CLOCK), u64(0n), address(NEXT)),
    ],
    ["a seed that is too long", layOut(u32(10), u32(1), address(CLOCK), u64(33n), new Uint8Array(33), address(NEXT))],
    ["a seed of more bytes than there are numbers", layOut(u32(10), u32(1), address(CLOCK), u64(2n ** 64n - 1n))],
  ])("is passed over: %s", (_, data) => {
    expect(readVoteInstruction(data, [VOTE, CLOCK, OWNER, NEXT])).toBeNull();
  });

  it("is told from the longest seed", () => {
    const data = layOut(u32(10), u32(1), address(CLOCK), u64(32n), new Uint8Array(32).fill(97), address(NEXT));
    expect(readVoteInstruction(data, [VOTE, CLOCK, OWNER])?.change).toEqual({ of: "withdrawAuthority", to: NEXT });
  });
});
