import type { Authorities } from "../authorities.ts";
import type { Moment } from "../calendar.ts";
import { remember } from "../remember.ts";
import { isWithin, toWindow, type Length } from "../windows.ts";
import type { World } from "../world.ts";
import type { Archive, SlotRange, TransactionSource } from "./archive.ts";
import { makeDeceit, type Deceit, type DeceitKind } from "./deceit.ts";
import type { Transaction } from "./transaction.ts";

/** When in each epoch an endpoint lies about transactions, and how. */
export const DECEITS = [
  { kind: "old as new", fraction: 0.08 },
  { kind: "failed as good", fraction: 0.22 },
  { kind: "own key", fraction: 0.36 },
  { kind: "invented inner", fraction: 0.52 },
  { kind: "altered", fraction: 0.66 },
  { kind: "left out", fraction: 0.8 },
] as const satisfies readonly { kind: DeceitKind; fraction: number }[];

/** Long enough for several snapshots, and for a part of a sweep. */
const DECEIT_LENGTH: Length = { epochs: 0.04, leastMilliseconds: 150_000 };

/** Builds the lies of an endpoint: what it tells at a moment, or null while it tells the truth. */
export function createDeceits(
  world: World,
  authorities: Authorities,
  archive: Archive,
): (moment: Moment) => TransactionSource | null {
  const { calendar, options } = world;
  const windows = DECEITS.map(({ kind, fraction }) => ({ kind, window: toWindow(calendar, fraction, DECEIT_LENGTH) }));

  const sourceOf = remember((number) => {
    const place = number % windows.length;
    const deceit = windows[place];
    if (deceit === undefined) return null;
    const { kind, window } = deceit;
    const ordinal = Math.floor(number / windows.length);
    const since = calendar.firstSlotOf(options.firstEpoch + ordinal) + window.fromSlotIndex;
    return toSource(archive, since, makeDeceit(kind, since, { world, authorities, archive }));
  });

  return (moment) => {
    const place = windows.findIndex(({ window }) => isWithin(window, moment));
    return place < 0 ? null : sourceOf(moment.ordinal * windows.length + place);
  };
}

/** The truth with a lie in it. */
function toSource(archive: Archive, since: number, { retell, invented, inventedAs }: Deceit): TransactionSource {
  function* naming(address: string, { from, to }: SlotRange): Generator<Transaction> {
    yield* retellAll(archive.naming(address, { from: Math.max(from, since + 1), to }));
    if (to >= since) yield* invented(address);
    yield* retellAll(archive.naming(address, { from, to: Math.min(to, since) }));
  }

  function* retellAll(transactions: Iterable<Transaction>): Generator<Transaction> {
    for (const transaction of transactions) {
      const told = retell(transaction);
      if (told !== null) yield told;
    }
  }

  function find(signature: string, range: SlotRange): Transaction | null {
    const told = inventedAs(signature);
    if (told !== null) return told.slot <= range.to ? told : null;
    const transaction = archive.find(signature, range);
    return transaction === null ? null : retell(transaction);
  }

  return { naming, find };
}
