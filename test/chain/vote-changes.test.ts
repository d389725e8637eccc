import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Transaction } from "../../generator/chain/transaction.ts";
import { findVoteChanges, type Carried } from "../../generator/chain/vote-changes.ts";
import { VOTE_PROGRAM } from "../../generator/chain/program-address.ts";
import {
  type Instruction,
  listLoaded,
  readonly,
  signer,
  writable,
  writableSigner,
} from "../../infra/demo/cluster/transactions/message.ts";
import {
  CLOCK,
  COMPUTE_BUDGET_PROGRAM,
  authorizeWithdrawer,
  updateBlockRevenueCommission,
  updateCommission,
  updateCommissionBasisPoints,
  updateCommissionCollector,
} from "../../infra/demo/cluster/transactions/programs.ts";
import {
  authorizeWithdrawerCheckedWithSeed,
  authorizeWithdrawerWithSeed,
  initializeVoteAccount,
} from "../integration/validator/vote-program.ts";
import { makeDecoded, OWNERS, PAYER, VOTE_ACCOUNTS } from "./made-up.ts";

const [VOTE, OTHER_VOTE, THIRD_VOTE] = VOTE_ACCOUNTS;
const [OWNER, OTHER, THIRD] = OWNERS.map(({ address }) => address) as [string, string, string];
const NOTHING: Carried = { inner: [], loaded: [] };
const MULTISIG: Instruction = {
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [writable(VOTE), readonly(OTHER), readonly(VOTE_PROGRAM)],
  data: new Uint8Array(0),
};

/** An instruction as an endpoint tells that the one at a place of the transaction carried it out. */
function toInner(transaction: Transaction, outer: number, { program, accounts, data }: Instruction) {
  const placeOf = (key: string) => {
    const place = transaction.keys.indexOf(key);
    if (place < 0) throw new Error(`${key} is no key of the transaction`);
    return place;
  };
  const places = accounts.map(({ address }) => placeOf(address));
  return [outer, placeOf(program), places, Buffer.from(data).toString("base64")] as const;
}

const rates = (changes: ReturnType<typeof findVoteChanges>) =>
  changes.map(({ voteAccount, change, proof }) => [
    voteAccount,
    "basisPoints" in change ? change.basisPoints : null,
    proof,
  ]);

describe("changes at the top", () => {
  const votes = fc.constantFrom(...VOTE_ACCOUNTS);
  const owners = fc.constantFrom(OWNER, OTHER, THIRD);
  const points = fc.nat({ max: 10_000 });
  const changes = fc.oneof(
    fc
      .tuple(votes, owners, points)
      .map(([vote, owner, basisPoints]) => ({
        instruction: updateCommissionBasisPoints(vote, owner, basisPoints),
        wanted: { voteAccount: vote, key: owner, change: { of: "inflationCommission", basisPoints } },
      })),
    fc
      .tuple(votes, owners, points)
      .map(([vote, owner, basisPoints]) => ({
        instruction: updateBlockRevenueCommission(vote, owner, basisPoints),
        wanted: { voteAccount: vote, key: owner, change: { of: "blockRevenueCommission", basisPoints } },
      })),
    fc
      .tuple(votes, owners, fc.nat({ max: 100 }))
      .map(([vote, owner, percent]) => ({
        instruction: updateCommission(vote, owner, percent),
        wanted: { voteAccount: vote, key: owner, change: { of: "inflationCommission", basisPoints: percent * 100 } },
      })),
    fc
      .tuple(votes, owners, owners)
      .map(([vote, owner, to]) => ({
        instruction: authorizeWithdrawer(vote, owner, to),
        wanted: { voteAccount: vote, key: owner, change: { of: "withdrawAuthority", to } },
      })),
    fc
      .tuple(votes, owners, votes)
      .map(([vote, owner, to]) => ({
        instruction: updateCommissionCollector(vote, owner, { of: "inflation rewards", to }),
        wanted: { voteAccount: vote, key: owner, change: { of: "inflationCollector", to } },
      })),
  );

  it("are found in their order, each with who signed it", () => {
    fc.assert(
      fc.property(
        fc.array(changes, { maxLength: 5 }),
        fc.constantFrom("legacy" as const, 0 as const),
        (all, version) => {
          const transaction = makeDecoded(
            all.map(({ instruction }) => instruction),
            { version },
          );
          const found = findVoteChanges(transaction, NOTHING);
          expect(found).toMatchObject(
            all.map(({ wanted: { key, ...wanted } }) => ({ ...wanted, authority: { key }, proof: "signature" })),
          );
          expect(found.map(({ authorities }) => authorities)).toEqual(all.map(({ wanted: { key } }) => [key]));
        },
      ),
    );
  });

  it("are those of the vote program alone", () => {
    const stranger = { ...updateCommissionBasisPoints(VOTE, OWNER, 500), program: COMPUTE_BUDGET_PROGRAM };
    expect(findVoteChanges(makeDecoded([stranger]), NOTHING)).toEqual([]);
  });

  it("are none where nobody who could be the authority signs", () => {
    const unsigned = { ...updateCommissionBasisPoints(VOTE, OWNER, 500), accounts: [writable(VOTE), readonly(OWNER)] };
    expect(findVoteChanges(makeDecoded([unsigned]), NOTHING)).toEqual([]);
  });

  it("can be signed for at any place, and by the vote account itself", () => {
    const { program, data } = updateCommissionBasisPoints(VOTE, OWNER, 500);
    const find = (accounts: Instruction["accounts"]) =>
      findVoteChanges(makeDecoded([{ program, data, accounts }]), NOTHING);
    expect(find([writable(VOTE), readonly(CLOCK), signer(OWNER)])).toMatchObject([
      { authority: { key: OWNER, account: 2 }, authorities: [OWNER], proof: "signature" },
    ]);
    expect(find([writable(VOTE), signer(OTHER), signer(OWNER), signer(OTHER)])).toMatchObject([
      { authority: { key: OTHER, account: 1 }, authorities: [OTHER, OWNER], proof: "signature" },
    ]);
    expect(find([writableSigner(OWNER)])).toMatchObject([
      { voteAccount: OWNER, authority: { key: OWNER, account: 0 }, authorities: [OWNER], proof: "signature" },
    ]);
  });

  it("are signed for by the base of an address from a seed, at its own place alone", () => {
    const from = { base: OWNER, owner: CLOCK, seed: "seed" };
    const seeded = authorizeWithdrawerWithSeed(VOTE, from, OTHER);
    const [found] = findVoteChanges(makeDecoded([seeded]), NOTHING);
    expect(found).toMatchObject({ isFromSeed: true, authority: { account: 2 }, proof: "signature" });
    expect(found?.authorities).toEqual([found?.authority?.key]);
    expect(found?.authorities).not.toContain(OWNER);
    const elsewhere = { ...seeded, accounts: [writable(VOTE), signer(OWNER), readonly(CLOCK)] };
    expect(findVoteChanges(makeDecoded([elsewhere]), NOTHING)).toEqual([]);
    const checked = authorizeWithdrawerCheckedWithSeed(VOTE, from, OTHER);
    expect(findVoteChanges(makeDecoded([checked]), NOTHING)).toMatchObject([{ authorities: found?.authorities }]);
  });

  it("of an account that was empty are told, as no authority signs them", () => {
    const owners = { vote: VOTE, node: OWNER, voter: OTHER, withdrawer: THIRD };
    expect(findVoteChanges(makeDecoded([initializeVoteAccount(owners, 10)]), NOTHING)).toEqual([
      {
        ...{ voteAccount: VOTE, authority: null, isFromSeed: false, authorities: [], proof: "told" },
        change: { of: "initialized", withdrawAuthority: THIRD, basisPoints: 1000 },
      },
    ]);
  });

  it("are none where any signature is not by its key, be it only the one that names the transaction", () => {
    const transaction = makeDecoded([updateCommissionBasisPoints(VOTE, OWNER, 500)]);
    expect(findVoteChanges(transaction, NOTHING)).toHaveLength(1);
    for (const place of [0, 1]) {
      const signatures = transaction.signatures.map((bytes, index) =>
        index === place ? bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte)) : bytes,
      );
      expect(findVoteChanges({ ...transaction, signatures }, NOTHING)).toEqual([]);
    }
  });
});

describe("a vote account from a table", () => {
  const lookups = [{ table: PAYER.address, writable: [{ place: 3, address: VOTE }], readonly: [] }];
  const transaction = makeDecoded([updateCommissionBasisPoints(VOTE, OWNER, 500)], { version: 0, lookups });

  it("is told, and so is its change", () => {
    expect(findVoteChanges(transaction, { inner: [], loaded: listLoaded(lookups) })).toMatchObject([
      { voteAccount: VOTE, authorities: [OWNER], proof: "told" },
    ]);
  });

  it.each([[[]], [[VOTE, OTHER_VOTE]]])(
    "is not known where another count of keys is told than is asked for (%#)",
    (loaded) => {
      expect(findVoteChanges(transaction, { inner: [], loaded })).toEqual([]);
    },
  );

  it("does not take what is signed for another account away", () => {
    const both = [updateCommissionBasisPoints(VOTE, OWNER, 500), updateCommissionBasisPoints(OTHER_VOTE, OWNER, 600)];
    const told = { inner: [], loaded: [] };
    expect(rates(findVoteChanges(makeDecoded(both, { version: 0, lookups }), told))).toEqual([
      [OTHER_VOTE, 600, "signature"],
    ]);
  });
});

describe("changes inside others", () => {
  const transaction = makeDecoded([
    MULTISIG,
    updateCommissionBasisPoints(OTHER_VOTE, OWNER, 200),
    MULTISIG,
    updateCommissionBasisPoints(THIRD_VOTE, OWNER, 400),
  ]);
  const inner = (outer: number, basisPoints: number) =>
    toInner(transaction, outer, updateCommissionBasisPoints(VOTE, OTHER, basisPoints));

  it("are told, and stand where they were carried out", () => {
    const carried = { inner: [inner(0, 100), inner(0, 150), inner(2, 300)], loaded: [] };
    expect(rates(findVoteChanges(transaction, carried))).toEqual([
      [VOTE, 100, "told"],
      [VOTE, 150, "told"],
      [OTHER_VOTE, 200, "signature"],
      [VOTE, 300, "told"],
      [THIRD_VOTE, 400, "signature"],
    ]);
  });

  it("can have been agreed to by any of their accounts", () => {
    const [first] = findVoteChanges(transaction, { inner: [inner(0, 100)], loaded: [] });
    expect(first).toMatchObject({ authority: { key: OTHER, account: 1 }, authorities: [OTHER, VOTE] });
  });

  it("of no instruction, of another program, or with places beyond the keys are passed over", () => {
    const good = inner(0, 100);
    const [, program, places, data] = good;
    const carried: Carried = {
      inner: [
        ...[[4, program, places, data] as const, [255, program, places, data] as const],
        ...[[0, 0, places, data] as const, [0, 200, places, data] as const],
        ...[[0, program, [200, 201], data] as const, [0, program, [], data] as const],
        ...[[0, program, places, ""] as const, [0, program, places, "????"] as const],
      ],
      loaded: [],
    };
    expect(rates(findVoteChanges(transaction, carried))).toEqual([
      [OTHER_VOTE, 200, "signature"],
      [THIRD_VOTE, 400, "signature"],
    ]);
    expect(findVoteChanges(transaction, { inner: [good], loaded: [] })).toHaveLength(3);
  });

  it("are none where the transaction around them is not signed", () => {
    const alone = makeDecoded([MULTISIG]);
    const carried = { inner: [toInner(alone, 0, updateCommissionBasisPoints(VOTE, OTHER, 100))], loaded: [] };
    expect(findVoteChanges(alone, carried)).toHaveLength(1);
    expect(findVoteChanges({ ...alone, signatures: [new Uint8Array(64)] }, carried)).toEqual([]);
  });
});
