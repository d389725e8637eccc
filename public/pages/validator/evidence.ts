import type { CommissionEvent } from "../../../generator/contract/event.ts";

/** Where a change lies: after the last observation of the old value, up to the first of the new one. */
export interface Between {
  slots: number;
  /** null: one of the two has no time. */
  milliseconds: number | null;
}

/** How closely a change was seen; null: the old value was never observed, or only public history tells of the change. */
export function toBetween({
  slot,
  previousSlot,
  createdAt,
  previousSeenAt,
}: Pick<CommissionEvent, "slot" | "previousSlot" | "createdAt" | "previousSeenAt">): Between | null {
  if (previousSlot === null || previousSlot >= slot) return null;
  const hasTimes = createdAt !== null && previousSeenAt !== null;
  return {
    slots: slot - previousSlot,
    milliseconds: hasTimes ? Date.parse(createdAt) - Date.parse(previousSeenAt) : null,
  };
}
