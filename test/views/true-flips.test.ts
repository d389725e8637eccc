import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import type { EventRecord } from "../../generator/ledger/event-record.ts";
import { searchesForEvents, type SearchDue } from "../../generator/views/searches-due.ts";
import { slotAt, SLOTS_A_MINUTE } from "../story/clock.ts";
import { foldOnto } from "../story/fold.ts";
import { panelCheck, panelSnapshot } from "../story/panels.ts";
import { AUTHORITY, setsA, transactions } from "../story/transactions.ts";
import { withA } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";
import { SOAK } from "../soak/soak.ts";

/*
 * A's rate flips within slots, polls meet any of them, a list's newest vote
 * is some slots older than its bank, and a witness is asked for transactions
 * at once or later. In the end each change is told once, by its transaction.
 */

const START = 500;
const ORIGIN = slotAt(0);
const FIRST_POLL = ORIGIN + 600;
const EVERYTHING: SearchDue = {
  authority: AUTHORITY.address,
  after: ORIGIN - 300,
  upTo: null,
  transactionsMax: 100,
};

const settings = fc.record({
  gap: fc.constantFrom(1, 2, 3, 12, 40, 100),
  rates: fc.constantFrom([10_000], [500], [0], [900], [10_000, 900], [10_000, 0], [500, 500]),
});
const poll = fc.record({
  /** After a move, or else after the last poll. */
  near: fc.option(fc.nat(8), { nil: null }),
  slots: fc.integer({ min: 0, max: 60 }),
  votesBehind: fc.constantFrom(0, 1, 1, 2, 5),
  isSnapshot: fc.constantFrom(false, false, false, true),
  isSearched: fc.constantFrom(true, true, true, false),
});
const story = fc.record({
  witnesses: fc.constantFrom(1, 1, 2, 3),
  settings: fc.array(settings, { minLength: 3, maxLength: 9 }),
  polls: fc.array(poll, { minLength: 15, maxLength: 40, size: "max" }),
});
type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;

test("every flip is told once, as it was, wherever polls and votes fall", () => {
  let told = 0;
  fc.assert(
    fc.property(story, (one) => {
      const moves = toMoves(one);
      const events = tellAll(one, moves);
      expect(events.flatMap((event) => findFaults(event, moves))).toEqual([]);
      for (const { signature, from, to } of moves.filter((move) => move.from !== move.to)) {
        const telling = events.filter(({ transaction, replacedBy }) => {
          return (
            replacedBy === null && transaction?.steps.some((step) => step.signature === signature)
          );
        });
        expect(telling.length, `${from}→${to}`).toBe(1);
      }
      told += events.length;
    }),
    { numRuns: 30 * SOAK },
  );
  expect(told).toBeGreaterThan(60);
});

interface Move extends ReturnType<typeof setsA> {
  from: number;
  to: number;
}

function toMoves({ settings: list }: Story): Move[] {
  let slot = FIRST_POLL + 100;
  let before = START;
  return list.map(({ gap, rates }) => {
    slot += gap;
    const from = before;
    before = rates.at(-1) ?? from;
    return { ...setsA(0, [...rates], { slot }), from, to: before };
  });
}

/** As a generator observes: lists, the transactions of what changed; in the end a sweep. */
function tellAll({ witnesses: of, polls }: Story, moves: readonly Move[]): EventRecord[] {
  let ledger = createLedger("mainnet");
  const rateAt = (slot: number) => moves.findLast((move) => move.slot <= slot)?.to ?? START;
  const take = (entry: Entry) => void (ledger = foldOnto(ledger, entry).ledger);
  const look = (slot: number) =>
    take(panelSnapshot(toMinute(slot), withA(rateAt(slot)), { of, authority: AUTHORITY.address }));
  const check = (slot: number, votesBehind: number) => {
    const listed = { bps: rateAt(slot), ahead: -votesBehind };
    take(panelCheck(toMinute(slot), withA(rateAt(slot)), { of, lists: all(of, listed) }));
  };
  const search = (slot: number, { authority, after, upTo }: SearchDue) => {
    const last = Math.min(upTo ?? slot, slot);
    const found = moves.filter((move) => move.slot > after && move.slot <= last);
    const span = { authority, after: toMinute(after), upTo: toMinute(last), found };
    if (last > after) take(transactions(toMinute(slot) + 2 * INSTANT, of, span));
  };
  for (let index = 0; index < 4; index++) look(ORIGIN + 60 * (index + 1));
  let slot = FIRST_POLL;
  for (const { near, slots, votesBehind, isSnapshot, isSearched } of polls) {
    slot = Math.max(slot + 1, near === null ? slot + slots : (moves[near]?.slot ?? 0));
    if (isSnapshot) look(slot);
    else check(slot, votesBehind);
    if (isSearched) for (const due of searchesForEvents(ledger, "")) search(slot, due);
  }
  const end = Math.max(slot, moves.at(-1)?.slot ?? 0) + 400;
  for (let index = 0; index < 6; index++) look(end + 200 * index);
  search(end + 1_100, EVERYTHING);
  for (let index = 6; index < 9; index++) look(end + 200 * index);
  return ledger.events;
}

/** Minutes; shorter than a slot. */
const INSTANT = 0.0002;
const toMinute = (slot: number) => (slot - ORIGIN) / SLOTS_A_MINUTE;

function findFaults({ from, to, transaction }: EventRecord, moves: readonly Move[]): string[] {
  const first = moves.find(({ signature }) => signature === transaction?.steps[0]?.signature);
  const last = moves.find(({ signature }) => signature === transaction?.signature);
  return first?.from === from && last?.to === to
    ? []
    : [`${from}→${to} is told for ${first?.from}→${last?.to}`];
}
