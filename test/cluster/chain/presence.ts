import { type Moment, toWindow, type Length, type Window } from "../calendar.ts";
import type { Member } from "./cast.ts";
import { remember, type World, accumulate } from "../world.ts";

/** In epochs. */
const VANISHING_PERIOD = 4;
const VANISHING_BEGINS = 0.35;
const VANISHING_LASTS = [1.15, 2.1];

/** Position in the story; further births follow an epoch apart. */
const FIRST_BIRTH = 1.2;

export function exists(member: Member, { position }: Moment): boolean {
  const { role, place } = member.life;
  if (role === "newborn") return position >= FIRST_BIRTH + place;
  if (role !== "vanisher") return true;
  const phase = (position + 0.3 * (place % 5)) % VANISHING_PERIOD;
  return (
    phase < VANISHING_BEGINS ||
    phase >= VANISHING_BEGINS + (VANISHING_LASTS[place % VANISHING_LASTS.length] ?? 1)
  );
}

export function bornInOrdinal(member: Member): number | null {
  return member.life.role === "newborn" ? Math.floor(FIRST_BIRTH + member.life.place) : null;
}

/** The nodes' own default. */
export const DELINQUENT_SLOT_DISTANCE = 128;

export interface Outages {
  silentSlots(member: Member, ordinal: number, slotIndex: number): number;
  lastVoteAt(member: Member, moment: Moment): number;
  /** Over a third of the stake at once; null: not this epoch. */
  massDelinquencyOf(ordinal: number): Window | null;
  delinquenciesOf(ordinal: number): readonly { member: Member; window: Window }[];
}

const SINGLE: Length = { epochs: 0.006, leastMilliseconds: 4 * 60_000 };
const MASS: Length = { epochs: 0, leastMilliseconds: 90_000 };
const MASS_PERIOD = 2;
const MASS_FRACTION = 0.62;

export function createOutages({ members, random, calendar }: World): Outages {
  const singles = Math.max(2, Math.round(members.length * 0.02));

  const delinquenciesOf = remember((ordinal) =>
    Array.from({ length: singles }, (_, turn) => {
      const fraction = 0.1 + 0.74 * random.fraction("delinquent from", ordinal, turn);
      // The largest alone may hold over a third of the stake.
      const member = members[1 + random.whole(members.length - 1, "delinquent", ordinal, turn)];
      return member === undefined ? [] : [{ member, window: toWindow(calendar, fraction, SINGLE) }];
    }).flat(),
  );

  function massDelinquencyOf(ordinal: number): Window | null {
    return ordinal % MASS_PERIOD === 0 ? toWindow(calendar, MASS_FRACTION, MASS) : null;
  }

  const silencesByMember = remember((ordinal) => {
    const silences = members.map((): Window[] => []);
    for (const { member, window } of delinquenciesOf(ordinal))
      silences[member.index]?.push(toSilence(member, window));
    const mass = massDelinquencyOf(ordinal);
    for (const member of members) {
      if (mass !== null && member.index % 2 === 0)
        silences[member.index]?.push(toSilence(member, mass));
    }
    return silences.map(merge);
  });

  function silencesOf(member: Member, ordinal: number): readonly Window[] {
    if (!neverVotes(member)) return silencesByMember(ordinal)[member.index] ?? [];
    return [{ fromSlotIndex: 0, toSlotIndex: calendar.schedule.slotsPerEpoch }];
  }

  function silentSlots(member: Member, ordinal: number, slotIndex: number): number {
    return silencesOf(member, ordinal)
      .map((window) => Math.max(Math.min(window.toSlotIndex, slotIndex) - window.fromSlotIndex, 0))
      .reduce((sum, slots) => sum + slots, 0);
  }

  function lastVoteAt(member: Member, { ordinal, slotIndex, slot, epoch }: Moment): number {
    if (neverVotes(member)) return calendar.firstSlotOf(epoch - ordinal - 2) + member.index;
    const silence = silencesOf(member, ordinal).find(
      (window) => slotIndex >= window.fromSlotIndex && slotIndex < window.toSlotIndex,
    );
    const newest =
      silence === undefined ? slot : calendar.firstSlotOf(epoch) + silence.fromSlotIndex;
    return newest - voteLag(member);
  }

  return { silentSlots, lastVoteAt, massDelinquencyOf, delinquenciesOf };
}

function neverVotes({ life }: Member): boolean {
  return life.role === "silent" || life.role === "ghost";
}

function voteLag({ index }: Member): number {
  return 1 + (index % 3);
}

/** Silence starts before delinquency. */
function toSilence(member: Member, { fromSlotIndex, toSlotIndex }: Window): Window {
  return {
    fromSlotIndex: Math.max(fromSlotIndex - DELINQUENT_SLOT_DISTANCE + voteLag(member), 0),
    toSlotIndex,
  };
}

/** No slot may count twice. */
function merge(windows: Window[]): Window[] {
  const merged: Window[] = [];
  for (const window of windows.toSorted(
    (left, right) => left.fromSlotIndex - right.fromSlotIndex,
  )) {
    const last = merged.at(-1);
    if (last === undefined || window.fromSlotIndex > last.toSlotIndex) merged.push({ ...window });
    else last.toSlotIndex = Math.max(last.toSlotIndex, window.toSlotIndex);
  }
  return merged;
}

/** `"separator"`: three times the largest u64. */
export type CreditsRow =
  readonly [epoch: number, credits: number, previousCredits: number] | "separator";

/** getVoteAccounts gives no more. */
const ROWS_MAX = 5;

/** Timely vote credits. */
const CREDITS_PER_SLOT = 16;

/** Lamports of stake per lamport of vote rewards, an epoch, under Alpenglow. */
const STAKE_PER_REWARD = 5000n;

const PAST_EPOCHS = 100;

const EPOCHS_SINCE_MIGRATION = { mainnet: null, testnet: 2, alpenglow: 1 } as const;

/** null: not on Alpenglow. */
export function migrationEpochOf({ options }: World): number | null {
  const epochs = EPOCHS_SINCE_MIGRATION[options.network];
  return epochs === null ? null : options.firstEpoch - epochs;
}

/** The epoch of the migration has rows for credits and lamports, with a separator between. */
export function createCredits(
  world: World,
  outages: Outages,
): (member: Member, moment: Moment) => CreditsRow[] {
  const { options, calendar, members } = world;
  const { slotsPerEpoch } = calendar.schedule;
  const migrationEpoch = migrationEpochOf(world);
  const countedFrom = options.firstEpoch - ROWS_MAX - 2;

  function earned(
    member: Member,
    epoch: number,
    slotIndex: number,
  ): { tower: number; alpenglow: number } {
    const ordinal = epoch - options.firstEpoch;
    const silent = ordinal < 0 ? 0 : outages.silentSlots(member, ordinal, slotIndex);
    const share = (member.quality * (slotIndex - silent)) / slotsPerEpoch;
    const tower = Math.floor(share * slotsPerEpoch * CREDITS_PER_SLOT);
    const alpenglow = Math.floor(share * Number(member.restingStake / STAKE_PER_REWARD));
    if (migrationEpoch === null || epoch < migrationEpoch) return { tower, alpenglow: 0 };
    if (epoch > migrationEpoch) return { tower: 0, alpenglow };
    return { tower: Math.floor(tower / 2), alpenglow: Math.floor(alpenglow / 2) };
  }

  const startOf = accumulate(
    members.map(({ quality }) =>
      Math.floor(PAST_EPOCHS * slotsPerEpoch * CREDITS_PER_SLOT * quality),
    ),
    (before, index) =>
      members.map((member, at) => {
        const { tower, alpenglow } = earned(member, countedFrom + index, slotsPerEpoch);
        return (before[at] ?? 0) + tower + alpenglow;
      }),
  );

  const atStartOf = (member: Member, epoch: number) =>
    startOf(epoch - countedFrom)[member.index] ?? 0;

  function rowsOf(member: Member, epoch: number, moment: Moment): CreditsRow[] {
    const start = atStartOf(member, epoch);
    if (epoch === migrationEpoch) {
      const { tower, alpenglow } = earned(member, epoch, slotsPerEpoch);
      return [
        [epoch, start + tower, start],
        "separator",
        [epoch, start + tower + alpenglow, start + tower],
      ];
    }
    if (epoch < moment.epoch) return toRow(epoch, atStartOf(member, epoch + 1), start);
    const { tower, alpenglow } = earned(member, epoch, moment.slotIndex);
    return toRow(epoch, start + tower + alpenglow, start);
  }

  return (member, moment) => {
    const birth = bornInOrdinal(member);
    const oldest = Math.max(
      moment.epoch - ROWS_MAX + 1,
      birth === null ? 0 : options.firstEpoch + birth,
    );
    const rows: CreditsRow[] = [];
    for (let epoch = oldest; epoch <= moment.epoch; epoch++)
      rows.push(...rowsOf(member, epoch, moment));
    return rows.slice(-ROWS_MAX);
  };
}

function toRow(epoch: number, credits: number, previousCredits: number): CreditsRow[] {
  return credits > previousCredits ? [[epoch, credits, previousCredits]] : [];
}
