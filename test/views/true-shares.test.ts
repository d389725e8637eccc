import fc from "fast-check";
import { expect, test } from "vitest";
import type { ClosedEpoch, Entry, SnapshotEntry, Tip } from "../../generator/entries/entry.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import type { EventRecord } from "../../generator/ledger/event-record.ts";
import type { MevState } from "../../generator/ledger/records.ts";
import { tipAmountsToRead } from "../../generator/ledger/tips/tip-amounts.ts";
import { tipsToRead } from "../../generator/ledger/tips/tips.ts";
import { epochAt, FIRST_EPOCH, slotAt, SLOTS_A_MINUTE, timeAt } from "../story/clock.ts";
import { foldOnto } from "../story/fold.ts";
import { snapshotBy } from "../story/observations.ts";
import { NAMES } from "../story/tips.ts";
import { keyOf, withA } from "../story/validators.ts";
import { all, endpointOf } from "../story/witnesses.ts";
import { SOAK } from "../soak/soak.ts";

/*
 * A has one tip account an epoch, from its first block in it. One of three
 * or four witnesses lies about them and about blocks at will; others may lag
 * or be silent. All events of A must be true, and so must what they cost.
 */

const EPOCHS = 6;
const MINUTES_IN_EPOCH = 120;
const CROWD_SHARE = 800;
/** No block in the epoch. */
const NEVER = Infinity;

/** An epoch of A: its share, null without a tip account, and the minute of its first block. */
const turn = fc.record({
  share: fc.constantFrom(800, 800, 800, 3000, 9500, null, null),
  minute: fc.constantFrom(0, 1, 5, 30, 90, NEVER),
});

/** A witness's answer: the truth at its slot, nothing, or from the liar anything. */
const word = fc.record({
  state: fc.constantFrom("ok", "ok", "ok", "ok", "failed"),
  slotsBehind: fc.constantFrom(0, 0, 20, 140),
  lies: fc.array(fc.constantFrom(null, 800, 3000, 9500), { minLength: 3, maxLength: 3 }),
});
type Word = typeof word extends fc.Arbitrary<infer Value> ? Value : never;

const look = fc.record({
  /** Since the previous look. */
  minutes: fc.constantFrom(1, 10, 10, 10, 10, 10, 10, 40, 100),
  words: fc.tuple(word, word, word, word),
});
type Look = typeof look extends fc.Arbitrary<infer Value> ? Value : never;

const story = fc.record({
  turns: fc.array(turn, { minLength: EPOCHS, maxLength: EPOCHS }),
  looks: fc.array(look, { minLength: 30, maxLength: 60, size: "max" }),
  size: fc.constantFrom(1, 2, 3, 3, 4),
  liar: fc.nat({ max: 3 }),
});
type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;
type Turns = Story["turns"];

test("every MEV event of a panel is true, and the tips it costs a part of, though one of three or four witnesses lies", () => {
  let [told, settled, running] = [0, 0, 0];
  fc.assert(
    fc.property(story, (made) => {
      const { events, validators } = tellByPanel(made);
      expect(
        events.every(({ validatorIndex }) => validators[validatorIndex]?.vote === keyOf("A")),
      ).toBe(true);
      expectTrue(made.turns, events);
      told += events.length;
      for (const { epoch, tips: known, isSettled } of events.flatMap(
        ({ mevCost }) => mevCost ?? [],
      )) {
        const all = amountOf(made.turns, Infinity, epoch)?.[0] ?? 0n;
        expect(known === all || (!isSettled && known < all), `${known} of ${all} lamports`).toBe(
          true,
        );
        if (isSettled) settled += 1;
        else running += 1;
      }
    }),
    { numRuns: 20 * SOAK },
  );
  expect(told).toBeGreaterThan(40);
  expect([settled > 20, running > 3]).toEqual([true, true]);
});

function expectTrue(truth: Turns, events: readonly EventRecord[]): void {
  let held: { state: MevState; epoch: number } | null = null;
  for (const { from, to, epoch, slot, previousSlot } of events) {
    // No change twice: each begins where the last ended, and an epoch has one rate.
    if (held !== null) expect(from).toBe(held.state);
    expect(epoch).toBeGreaterThan(held?.epoch ?? -1);
    expect(truth[epoch - FIRST_EPOCH]?.share).toBe(to === "disabled" ? null : to);
    expect(truth[epoch - FIRST_EPOCH]?.minute).not.toBe(NEVER);
    if (typeof from === "number")
      expect(truth.slice(0, epoch - FIRST_EPOCH).map(({ share }) => share)).toContain(from);
    expect(slot).toBeGreaterThan(previousSlot ?? 0);
    held = { state: to, epoch };
  }
}

function tellByPanel(made: Story): Ledger {
  let ledger = createLedger("mainnet");
  const take = (entry: Entry) => {
    ledger = foldOnto(ledger, entry).ledger;
  };
  let minute = 0;
  for (const each of made.looks) {
    minute += each.minutes;
    if (minute >= EPOCHS * MINUTES_IN_EPOCH) break;
    take(toSnapshot(made, ledger, minute, each));
  }
  return ledger;
}

function toSnapshot(made: Story, ledger: Ledger, minute: number, said: Look): SnapshotEntry {
  const epoch = epochAt(minute);
  const skipped = { state: "skipped", off: false } as const;
  const ok = <Value>(value: Value) => ({ state: "ok" as const, value });
  const { tips, controls, closed } = tipsToRead(ledger, { epoch, votes: NAMES.map(keyOf) });
  const unpaid = tipAmountsToRead(ledger, { epoch, now: timeAt(minute) });
  const answers = toShares(made, [...tips, ...controls], minute, said);
  return snapshotBy(minute, all(made.size, { list: withA() }), {
    tips: tips.length === 0 ? skipped : ok({ tips, controls, answers }),
    closedProduction:
      closed === null ? skipped : ok({ ...closed, answers: toBlocks(made, closed, minute, said) }),
    tipAmounts:
      unpaid.length === 0
        ? skipped
        : ok({ tips: unpaid, answers: toAmounts(made, unpaid, minute, said) }),
  });
}

function toAmounts(made: Story, wanted: readonly Tip[], minute: number, said: Look) {
  return answer(made, minute, said, (seen, lies) => {
    const lieOf = (epoch: number): [bigint, boolean] | null => {
      const lied = lies?.[epoch % lies.length] ?? null;
      return lied === null ? null : [lied === 3000 ? 0n : 10n ** 9n, lied !== 9500];
    };
    return {
      amounts: wanted.map(({ epoch }) => (lies ? lieOf(epoch) : amountOf(made.turns, seen, epoch))),
    };
  });
}

function toShares(made: Story, wanted: readonly Tip[], minute: number, said: Look) {
  return answer(made, minute, said, (seen, lies) => ({
    shares: wanted.map(({ vote, epoch }): [number] | null => {
      const ofA = lies ? (lies[epoch % lies.length] ?? null) : accountOf(made.turns, seen, epoch);
      const share = vote === keyOf("A") ? ofA : CROWD_SHARE;
      return share === null ? null : [share];
    }),
  }));
}

/**
 * Each witness's answer.
 * @param tell by the minute that it has seen; the liar's lies, null: the truth
 */
function answer<Told extends object>(
  { size, liar }: Story,
  minute: number,
  { words }: Look,
  tell: (seen: number, lies: Word["lies"] | null) => Told,
) {
  return words.slice(0, size).map(({ state, slotsBehind, lies }, witness) => {
    const endpoint = endpointOf(witness);
    if (state === "failed") return { state: "failed" as const, endpoint, reason: "no answer" };
    const isLiar = size > 2 && witness === liar % size;
    const told = tell(minute - slotsBehind / SLOTS_A_MINUTE, isLiar ? lies : null);
    return { state: "ok" as const, endpoint, slot: slotAt(minute) - slotsBehind, ...told };
  });
}

function toBlocks(made: Story, { epoch, identities }: ClosedEpoch, minute: number, said: Look) {
  return answer(made, minute, said, (seen, lies) => {
    const isTrue = hasBegun(made.turns, seen, epoch);
    const ofA = lies === null ? isTrue : lies[0] !== null;
    const hasProduced = (identity: string) => identity !== keyOf("identity of A") || ofA;
    return {
      blocks: identities.map((identity): [number, number] => [40, hasProduced(identity) ? 30 : 0]),
    };
  });
}

/** The share in A's tip account; null: none by this minute. */
function accountOf(turns: Turns, minute: number, epoch: number): number | null {
  return hasBegun(turns, minute, epoch) ? (turns[epoch - FIRST_EPOCH]?.share ?? null) : null;
}

function hasBegun(turns: Turns, minute: number, epoch: number): boolean {
  const of = turns[epoch - FIRST_EPOCH];
  return of !== undefined && minute >= (epoch - FIRST_EPOCH) * MINUTES_IN_EPOCH + of.minute;
}

/** Until the merkle root is there. */
const COUNTED_AFTER_MINUTES = 15;
const TIPS_A_MINUTE = 1_000n;

/** The tips in A's account, and whether they are counted; null: no account by this minute. */
function amountOf(turns: Turns, minute: number, epoch: number): [bigint, boolean] | null {
  if (accountOf(turns, minute, epoch) === null) return null;
  const end = (epoch - FIRST_EPOCH + 1) * MINUTES_IN_EPOCH;
  const begun = end - MINUTES_IN_EPOCH + (turns[epoch - FIRST_EPOCH]?.minute ?? 0);
  const tipped = Math.floor(Math.min(minute, end) - begun);
  return [BigInt(tipped) * TIPS_A_MINUTE, minute >= end + COUNTED_AFTER_MINUTES];
}
