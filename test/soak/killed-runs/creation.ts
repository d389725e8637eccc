import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { ratesIn } from "./rates.ts";
import type { Witness } from "./witness.ts";

/**
 * What is wrong with when an event says it was first seen, by the journal itself: the value before was shown by an answer of its
 * previous time and slot; the new one by nobody before its time, and at its slot for the first time by some endpoint.
 */
export function judgeCreation(event: CommissionEvent, witness: Witness): string[] {
  return event.source === "MEV" ? judgeShare(event, witness) : judgeInflation(event, witness);
}

function judgeShare({ id, ...event }: CommissionEvent, { observations }: Witness): string[] {
  const at = (time: string | null, slot: number | null) =>
    observations.find((one) => one.time === time && one.slot === slot);
  const first = at(event.createdAt, event.slot);
  if (first === undefined) return [`${id}: no accepted observation is of ${event.createdAt} and slot ${event.slot}`];
  if (at(event.previousSeenAt, event.previousSlot) === undefined)
    return [`${id}: no accepted observation is of ${event.previousSeenAt} and slot ${event.previousSlot}`];
  return first.kind === "snapshot" ? [] : [`${id}: a check shows no MEV commission, and is said to have`];
}

function judgeInflation(event: CommissionEvent, { readings }: Witness): string[] {
  const { id, votePubkey, fromCommission, toCommission, createdAt, slot, previousSeenAt } = event;
  const previousSlot = event.previousSlot ?? 0;
  const shown = readings.flatMap((entry) => ratesIn(entry, votePubkey).map((rate) => ({ ...rate, time: entry.time })));
  const isOld = (one: (typeof shown)[number]) =>
    one.time === previousSeenAt && one.slot === previousSlot && one.commission === fromCommission;
  const news = shown.filter((one) => one.slot > previousSlot && one.commission === toCommission);
  const [first] = news;
  const firsts = [...Map.groupBy(news, ({ by }) => by).values()].flatMap(([one]) => one ?? []);
  return [
    ...(shown.some(isOld)
      ? []
      : [`${id}: nothing of ${previousSeenAt} and slot ${previousSlot} shows ${fromCommission} %`]),
    ...(firsts.some((one) => one.slot === slot) ? [] : [`${id}: nobody shows ${toCommission} % first at slot ${slot}`]),
    ...(first?.time === createdAt
      ? []
      : [`${id}: created at ${createdAt}, first shown at ${first?.time ?? "no time"}`]),
  ];
}
