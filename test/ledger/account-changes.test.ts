import { describe, expect, it } from "vitest";
import type { Entry, InnerInstruction, TransactionsEntry } from "../../generator/entries/entry.ts";
import { VOTE_PROGRAM } from "../../generator/chain/program-address.ts";
import { readonly, signer, writable } from "../../infra/demo/cluster/transactions/message.ts";
import {
  authorizeWithdrawer,
  updateBlockRevenueCommission,
  updateCommissionBasisPoints,
  updateCommissionCollector,
} from "../../infra/demo/cluster/transactions/programs.ts";
import { deriveKeypair } from "../integration/validator/keys.ts";
import { panelSnapshot } from "./panel-story.ts";
import { A, AUTHORITY, carriedOut, PAYER, setsA, transactions, type Carried } from "./proof-story.ts";
import { slotAt, tell, validatorOf, withA } from "./story.ts";

const authority = AUTHORITY.address;
const next = deriveKeypair("the next authority of A");
/** Snapshots at 0, 10, 20 and 30 minutes, of which the last two read who has the authority later. */
const steady = (bps: number, { by = authority, later = by }: { by?: string; later?: string } = {}): Entry[] =>
  [by, by, later, later].map((key, index) =>
    panelSnapshot(index * 10, withA({ bps }), { of: 3, by: index % 3, authority: key }),
  );
const found = (...carried: Carried[]) => carried.map((one) => ({ carried: one }));

describe("what else transactions of the authority change", () => {
  const collector = deriveKeypair("who collects").address;
  const told = tell(
    ...steady(500).slice(0, 2),
    transactions(31, 3, {
      after: -100,
      upTo: 30.5,
      found: found(
        carriedOut(slotAt(12), [updateBlockRevenueCommission(A, authority, 4_000)], [AUTHORITY]),
        carriedOut(
          slotAt(13),
          [updateCommissionCollector(A, authority, { of: "inflation rewards", to: collector })],
          [AUTHORITY],
        ),
        carriedOut(slotAt(14), [authorizeWithdrawer(A, authority, next.address)], [AUTHORITY]),
      ),
    }),
  );

  it("is kept, oldest first", () => {
    expect(validatorOf(told, "A").accountChanges).toMatchObject([
      { of: "blockRevenueCommission", to: 4_000, slot: slotAt(12), signer: authority, verified: "signature" },
      { of: "inflationCollector", to: collector, slot: slotAt(13) },
      { of: "withdrawAuthority", to: next.address, slot: slotAt(14) },
    ]);
  });

  it("is no event", () => {
    expect(told.ledger.events).toEqual([]);
  });

  it("names the next authority, though no account was read since", () => {
    expect(validatorOf(told, "A").authorities.map(({ key, from }) => [key, from])).toEqual([
      [authority, slotAt(0)],
      [next.address, slotAt(14)],
    ]);
  });

  it("is kept once", () => {
    const again = found(carriedOut(slotAt(12), [updateBlockRevenueCommission(A, authority, 4_000)], [AUTHORITY]));
    const search = { after: -100, upTo: 30.5, found: again };
    const twice = tell(...steady(500), transactions(31, 3, search), transactions(32, 3, search));
    expect(validatorOf(twice, "A").accountChanges).toHaveLength(1);
  });
});

describe("a change by the next authority", () => {
  const handover = carriedOut(slotAt(14), [authorizeWithdrawer(A, authority, next.address)], [AUTHORITY]);
  const flip = [setsA(16, [10_000], { by: next }), setsA(17, [500], { by: next })];
  const ratesOf = (...entries: Entry[]) => {
    const { ledger } = tell(...steady(500, { later: next.address }), ...entries);
    return ledger.events.map(({ from, to, transaction }) => [from, to, transaction?.signer]);
  };
  const ofFirst = { after: -100, upTo: 30.5, found: found(handover) };
  const ofNext = { authority: next.address, after: -100, upTo: 30.5, found: found(...flip) };

  it("is proved once the hand-over is", () => {
    expect(ratesOf(transactions(31, 3, ofFirst, ofNext))).toEqual([
      [500, 10_000, next.address],
      [10_000, 500, next.address],
    ]);
  });

  it("is nobody's before", () => {
    expect(ratesOf(transactions(31, 3, ofNext))).toEqual([]);
  });

  it("may stand in the same transaction", () => {
    const both = carriedOut(
      slotAt(14),
      [authorizeWithdrawer(A, authority, next.address), updateCommissionBasisPoints(A, next.address, 10_000)],
      [AUTHORITY, next],
    );
    const back = setsA(17, [500], { by: next });
    expect(ratesOf(transactions(31, 3, { ...ofFirst, found: found(both) }, { ...ofNext, found: found(back) }))).toEqual(
      [
        [500, 10_000, next.address],
        [10_000, 500, next.address],
      ],
    );
  });

  it("by the first one, after it, is nobody's", () => {
    const late = [setsA(16, [10_000]), setsA(17, [500])];
    expect(
      ratesOf(transactions(31, 3, { ...ofFirst, found: found(handover, ...late) }, { ...ofNext, found: [] })),
    ).toEqual([]);
  });
});

describe("an instruction inside another one", () => {
  const multisig = deriveKeypair("stands for a program's address").address;
  const outer = {
    program: deriveKeypair("a program").address,
    accounts: [writable(A), signer(PAYER.address), readonly(multisig), readonly(VOTE_PROGRAM)],
    data: Uint8Array.of(1, 2, 3),
  };
  const places = (entry: TransactionsEntry, rate: number): TransactionsEntry => {
    const inner: InnerInstruction[] = [[0, 0, [0, 0], ""]];
    return {
      ...entry,
      transactions: entry.transactions.map((row) => {
        // As the message orders them: the payer, what is written, what is read.
        const keys = [PAYER.address, A, multisig, VOTE_PROGRAM, outer.program];
        const data = Buffer.from(updateCommissionBasisPoints(A, multisig, rate).data).toString("base64");
        inner[0] = [0, keys.indexOf(VOTE_PROGRAM), [keys.indexOf(A), keys.indexOf(multisig)], data];
        return {
          ...row,
          answers: row.answers.map((answer) => (answer.state === "ok" ? { ...answer, inner: [...inner] } : answer)),
        };
      }),
    };
  };

  it("is told by the witnesses, and never said to be signed", () => {
    const entry = transactions(31, 3, {
      authority: multisig,
      after: -100,
      upTo: 30.5,
      found: found(carriedOut(slotAt(12), [outer], [])),
    });
    const back = transactions(32, 3, {
      authority: multisig,
      after: 30.5,
      upTo: 31.5,
      found: found(carriedOut(slotAt(31), [{ ...outer, data: Uint8Array.of(4) }], [])),
    });
    const told = tell(
      ...steady(500, { by: multisig }),
      places(entry, 10_000),
      panelSnapshot(31.6, withA({ bps: 500 }), { of: 3, authority: multisig }),
      places(back, 500),
    );
    expect(told.ledger.events.map(({ from, to, transaction }) => [from, to, transaction?.verified])).toEqual([
      [500, 10_000, "witnesses"],
      [10_000, 500, "witnesses"],
    ]);
  });
});

describe("the same transaction of several accounts", () => {
  it("is an event of each", () => {
    const votes = ["crowd 0", "crowd 1"].map((name) => validatorOf(tell(...steady(500)), name).vote);
    const both = (minute: number, rate: number) =>
      carriedOut(
        slotAt(minute),
        votes.map((vote) => updateCommissionBasisPoints(vote, authority, rate)),
        [AUTHORITY],
      );
    const own = steady(500).map((entry) =>
      entry.kind !== "snapshot" || entry.accounts === undefined
        ? entry
        : {
            ...entry,
            accounts: entry.accounts.map((answer) =>
              answer.state === "ok"
                ? { ...answer, rows: answer.rows.map((row) => row && ([row[0], row[1], authority] as typeof row)) }
                : answer,
            ),
          },
    );
    const { ledger } = tell(
      ...own,
      transactions(31, 3, { after: -100, upTo: 30.5, found: found(both(12, 10_000), both(13, 500)) }),
    );
    expect(ledger.events.map(({ ordinal, to }) => [ledger.validators[ordinal]?.vote, to])).toEqual([
      [votes[0], 10_000],
      [votes[0], 500],
      [votes[1], 10_000],
      [votes[1], 500],
    ]);
  });
});
