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
} from "../cluster/transactions/message.ts";
import {
  CLOCK,
  COMPUTE_BUDGET_PROGRAM,
  authorizeWithdrawer,
  updateBlockRevenueCommission,
  updateCommission,
  updateCommissionBasisPoints,
  updateCommissionCollector,
} from "../cluster/transactions/programs.ts";
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

/** An inner instruction as an endpoint reports it. */
function toInner(
  transaction: Transaction,
  outer: number,
  { program, accounts, data }: Instruction,
) {
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
  const [votes, owners] = [fc.constantFrom(...VOTE_ACCOUNTS), fc.constantFrom(OWNER, OTHER, THIRD)];
  const changes = fc
    .tuple(votes, owners, owners, fc.nat(10_000), fc.nat(4))
    .map(([voteAccount, key, to, basisPoints, kind]) => {
      const percent = basisPoints % 101;
      const [instruction, change] = [
        [
          updateCommissionBasisPoints(voteAccount, key, basisPoints),
          { of: "inflationCommission", basisPoints },
        ],
        [
          updateBlockRevenueCommission(voteAccount, key, basisPoints),
          { of: "blockRevenueCommission", basisPoints },
        ],
        [
          updateCommission(voteAccount, key, percent),
          { of: "inflationCommission", basisPoints: percent * 100 },
        ],
        [authorizeWithdrawer(voteAccount, key, to), { of: "withdrawAuthority", to }],
        [
          updateCommissionCollector(voteAccount, key, { of: "inflation rewards", to: THIRD_VOTE }),
          { of: "inflationCollector", to: THIRD_VOTE },
        ],
      ][kind] as [Instruction, object];
      return {
        instruction,
        wanted: { voteAccount, authority: { key }, authorities: [key], change, proof: "signature" },
      };
    });

  it("are found in their order, each with who signed it", () => {
    const versions = fc.constantFrom("legacy" as const, 0 as const, 1 as const);
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 5 }), versions, (all, version) => {
        const instructions = all.map(({ instruction }) => instruction);
        const found = findVoteChanges(makeDecoded(instructions, { version }), NOTHING);
        expect(found).toMatchObject(all.map(({ wanted }) => wanted));
      }),
    );
  });

  it.each<[string, Partial<Instruction>]>([
    ["of another program than the vote program's", { program: COMPUTE_BUDGET_PROGRAM }],
    [
      "where nobody who could be the authority signs",
      { accounts: [writable(VOTE), readonly(OWNER)] },
    ],
  ])("are none %s", (_, other) => {
    const instruction = { ...updateCommissionBasisPoints(VOTE, OWNER, 500), ...other };
    expect(findVoteChanges(makeDecoded([instruction]), NOTHING)).toEqual([]);
  });

  it.each([
    ["a later account", [writable(VOTE), readonly(CLOCK), signer(OWNER)], 2, [OWNER]],
    ["several", [writable(VOTE), signer(OTHER), signer(OWNER), signer(OTHER)], 1, [OTHER, OWNER]],
    ["the vote account itself", [writableSigner(OWNER)], 0, [OWNER]],
  ])("can be signed for by %s", (_, accounts, account, authorities) => {
    const instruction = { ...updateCommissionBasisPoints(VOTE, OWNER, 500), accounts };
    expect(findVoteChanges(makeDecoded([instruction]), NOTHING)).toMatchObject([
      {
        voteAccount: accounts[0]!.address,
        authority: { key: authorities[0], account },
        authorities,
        proof: "signature",
      },
    ]);
  });

  it("are signed for by the base of an address from a seed, at its own place alone", () => {
    const from = { base: OWNER, owner: CLOCK, seed: "seed" };
    const seeded = authorizeWithdrawerWithSeed(VOTE, from, OTHER);
    const [found] = findVoteChanges(makeDecoded([seeded]), NOTHING);
    expect(found).toMatchObject({
      isFromSeed: true,
      authority: { account: 2 },
      proof: "signature",
    });
    expect(found?.authorities).toEqual([found?.authority?.key]);
    expect(found?.authorities).not.toContain(OWNER);
    const elsewhere = { ...seeded, accounts: [writable(VOTE), signer(OWNER), readonly(CLOCK)] };
    expect(findVoteChanges(makeDecoded([elsewhere]), NOTHING)).toEqual([]);
    const checked = authorizeWithdrawerCheckedWithSeed(VOTE, from, OTHER);
    expect(findVoteChanges(makeDecoded([checked]), NOTHING)).toMatchObject([
      { authorities: found?.authorities },
    ]);
  });

  it("of an account that was empty are told, as no authority signs them", () => {
    const owners = { vote: VOTE, node: OWNER, voter: OTHER, withdrawer: THIRD };
    expect(findVoteChanges(makeDecoded([initializeVoteAccount(owners, 10)]), NOTHING)).toEqual([
      {
        ...{
          voteAccount: VOTE,
          authority: null,
          isFromSeed: false,
          authorities: [],
          proof: "reported",
        },
        change: { of: "initialized", withdrawAuthority: THIRD, basisPoints: 1000 },
      },
    ]);
  });

  it.each([0, 1])(
    "are none where signature %i is not by its key, be it only the one that names the transaction",
    (place) => {
      const { signatures, ...rest } = makeDecoded([updateCommissionBasisPoints(VOTE, OWNER, 500)]);
      const wrong = signatures[place]!.map((byte, at) => (at === 0 ? byte ^ 1 : byte));
      expect(findVoteChanges({ ...rest, signatures }, NOTHING)).toHaveLength(1);
      expect(
        findVoteChanges({ ...rest, signatures: signatures.with(place, wrong) }, NOTHING),
      ).toEqual([]);
    },
  );
});

describe("a vote account from a table", () => {
  const lookups = [{ table: PAYER.address, writable: [{ place: 3, address: VOTE }], readonly: [] }];
  const transaction = makeDecoded([updateCommissionBasisPoints(VOTE, OWNER, 500)], {
    version: 0,
    lookups,
  });

  it("is told, and so is its change", () => {
    expect(findVoteChanges(transaction, { inner: [], loaded: listLoaded(lookups) })).toMatchObject([
      { voteAccount: VOTE, authorities: [OWNER], proof: "reported" },
    ]);
  });

  it.each([[[]], [[VOTE, OTHER_VOTE]]])(
    "is not known where too few or too many keys are told (%#)",
    (loaded) => {
      expect(findVoteChanges(transaction, { inner: [], loaded })).toEqual([]);
    },
  );

  it("does not take what is signed for another account away", () => {
    const both = [
      updateCommissionBasisPoints(VOTE, OWNER, 500),
      updateCommissionBasisPoints(OTHER_VOTE, OWNER, 600),
    ];
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
      [VOTE, 100, "reported"],
      [VOTE, 150, "reported"],
      [OTHER_VOTE, 200, "signature"],
      [VOTE, 300, "reported"],
      [THIRD_VOTE, 400, "signature"],
    ]);
  });

  it("can have been agreed to by any of their accounts", () => {
    const [first] = findVoteChanges(transaction, { inner: [inner(0, 100)], loaded: [] });
    expect(first).toMatchObject({
      authority: { key: OTHER, account: 1 },
      authorities: [OTHER, VOTE],
    });
  });

  it("of no instruction, of another program, or with places beyond the keys are passed over", () => {
    const [, program, places, data] = inner(0, 100);
    const wrong: Carried["inner"] = [
      ...[[4, program, places, data] as const, [255, program, places, data] as const],
      ...[[0, 0, places, data] as const, [0, 200, places, data] as const],
      ...[[0, program, [200, 201], data] as const, [0, program, [], data] as const],
      ...[[0, program, places, ""] as const, [0, program, places, "????"] as const],
    ];
    expect(rates(findVoteChanges(transaction, { inner: wrong, loaded: [] }))).toEqual([
      [OTHER_VOTE, 200, "signature"],
      [THIRD_VOTE, 400, "signature"],
    ]);
  });

  it("are none where the transaction around them is not signed", () => {
    const alone = makeDecoded([MULTISIG]);
    const carried = {
      inner: [toInner(alone, 0, updateCommissionBasisPoints(VOTE, OTHER, 100))],
      loaded: [],
    };
    expect(findVoteChanges(alone, carried)).toHaveLength(1);
    expect(findVoteChanges({ ...alone, signatures: [new Uint8Array(64)] }, carried)).toEqual([]);
  });
});
