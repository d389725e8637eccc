import { expect, it } from "vitest";
import { VOTE_PROGRAM } from "../../generator/chain/program-address.ts";
import type { Entry, InnerInstruction } from "../../generator/entries/entry.ts";
import { readonly, signer, writable } from "../cluster/transactions/message.ts";
import {
  authorizeWithdrawer,
  updateBlockRevenueCommission,
  updateCommissionBasisPoints,
  updateCommissionCollector,
} from "../cluster/transactions/programs.ts";
import { deriveKeypair } from "../integration/validator/keys.ts";
import { slotAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { validatorOf } from "../story/outcome.ts";
import {
  A,
  AUTHORITY,
  execute,
  PAYER,
  setsA,
  steady,
  transactions,
  type Executed,
} from "../story/transactions.ts";
import { all } from "../story/witnesses.ts";

const authority = AUTHORITY.address;
const next = deriveKeypair("the next authority of A");
const handover = execute(
  slotAt(14),
  [authorizeWithdrawer(A, authority, next.address)],
  [AUTHORITY],
);
const searchOf = (found: Executed[], of = authority) => ({
  authority: of,
  after: -100,
  upTo: 30.5,
  found,
});
const changesOf = (...entries: Entry[]) => {
  const { events, validators } = foldStory(...entries).ledger;
  return events.map(({ validatorIndex, from, to, transaction }) => [
    validators[validatorIndex]?.vote,
    from,
    to,
    transaction?.signer,
  ]);
};

const collector = deriveKeypair("who collects").address;
const collects = updateCommissionCollector(A, authority, {
  of: "inflation rewards",
  to: collector,
});
const search = searchOf([
  execute(slotAt(12), [updateBlockRevenueCommission(A, authority, 4_000)], [AUTHORITY]),
  execute(slotAt(13), [collects], [AUTHORITY]),
  handover,
]);

it("what else transactions of the authority change is kept, oldest first, each once, and is no event", () => {
  const outcome = foldStory(
    ...steady(0, 10, 500),
    transactions(31, 3, search),
    transactions(32, 3, search),
  );
  expect(validatorOf(outcome, "A").accountChanges).toMatchObject([
    {
      of: "blockRevenueCommission",
      to: 4_000,
      slot: slotAt(12),
      signer: authority,
      verified: "signature",
    },
    { of: "inflationCollector", to: collector, slot: slotAt(13) },
    { of: "withdrawAuthority", to: next.address, slot: slotAt(14) },
  ]);
  expect(outcome.ledger.events).toEqual([]);
  // The new authority is known without another account reading.
  expect(validatorOf(outcome, "A").authorities.map(({ key, from }) => [key, from])).toEqual([
    [authority, slotAt(0)],
    [next.address, slotAt(14)],
  ]);
});

const begin = [...steady(0, 10, 500), ...steady(20, 30, 500, next.address)];
const back = setsA(17, [500], { by: next });
const flip = searchOf([setsA(16, [10_000], { by: next }), back], next.address);
const both = execute(
  slotAt(14),
  [
    authorizeWithdrawer(A, authority, next.address),
    updateCommissionBasisPoints(A, next.address, 10_000),
  ],
  [AUTHORITY, next],
);
const flipped = [
  [A, 500, 10_000, next.address],
  [A, 10_000, 500, next.address],
];

it.each<[string, ReturnType<typeof searchOf>[], unknown[]]>([
  ["is proved once the hand-over is", [searchOf([handover]), flip], flipped],
  ["is nobody's before", [flip], []],
  [
    "may stand in the same transaction",
    [searchOf([both]), searchOf([back], next.address)],
    flipped,
  ],
  [
    "is nobody's by the first one, after it",
    [searchOf([handover, setsA(16, [10_000]), setsA(17, [500])])],
    [],
  ],
])("a change by the next authority %s", (_, searches, events) => {
  expect(changesOf(...begin, transactions(31, 3, ...searches))).toEqual(events);
});

it("an instruction inside another one is told by the witnesses, and never said to be signed", () => {
  const multisig = deriveKeypair("stands for a program's address").address;
  const program = deriveKeypair("a program").address;
  const accounts = [writable(A), signer(PAYER.address), readonly(multisig), readonly(VOTE_PROGRAM)];
  const setsInside = (minute: number, rate: number) => {
    // In the message's order: payer, writable, read-only.
    const keys = [PAYER.address, A, multisig, VOTE_PROGRAM, program];
    const data = Buffer.from(updateCommissionBasisPoints(A, multisig, rate).data).toString(
      "base64",
    );
    const inner: InnerInstruction[] = [
      [0, keys.indexOf(VOTE_PROGRAM), [keys.indexOf(A), keys.indexOf(multisig)], data],
    ];
    const executed = execute(
      slotAt(minute),
      [{ program, accounts, data: Uint8Array.of(1, 2, 3) }],
      [],
    );
    return { executed, lies: all(3, { inner }) };
  };
  const found = [setsInside(12, 10_000), setsInside(13, 500)];
  const search = transactions(31, 3, { authority: multisig, after: -100, upTo: 30.5, found });
  const outcome = foldStory(...steady(0, 30, 500, multisig), search);
  expect(
    outcome.ledger.events.map(({ from, to, transaction }) => [from, to, transaction?.verified]),
  ).toEqual([
    [500, 10_000, "witnesses"],
    [10_000, 500, "witnesses"],
  ]);
});

it("the same transaction of several accounts is an event of each", () => {
  const votes = ["crowd 0", "crowd 1"].map(
    (name) => validatorOf(foldStory(...steady(0, 0, 500)), name).vote,
  );
  const both = (minute: number, rate: number) =>
    execute(
      slotAt(minute),
      votes.map((vote) => updateCommissionBasisPoints(vote, authority, rate)),
      [AUTHORITY],
    );
  const shared = steady(0, 30, 500).map((entry) => {
    if (entry.kind !== "snapshot") return entry;
    const accounts = entry.accounts.map((answer) =>
      answer.state === "ok"
        ? {
            ...answer,
            rows: answer.rows.map(
              (row) => row && ([row[0], row[1], authority, row[3]] as typeof row),
            ),
          }
        : answer,
    );
    return { ...entry, accounts };
  });
  const events = changesOf(
    ...shared,
    transactions(31, 3, searchOf([both(12, 10_000), both(13, 500)])),
  );
  expect(events.map(([vote, , to]) => [vote, to])).toEqual([
    [votes[0], 10_000],
    [votes[0], 500],
    [votes[1], 10_000],
    [votes[1], 500],
  ]);
});
