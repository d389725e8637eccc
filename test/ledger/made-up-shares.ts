import fc from "fast-check";
import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { facts } from "./mev-facts.ts";
import { epochAt, FIRST_EPOCH, keyOf } from "./story.ts";

/* A's tip accounts on chain: one an epoch, from A's first block in it. */

export const EPOCHS = 6;
export const MINUTES_IN_EPOCH = 120;

/** null: no tip account. */
const turn = fc.record({
  share: fc.constantFrom(800, 800, 800, 3000, 9500, null, null),
  minute: fc.constantFrom(0, 1, 5, 30, 90),
});
export type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never;

export const turns = fc.array(turn, { minLength: EPOCHS, maxLength: EPOCHS });

export function producedBy(turns: readonly Turn[], minute: number): SnapshotEntry["production"] {
  const hasProduced = (name: string) => name !== "A" || hasBegun(turns, minute, epochAt(minute));
  const rows = facts.map(({ name }): [string, number, number] => [
    keyOf(`identity of ${name}`),
    40,
    hasProduced(name) ? 30 : 0,
  ]);
  return { state: "ok", value: { rows } };
}

/** A's newest record of two epochs by this minute; `epoch` is the later one. */
export function newestRecord(
  turns: readonly Turn[],
  minute: number,
  epoch: number,
): { epoch: number; share: number } | null {
  for (const each of [epoch, epoch - 1]) {
    const share = accountOf(turns, minute, each);
    if (share !== null) return { epoch: each, share };
  }
  return null;
}

/** The share in A's tip account; null: none by this minute. */
export function accountOf(turns: readonly Turn[], minute: number, epoch: number): number | null {
  return hasBegun(turns, minute, epoch) ? (turns[epoch - FIRST_EPOCH]?.share ?? null) : null;
}

function hasBegun(turns: readonly Turn[], minute: number, epoch: number): boolean {
  const of = turns[epoch - FIRST_EPOCH];
  return of !== undefined && minute >= (epoch - FIRST_EPOCH) * MINUTES_IN_EPOCH + of.minute;
}

/** Until the merkle root is there. */
const COUNTED_AFTER_MINUTES = 15;
const TIPS_A_MINUTE = 1_000n;

/** The tips in A's account, and whether they are counted; null: no account by this minute. */
export function amountOf(turns: readonly Turn[], minute: number, epoch: number): [bigint, boolean] | null {
  if (accountOf(turns, minute, epoch) === null) return null;
  const end = (epoch - FIRST_EPOCH + 1) * MINUTES_IN_EPOCH;
  const begun = end - MINUTES_IN_EPOCH + (turns[epoch - FIRST_EPOCH]?.minute ?? 0);
  const tipped = Math.floor(Math.min(minute, end) - begun);
  return [BigInt(tipped) * TIPS_A_MINUTE, minute >= end + COUNTED_AFTER_MINUTES];
}
