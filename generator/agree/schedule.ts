import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import { findMajority } from "./majority.ts";

/** Of the epoch that runs. */
export interface AgreedSchedule {
  epoch: number;
  firstSlot: number;
  slotsInEpoch: number;
}

/** The epoch that a majority of the panel tells, with its first slot and its length. null: no majority */
export function agreeOnSchedule({ panel }: Pick<CheckEntry | SnapshotEntry, "panel">): AgreedSchedule | null {
  const told = panel.flatMap(({ epoch, firstSlot, slotsInEpoch }): AgreedSchedule[] =>
    epoch === null || firstSlot === null || slotsInEpoch === null ? [] : [{ epoch, firstSlot, slotsInEpoch }],
  );
  return findMajority(told, panel.length, areSame)[0] ?? null;
}

function areSame(one: AgreedSchedule, other: AgreedSchedule): boolean {
  return one.epoch === other.epoch && one.firstSlot === other.firstSlot && one.slotsInEpoch === other.slotsInEpoch;
}
