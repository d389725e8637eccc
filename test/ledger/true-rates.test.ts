import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import type { EventRecord } from "../../generator/ledger/records.ts";
import {
  check,
  confirm,
  slotAt,
  SLOTS_IN_EPOCH,
  snapshot,
  tell,
  timeAt,
  validatorOf,
  withA,
  type Fact,
} from "./story.ts";

/*
 * Nobody lies, but nobody sees everything: each endpoint is right for its own slot. Votes and nodes may lag, the clock
 * may be fast, and an endpoint may round, or leave out the rate or A.
 */

const END_MINUTE = 600;
/** Most slots between the newest vote and the answering bank. */
const VOTES_BEHIND_MOST = 3;

/** A's rate from a slot on; far enough apart that no percent fits two. */
interface Rate {
  slot: number;
  basisPoints: number;
}

const change = fc.record({
  minute: fc.integer({ min: 1, max: END_MINUTE - 20 }),
  basisPoints: fc.constantFrom(0, 500, 750, 1550, 9000, 9560, 12_000),
});

const rates = fc
  .uniqueArray(change, { selector: ({ minute }) => minute, maxLength: 8 })
  .map((changes): Rate[] => [
    { slot: 0, basisPoints: 500 },
    ...changes
      .sort((a, b) => a.minute - b.minute)
      .map(({ minute, basisPoints }) => ({ slot: slotAt(minute), basisPoints })),
  ]);

const look = fc.record({
  minute: fc.integer({ min: 1, max: (END_MINUTE - 10) * 10 }).map((tenths) => tenths / 10),
  kind: fc.constantFrom("check", "check", "check", "snapshot", "confirm"),
  says: fc.constantFrom("basis points", "basis points", "rounded down", "rounded up", "no rate", "no row"),
  votesBehind: fc.integer({ min: 0, max: VOTES_BEHIND_MOST }),
  nodeBehind: fc.constantFrom(0, 0, 0, 10, 150),
  minutesFast: fc.constantFrom(0, 0, 0.5),
});
type Look = typeof look extends fc.Arbitrary<infer Value> ? Value : never;

const exactLook = { kind: "check", says: "basis points", votesBehind: 0, nodeBehind: 0, minutesFast: 0 } as const;

const story = fc.record({ rates, looks: fc.array(look, { minLength: 20, maxLength: 100, size: "max" }) });

test("every event of endpoints that tell the truth is true, and after two of them the rate shown is", () => {
  let told = 0;
  fc.assert(
    fc.property(story, ({ rates: truth, looks }) => {
      const last = [END_MINUTE - 2, END_MINUTE].map((minute) => ({ ...exactLook, minute }));
      const entries = [...looks, ...last].map((each) => toEntry(truth, each));
      const after = tell(snapshot(0, withA({ bps: 500 })), ...entries);
      const { events } = after.ledger;
      for (const [index, event] of events.entries()) {
        expectTrue(truth, event);
        // No change twice: each begins where the last ended.
        if (index > 0) expect(isOf(Number(events[index - 1]?.to), event.from)).toBe(true);
      }
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      expect(validatorOf(after, "A").inflation).toEqual({
        basisPoints: rateAt(truth, slotAt(END_MINUTE)),
        exact: true,
      });
      told += events.length;
    }),
    { numRuns: 150 },
  );
  expect(told).toBeGreaterThan(100);
});

function expectTrue(truth: readonly Rate[], event: EventRecord): void {
  const { from, to, slot, effectiveEpoch } = event;
  const previousSlot = event.previousSlot ?? 0;
  const changes = truth.filter((rate) => rate.slot > previousSlot && rate.slot <= slot + VOTES_BEHIND_MOST);
  const held = [previousSlot, ...changes.map((rate) => rate.slot)].map((at) => rateAt(truth, at));
  expect(slot).toBeGreaterThan(previousSlot);
  expect(changes).not.toEqual([]);
  expect(held.some((rate) => isOf(rate, from))).toBe(true);
  expect(held.some((rate) => isOf(rate, to))).toBe(true);
  expect(effectiveEpoch).toBe(Math.floor(previousSlot / SLOTS_IN_EPOCH) + 2);
}

/** Whether a rate may be reported as this, in basis points or rounded. */
function isOf(rate: number, said: unknown): boolean {
  return Math.abs(rate - Number(said)) < 100;
}

function rateAt(truth: readonly Rate[], slot: number): number {
  return Math.min(10_000, truth.findLast((rate) => rate.slot <= slot)?.basisPoints ?? 0);
}

function toEntry(truth: readonly Rate[], { minute, kind, says, ...off }: Look): Entry {
  const bankSlot = slotAt(minute) - off.nodeBehind;
  const time = timeAt(minute + off.minutesFast);
  if (kind === "confirm")
    return { ...confirm(minute, [{ name: "A", bps: rateAt(truth, bankSlot) }], [], bankSlot), time };
  const facts = withA(toFact(rateAt(truth, bankSlot), says)).filter(({ name }) => name !== "A" || says !== "no row");
  const entry = kind === "check" ? check(minute, facts) : snapshot(minute, facts);
  return { ...entry, time, slot: bankSlot - off.votesBehind };
}

function toFact(bps: number, says: Look["says"]): Omit<Fact, "name"> {
  if (says === "rounded down") return { percent: Math.floor(bps / 100) };
  if (says === "rounded up") return { percent: Math.ceil(bps / 100) };
  return { bps: says === "no rate" ? null : bps };
}
