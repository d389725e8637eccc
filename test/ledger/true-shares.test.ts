import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import type { EventRecord, MevState } from "../../generator/ledger/records.ts";
import { accountOf, EPOCHS, MINUTES_IN_EPOCH, newestRecord, producedBy, turns, type Turn } from "./made-up-shares.ts";
import { closed, closedTips, crowdRows, facts, list, tips, type Told } from "./mev-facts.ts";
import { confirm, epochAt, FIRST_EPOCH, keyOf, snapshot, tell } from "./story.ts";

/*
 * Nobody lies, but nobody sees everything: A's tip account exists from its first block in an epoch and may be
 * unreadable; the vendor learns of it later, may fail, and shows the newest record of two epochs.
 */

const MINUTES_LATE = [0, 5, 15];

const look = fc.record({
  /** Since the previous look. */
  minutes: fc.constantFrom(1, 10, 10, 10, 10, 10, 10, 40, 100),
  isVendorUp: fc.constantFrom(true, true, true, true, false),
  isChainRead: fc.constantFrom(true, true, true, false),
  isConfirmed: fc.boolean(),
});
type Look = typeof look extends fc.Arbitrary<infer Value> ? Value : never;

const story = fc.record({
  turns,
  looks: fc.array(look, { minLength: 30, maxLength: 60, size: "max" }),
  minutesLate: fc.constantFrom(...MINUTES_LATE),
});
type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;

test("every MEV event of sources that tell the truth is true", () => {
  let told = 0;
  fc.assert(
    fc.property(story, (made) => {
      const { ledger } = tell(...toEntries(made));
      expectTrue(made.turns, ledger.events);
      expect(ledger.events.every(({ ordinal }) => ledger.validators[ordinal]?.vote === keyOf("A"))).toBe(true);
      told += ledger.events.length;
    }),
    { numRuns: 250 },
  );
  expect(told).toBeGreaterThan(200);
});

function expectTrue(turns: readonly Turn[], events: readonly EventRecord[]): void {
  const sharesIn = (first: number, last: number) =>
    turns.slice(Math.max(0, first - FIRST_EPOCH), last - FIRST_EPOCH + 1).map(({ share }) => share);
  let held: { state: MevState; epoch: number } | null = null;
  for (const { from, to, epoch } of events) {
    // No change twice: each begins where the last ended.
    if (held !== null) expect(from).toBe(held.state);
    if (to === "disabled") expect(sharesIn(epoch, epoch)).toEqual([null]);
    else if (from === "disabled") expect(sharesIn((held?.epoch ?? 0) + 1, epoch)).toContain(to);
    // The vendor's record may be of either epoch.
    else expect(sharesIn(epoch - 1, epoch)).toContain(to);
    held = { state: to, epoch };
  }
}

function toEntries({ turns, looks, minutesLate }: Story): Entry[] {
  let minute = 0;
  return looks.flatMap((each) => {
    minute += each.minutes;
    if (minute >= EPOCHS * MINUTES_IN_EPOCH) return [];
    const seen = toSnapshot(turns, minute, { ...each, minutesLate });
    return each.isConfirmed ? [seen, toConfirm(turns, minute + 0.05)] : [seen];
  });
}

function toSnapshot(turns: readonly Turn[], minute: number, said: Look & { minutesLate: number }): SnapshotEntry {
  const { isVendorUp, isChainRead } = said;
  const epoch = epochAt(minute);
  const known = Math.max(0, minute - said.minutesLate);
  const withRecord = (record: { share: number } | null): Told[] =>
    record === null ? crowdRows : [...crowdRows, ["A", record.share]];
  const newest = newestRecord(turns, minute, epoch);
  const skipped = { state: "skipped", off: false } as const;
  const failed = { state: "failed", reason: "no answer" } as const;
  const accountRows = crowdRows.map(([name]): [string, boolean] => [name, true]);
  const before = accountOf(turns, minute, epoch - 1) !== null;
  return snapshot(minute, facts, {
    production: producedBy(turns, minute),
    mev: isVendorUp ? list(...withRecord(newestRecord(turns, known, epochAt(known)))) : failed,
    tips: isVendorUp || !isChainRead ? skipped : tips(newest?.epoch ?? epoch, ...withRecord(newest)),
    closedMev: isVendorUp ? closed(epoch - 1, ...withRecord(newestRecord(turns, known, epoch - 1))) : failed,
    closedTips: isChainRead ? closedTips(epoch - 1, ...accountRows, ["A", before]) : failed,
  });
}

function toConfirm(turns: readonly Turn[], minute: number): Entry {
  const rows = [epochAt(minute), epochAt(minute) - 1].map((epoch) => {
    const share = accountOf(turns, minute, epoch);
    return { name: "A", epoch, ...(share !== null && { bps: share }) };
  });
  return confirm(minute, [], rows);
}
