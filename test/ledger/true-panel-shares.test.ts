import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { fold } from "../../generator/ledger/fold.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { closedMevToDecide } from "../../generator/ledger/mev-disabled.ts";
import { tipsToRead } from "../../generator/ledger/panel-mev.ts";
import type { EventRecord, MevState } from "../../generator/ledger/records.ts";
import { tipAmountsToRead } from "../../generator/ledger/tip-amounts.ts";
import {
  accountOf,
  amountOf,
  EPOCHS,
  MINUTES_IN_EPOCH,
  newestRecord,
  producedBy,
  turns,
  type Turn,
} from "./made-up-shares.ts";
import { closed, crowdRows, facts, list, tips, type Told } from "./mev-facts.ts";
import { byPanel, endpointOf } from "./panel-story.ts";
import { epochAt, FIRST_EPOCH, keyOf, named, slotAt, SLOTS_A_MINUTE, snapshot, timeAt } from "./story.ts";

/*
 * One of three or four witnesses lies about A's tip accounts at will; others may lag or be silent. The vendor is
 * truthful but late and served from differing caches. All events of A must be true, and so must what they cost.
 */

const CROWD_SHARE = 800;

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
  isVendorUp: fc.constantFrom(true, true, true, true, false),
  minutesLate: fc.constantFrom(0, 0, 15, 130),
  isConfirmed: fc.constantFrom(true, true, true, false),
  words: fc.tuple(word, word, word, word),
});
type Look = typeof look extends fc.Arbitrary<infer Value> ? Value : never;

const story = fc.record({
  turns,
  looks: fc.array(look, { minLength: 30, maxLength: 60, size: "max" }),
  size: fc.constantFrom(1, 2, 3, 3, 4),
  liar: fc.nat({ max: 3 }),
});
type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;

test("every MEV event of a panel is true, and the tips it costs a part of, though one of three or four witnesses lies", () => {
  let [told, settled, running] = [0, 0, 0];
  fc.assert(
    fc.property(story, (made) => {
      const { events, validators } = tellByPanel(made);
      expect(events.every(({ ordinal }) => validators[ordinal]?.vote === keyOf("A"))).toBe(true);
      expectTrue(made.turns, events);
      told += events.length;
      const costs = events.flatMap(({ mevCost }) => mevCost ?? []);
      for (const { epoch, tips: known, isSettled } of costs) {
        const all = amountOf(made.turns, Infinity, epoch)?.[0] ?? 0n;
        expect(known === all || (!isSettled && known < all), `${known} of ${all} lamports`).toBe(true);
      }
      settled += costs.filter(({ isSettled }) => isSettled).length;
      running += costs.filter(({ isSettled }) => !isSettled).length;
    }),
    { numRuns: 120 },
  );
  expect(told).toBeGreaterThan(120);
  expect([settled > 60, running > 10]).toEqual([true, true]);
});

function expectTrue(truth: readonly Turn[], events: readonly EventRecord[]): void {
  const shareOf = (epoch: number) => truth[epoch - FIRST_EPOCH]?.share;
  let held: { state: MevState; epoch: number } | null = null;
  for (const { from, to, epoch, slot, previousSlot } of events) {
    // No change twice: each begins where the last ended, and an epoch has one rate.
    if (held !== null) expect(from).toBe(held.state);
    expect(epoch).toBeGreaterThan(held?.epoch ?? -1);
    expect(shareOf(epoch)).toBe(to === "disabled" ? null : to);
    if (typeof from === "number") expect(truth.slice(0, epoch - FIRST_EPOCH).map(({ share }) => share)).toContain(from);
    expect(slot).toBeGreaterThan(previousSlot ?? 0);
    held = { state: to, epoch };
  }
}

function tellByPanel(made: Story): Ledger {
  let ledger = createLedger("mainnet");
  const take = (entry: Entry) => {
    ledger = fold(ledger, named(entry)).ledger;
  };
  let minute = 0;
  for (const each of made.looks) {
    minute += each.minutes;
    if (minute >= EPOCHS * MINUTES_IN_EPOCH) break;
    take(toSnapshot(made, ledger, minute, each));
    const wanted = tipsToRead(ledger, { unsettled: true });
    if (each.isConfirmed && wanted.length > 0) take(toConfirm(made, wanted, minute + 0.05, each));
  }
  return ledger;
}

function toSnapshot(made: Story, ledger: Ledger, minute: number, said: Look): SnapshotEntry {
  const epoch = epochAt(minute);
  const known = Math.max(0, minute - said.minutesLate);
  const newest = newestRecord(made.turns, minute, epoch);
  const records = (record: { share: number } | null): Told[] =>
    record === null ? crowdRows : [...crowdRows, ["A", record.share]];
  const skipped = { state: "skipped", off: false } as const;
  const failed = { state: "failed", reason: "no answer" } as const;
  const wanted = closedMevToDecide(ledger, epoch);
  const closedTips = wanted?.votes.map((vote) => ({ vote, epoch: wanted.epoch })) ?? [];
  const now = timeAt(minute);
  const unpaid = tipAmountsToRead(ledger, { epoch, now });
  const entry = snapshot(minute, facts, {
    production: producedBy(made.turns, minute),
    mev: said.isVendorUp ? list(...records(newestRecord(made.turns, known, epochAt(known)))) : failed,
    tips: said.isVendorUp ? skipped : tips(newest?.epoch ?? epoch, ...records(newest)),
    closedMev: said.isVendorUp ? closed(epoch - 1, ...records(newestRecord(made.turns, minute, epoch - 1))) : failed,
    closedTips:
      wanted === null
        ? skipped
        : { state: "ok", value: { ...wanted, answers: answer(made, closedTips, minute, said) } },
    tipAmounts:
      unpaid.length === 0
        ? skipped
        : { state: "ok", value: { tips: unpaid, answers: toAmounts(made, unpaid, minute, said) } },
  });
  return byPanel(made.size, entry);
}

function toConfirm(made: Story, wanted: { vote: string; epoch: number }[], minute: number, said: Look): Entry {
  const answers = answer(made, wanted, minute, said).map((one) => (one.state === "ok" ? { ...one, rows: [] } : one));
  const time = timeAt(minute);
  return { kind: "confirm", format: 1, network: "mainnet", time, votes: [], tips: wanted, answers };
}

function toAmounts(made: Story, wanted: readonly { epoch: number }[], minute: number, { words }: Look) {
  return words.slice(0, made.size).map((said, witness) => {
    const endpoint = endpointOf(witness);
    if (said.state === "failed") return { state: "failed" as const, endpoint, reason: "no answer" };
    const seen = minute - said.slotsBehind / SLOTS_A_MINUTE;
    const amounts = wanted.map(({ epoch }) =>
      isLiar(made, witness) ? lieOfAmount(epoch, said) : amountOf(made.turns, seen, epoch),
    );
    return { state: "ok" as const, endpoint, slot: slotAt(minute) - said.slotsBehind, amounts };
  });
}

function isLiar({ size, liar }: Story, witness: number): boolean {
  return size > 2 && witness === liar % size;
}

function lieOfAmount(epoch: number, { lies }: Word): [bigint, boolean] | null {
  const lied = lies[epoch % lies.length] ?? null;
  return lied === null ? null : [lied === 3000 ? 0n : 10n ** 9n, lied !== 9500];
}

/** Each witness's answer for the requested accounts. */
function answer(made: Story, wanted: readonly { vote: string; epoch: number }[], minute: number, { words }: Look) {
  return words.slice(0, made.size).map((said, witness) => {
    const slot = slotAt(minute) - said.slotsBehind;
    if (said.state === "failed")
      return { state: "failed" as const, endpoint: endpointOf(witness), reason: "no answer" };
    const shares = wanted.map((one) => toShare(isLiar(made, witness) ? lie(one, said) : tell(made, one, minute, said)));
    return { state: "ok" as const, endpoint: endpointOf(witness), slot, shares };
  });
}

function tell({ turns: truth }: Story, { vote, epoch }: { vote: string; epoch: number }, minute: number, said: Word) {
  return vote === keyOf("A") ? accountOf(truth, minute - said.slotsBehind / SLOTS_A_MINUTE, epoch) : CROWD_SHARE;
}

function lie({ vote, epoch }: { vote: string; epoch: number }, { lies }: Word): number | null {
  return vote === keyOf("A") ? (lies[epoch % lies.length] ?? null) : CROWD_SHARE;
}

function toShare(share: number | null): [number] | null {
  return share === null ? null : [share];
}
