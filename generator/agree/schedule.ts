import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isMajority } from "./majority.ts";

/** The running epoch, its first slot and its length in slots. */
export interface AgreedSchedule {
  epoch: number;
  firstSlot: number;
  slotsInEpoch: number;
}

/**
 * Finds the running epoch on which a majority of the panel agrees, with its first slot and its
 * length; null: there is no majority.
 */
export function agreeOnSchedule({
  panel,
}: Pick<CheckEntry | SnapshotEntry, "panel">): AgreedSchedule | null {
  const schedules = panel.flatMap(({ epoch, firstSlot, slotsInEpoch }): AgreedSchedule[] =>
    epoch === null || firstSlot === null || slotsInEpoch === null
      ? []
      : [{ epoch, firstSlot, slotsInEpoch }],
  );
  return findMajority(schedules, panel.length, isSameSchedule)[0] ?? null;
}

/**
 * Returns why the entry's epoch, by which everything else is read, is not believed: as many
 * witnesses or more show others. null: nothing speaks against it.
 */
export function describeEpochDispute({
  panel,
  epoch,
}: Pick<CheckEntry | SnapshotEntry, "panel" | "epoch">): string | null {
  const epochs = panel.flatMap((row) => row.epoch ?? []);
  const alike = epochs.filter((other) => other === epoch);
  if (isMajority(alike.length, epochs.length) || epochs.length === 1) return null;
  return `epoch ${epoch} is not what most of the panel tell: ${epochs.join(", ")}`;
}

function isSameSchedule(one: AgreedSchedule, other: AgreedSchedule): boolean {
  return (
    one.epoch === other.epoch &&
    one.firstSlot === other.firstSlot &&
    one.slotsInEpoch === other.slotsInEpoch
  );
}
