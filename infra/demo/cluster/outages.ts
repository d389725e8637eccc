import type { Moment } from "./calendar.ts";
import type { Member } from "./cast.ts";
import { remember } from "./remember.ts";
import { toWindow, type Length, type Window } from "./windows.ts";
import type { World } from "./world.ts";

/** A validator whose last vote is at least so many slots old is delinquent (the nodes' own default). */
export const DELINQUENT_SLOT_DISTANCE = 128;

/** Who does not vote when. */
export interface Outages {
  /** Slots of the epoch, before `slotIndex`, in which the validator did not vote. */
  silentSlots(member: Member, ordinal: number, slotIndex: number): number;
  /** Slot of the newest vote; the list of the delinquent follows from it. */
  lastVoteAt(member: Member, moment: Moment): number;
  /** When over a third of the stake is delinquent at once; null: not in this epoch. */
  massDelinquencyOf(ordinal: number): Window | null;
  /** When a validator is delinquent for a while of its own. */
  delinquenciesOf(ordinal: number): readonly { member: Member; window: Window }[];
}

const SINGLE: Length = { epochs: 0.006, leastMilliseconds: 4 * 60_000 };
const MASS: Length = { epochs: 0, leastMilliseconds: 90_000 };
const MASS_PERIOD = 2;
const MASS_FRACTION = 0.62;

/** Builds the story: some validators fail for minutes in every epoch, half of them at once in every second one. */
export function createOutages({ members, random, calendar }: World): Outages {
  const singles = Math.max(2, Math.round(members.length * 0.02));

  const delinquenciesOf = remember((ordinal) =>
    Array.from({ length: singles }, (_, turn) => {
      const fraction = 0.1 + 0.74 * random.fraction("delinquent from", ordinal, turn);
      // Never the largest: in a small cluster it alone holds over a third of the stake.
      const member = members[1 + random.whole(members.length - 1, "delinquent", ordinal, turn)];
      return member === undefined ? [] : [{ member, window: toWindow(calendar, fraction, SINGLE) }];
    }).flat(),
  );

  function massDelinquencyOf(ordinal: number): Window | null {
    return ordinal % MASS_PERIOD === 0 ? toWindow(calendar, MASS_FRACTION, MASS) : null;
  }

  const silencesByMember = remember((ordinal) => {
    const silences = members.map((): Window[] => []);
    for (const { member, window } of delinquenciesOf(ordinal)) silences[member.index]?.push(toSilence(member, window));
    const mass = massDelinquencyOf(ordinal);
    for (const member of members) {
      if (mass !== null && member.index % 2 === 0) silences[member.index]?.push(toSilence(member, mass));
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
    // Long before the story, and a little apart from each other.
    if (neverVotes(member)) return calendar.firstSlotOf(epoch - ordinal - 2) + member.index;
    const silence = silencesOf(member, ordinal).find(
      (window) => slotIndex >= window.fromSlotIndex && slotIndex < window.toSlotIndex,
    );
    const newest = silence === undefined ? slot : calendar.firstSlotOf(epoch) + silence.fromSlotIndex;
    return newest - voteLag(member);
  }

  return { silentSlots, lastVoteAt, massDelinquencyOf, delinquenciesOf };
}

function neverVotes({ life }: Member): boolean {
  return life.role === "silent" || life.role === "ghost";
}

/** Slots between the cluster and the newest vote of one that votes. */
function voteLag({ index }: Member): number {
  return 1 + (index % 3);
}

/** A validator falls silent just so long before the window that it is delinquent from the window's first slot on. */
function toSilence(member: Member, { fromSlotIndex, toSlotIndex }: Window): Window {
  return { fromSlotIndex: Math.max(fromSlotIndex - DELINQUENT_SLOT_DISTANCE + voteLag(member), 0), toSlotIndex };
}

/** Overlapping silences as one, so that no slot counts twice. */
function merge(windows: Window[]): Window[] {
  const merged: Window[] = [];
  for (const window of windows.toSorted((left, right) => left.fromSlotIndex - right.fromSlotIndex)) {
    const last = merged.at(-1);
    if (last === undefined || window.fromSlotIndex > last.toSlotIndex) merged.push({ ...window });
    else last.toSlotIndex = Math.max(last.toSlotIndex, window.toSlotIndex);
  }
  return merged;
}
