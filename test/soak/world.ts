import { keyOf } from "../story/validators.ts";

/* Everybody who asks about a moment hears the same. Day
   and epoch never change at once: an epoch begins at six. */

export const EPOCH_MILLISECONDS = 86_400_000;
export const FIRST_EPOCH = 1100;
export const BEGIN = Date.parse("2026-11-20T06:00:00.000Z");
export const SLOTS_IN_EPOCH = 216_000;

const HOUR = EPOCH_MILLISECONDS / 24;
const SPACING = 3 * HOUR;
const FIRST_CHANGE = 1.5 * HOUR;
const CHANGES_AN_EPOCH = 6;
const CHANGES_MOST = 12;

/** In basis points: any four changes include a rug. */
const RATES = [500, 9500, 700, 1000, 10_000, 0];
const MEV_RATES = [800, 1000, 10_000, 500];

export interface Actor {
  vote: string;
  identity: string;
  name: string;
  /** Basis points. */
  inflation: number;
  delinquent: boolean;
  /** Lamports. */
  activeStake: bigint;
  city: string;
  version: string;
}

export interface World {
  /** Those alive at a time, by vote account. Times are milliseconds since 1970. */
  actorsAt: (time: number) => Actor[];
  goneAt: (time: number) => string[];
  /** Basis points in the tip account of an epoch; null: there is none. */
  mevOf: (vote: string, epoch: number) => number | null;
  /** Epoch of the vendor's newest list: for a while still the one before. */
  mevListEpochAt: (time: number) => number;
}

export interface Moment {
  epoch: number;
  slotIndex: number;
  absoluteSlot: number;
}

export function momentAt(time: number): Moment {
  const slots = Math.floor(((time - BEGIN) / EPOCH_MILLISECONDS) * SLOTS_IN_EPOCH);
  const absoluteSlot = FIRST_EPOCH * SLOTS_IN_EPOCH + slots;
  return {
    epoch: Math.floor(absoluteSlot / SLOTS_IN_EPOCH),
    slotIndex: absoluteSlot % SLOTS_IN_EPOCH,
    absoluteSlot,
  };
}

/**
 * At most twelve change in an epoch: no observation looks like a mass change.
 * @param options `epochs`: number of epochs with changes
 */
export function createWorld(
  validators: number,
  { epochs = Infinity }: { epochs?: number } = {},
): World {
  const members = Array.from({ length: validators }, (_, index) => {
    const name = `validator ${index}`;
    return { index, name, vote: keyOf(name), identity: keyOf(`identity of ${name}`) };
  }).sort((one, other) => (one.vote < other.vote ? -1 : 1));
  const sparse = Math.ceil(validators / CHANGES_MOST);
  const byVote = new Map(members.map((member) => [member.vote, member]));
  const vanishes = (index: number, time: number) => index === 6 && time >= toTime(1, 3);
  const isBorn = (index: number, time: number) => index !== validators - 1 || time >= toTime(1, 2);

  return {
    actorsAt: (time) =>
      members
        .filter(({ index }) => isBorn(index, time) && !vanishes(index, time))
        .map(({ index, ...member }) => ({
          ...member,
          ...actAt(index, time, { epochs, turns: Math.max(4, sparse) }),
        })),
    goneAt: (time) => members.filter(({ index }) => vanishes(index, time)).map(({ vote }) => vote),
    mevOf(vote, epoch) {
      const index = byVote.get(vote)?.index ?? 2;
      const isOff = index % 3 === 2 || (index === 9 && epoch > FIRST_EPOCH);
      return isOff
        ? null
        : rateAt(
            MEV_RATES,
            index,
            countMevChanges(index, Math.min(epoch, FIRST_EPOCH + epochs - 1), Math.max(5, sparse)),
          );
    },
    mevListEpochAt: (time) => momentAt(time - FIRST_CHANGE).epoch,
  };
}

function toTime(epoch: number, change: number): number {
  return BEGIN + epoch * EPOCH_MILLISECONDS + FIRST_CHANGE + change * SPACING;
}

function actAt(index: number, time: number, { epochs, turns }: { epochs: number; turns: number }) {
  const epoch = Math.floor((time - BEGIN) / EPOCH_MILLISECONDS);
  const hourOfDay = new Date(time).getUTCHours();
  return {
    inflation: rateAt(
      RATES,
      index,
      countChanges(index, Math.min(time, BEGIN + epochs * EPOCH_MILLISECONDS), turns),
    ),
    delinquent: index === 3 && (hourOfDay >= 22 || hourOfDay < 2),
    activeStake: BigInt(1_000 - index) * 1_000_000_000n + BigInt(Math.max(0, epoch)) * 1_000_000n,
    city: index === 5 && time >= toTime(1, 4) ? "Paris" : "Frankfurt",
    version: time >= toTime(2, 0) ? "4.2.2" : "4.2.1",
  };
}

function countChanges(index: number, time: number, turns: number): number {
  let changes = 0;
  for (let epoch = 0; toTime(epoch, 0) <= time; epoch += 1) {
    const isTurn = (index + epoch) % turns === 0;
    if (isTurn && toTime(epoch, Math.floor(index / turns) % CHANGES_AN_EPOCH) <= time) changes += 1;
  }
  return changes;
}

function countMevChanges(index: number, epoch: number, turns: number): number {
  const epochs = Array.from(
    { length: Math.max(0, epoch - FIRST_EPOCH) },
    (_, before) => before + 1,
  );
  return epochs.filter((since) => (index + since) % turns === 0).length;
}

function rateAt(rates: readonly number[], index: number, changes: number): number {
  return rates[(index + changes) % rates.length] ?? 0;
}
