import type { CommissionEvent } from "../../generator/contract/event.ts";

type Told = Partial<Pick<CommissionEvent, "votePubkey" | "source" | "severity" | "delta">>;

/** Events of validator A unless they say otherwise, told by what matters to a test, newest first, as documents have them. */
export function toEvents(...told: Told[]): CommissionEvent[] {
  return told.map((event, index) => ({
    id: String(index),
    votePubkey: "A",
    validatorName: null,
    severity: "INFO",
    source: "COMMISSION",
    fromCommission: null,
    toCommission: null,
    fromDisabled: false,
    toDisabled: false,
    delta: null,
    epoch: 100 - index,
    createdAt: null,
    slot: 1_000 - index,
    previousSlot: null,
    previousSeenAt: null,
    effectiveEpoch: null,
    effectiveEpochLatest: null,
    effectiveEpochFinal: false,
    confirmedBy: "account",
    transaction: null,
    supersededBy: null,
    replacedBy: null,
    confirmed: true,
    ...event,
  }));
}
