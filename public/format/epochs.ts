import type { Epoch } from "../../generator/contract/epoch.ts";
import type { CommissionEvent } from "../../generator/contract/event.ts";

/**
 * When the epoch was read, in milliseconds by the clock of the API; null: its times are not measured yet. The document does
 * not say it, but where the slot lies between the epoch's start and end does. The reader's own clock may be wrong.
 */
export function toReadAt({ epochStartedAt, epochEndsAt, slotIndex, slotsInEpoch }: Epoch): number | null {
  if (epochStartedAt === null || epochEndsAt === null) return null;
  const start = Date.parse(epochStartedAt);
  return start + ((Date.parse(epochEndsAt) - start) * slotIndex) / slotsInEpoch;
}

/**
 * Whether {@link toReadAt} is when it was read. An epoch that is carried on while the cluster does not answer stays at its last
 * slot, however long that lasts.
 */
export function tellsTime({ live, slotIndex, slotsInEpoch }: Epoch): boolean {
  return live || slotIndex < slotsInEpoch - 1;
}

/** How far the epoch is at a moment, 0 to 100. Without measured times as far as it was when it was read. */
export function toProgress(epoch: Epoch, now: number | null): number {
  const { epochStartedAt, epochEndsAt, progressPercent } = epoch;
  if (epochStartedAt === null || epochEndsAt === null || now === null) return progressPercent;
  const start = Date.parse(epochStartedAt);
  return Math.min(100, Math.max(0, (100 * (now - start)) / (Date.parse(epochEndsAt) - start)));
}

type PaidFrom = Pick<CommissionEvent, "effectiveEpoch" | "effectiveEpochLatest">;

/** When an event's new rate is paid, as seen from a moment of the running epoch. */
export type Effect =
  | { kind: "unknown" }
  /** It was taken away before any rewards were paid at it. */
  | { kind: "never" }
  /** The steps that it was made in are events of their own, and tell it. */
  | { kind: "steps" }
  /** Since `epochsAgo` epochs; 0: since the running one; null: it is not certain since which. */
  | { kind: "since"; epochs: string; epochsAgo: number | null }
  /** From a later epoch on, or perhaps already; null milliseconds: the length of epochs is not measured yet. */
  | { kind: "from"; epochs: string; inMilliseconds: number | null };

/** @param now milliseconds by the clock of the API */
export function toEffect(
  event: PaidFrom & Pick<CommissionEvent, "supersededBy" | "replacedBy">,
  epoch: Epoch | null,
  now: number | null,
): Effect {
  const { effectiveEpoch: first, effectiveEpochLatest: last, supersededBy, replacedBy } = event;
  if (replacedBy !== null) return { kind: "steps" };
  if (supersededBy !== null) return { kind: "never" };
  const epochs = toEpochs(event);
  if (first === null || last === null || epochs === null || epoch === null) return { kind: "unknown" };
  if (last <= epoch.epoch) return { kind: "since", epochs, epochsAgo: first === last ? epoch.epoch - first : null };
  const ahead = first - epoch.epoch;
  return { kind: "from", epochs, inMilliseconds: ahead > 0 ? toStart(epoch, ahead, now) : null };
}

/** The first epoch that pays a change, or those of which it is one, where an epoch began while it was being made. */
export function toEpochs({ effectiveEpoch: first, effectiveEpochLatest: last }: PaidFrom): string | null {
  if (first === null || last === null) return null;
  if (first === last) return `epoch ${first}`;
  return last === first + 1 ? `epoch ${first} or ${last}` : `one of the epochs ${first} to ${last}`;
}

/** Until the epoch begins that is so many after this one; later epochs are taken to be as long as this one. */
function toStart({ epochStartedAt, epochEndsAt }: Epoch, ahead: number, now: number | null): number | null {
  if (epochStartedAt === null || epochEndsAt === null || now === null) return null;
  const end = Date.parse(epochEndsAt);
  return Math.max(0, end - now) + (ahead - 1) * (end - Date.parse(epochStartedAt));
}
