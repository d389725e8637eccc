import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import { toCount, toCounted, toPercent } from "../../format/values.ts";

/* What the drawing of commissions shows. Each sentence names its epochs: not all know the same. */

type Points = readonly CommissionPoint[];

export function toInflationSentence(
  points: Points,
  events: readonly Pick<CommissionEvent, "source" | "epoch">[],
): string {
  const announced = toSpan(points.map(({ commission }) => commission));
  if (announced === null) return "Announced commission: not known.";
  const known = points.filter(({ commission }) => commission !== null);
  return [
    `In ${toEpochsText(known)} this validator announced ${toSpanText(announced)}.`,
    toPaidSentence(points),
    toMeasuredSentence(points),
    toRestlessSentence(events),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** Of epochs with both rates known. */
export function toPaidSentence(points: Points): string {
  const known = points.filter(
    ({ commission, appliedCommission }) => commission !== null && appliedCommission !== null,
  );
  const differing = known.filter((point) => point.commission !== point.appliedCommission).length;
  if (known.length === 0) return "Paid commission: not known.";
  const isOne = known.length === 1;
  if (differing === 0)
    return `The rewards of ${toEpochsText(known)} paid what it announced at ${isOne ? "its end" : "the end of each"}.`;
  if (isOne)
    return `The rewards of ${toEpochsText(known)} paid another rate than it announced at its end.`;
  return `Of ${toEpochsText(known)}, whose paid rate we know, ${toCount(differing)} paid another rate than it announced at ${differing === 1 ? "its" : "their"} end.`;
}

/** Counts every dot of the drawing, and compares those of epochs whose rate we know. */
export function toMeasuredSentence(points: Points): string {
  const measured = points.filter(({ paidCommission }) => paidCommission !== null);
  const known = measured.filter(({ appliedCommission }) => appliedCommission !== null);
  const other = known.filter((point) => point.appliedCommission !== point.paidCommission);
  if (measured.length === 0) return "";
  const epochs = `We measured what delegators got in ${toEpochsText(measured)}`;
  if (known.length === 0) return `${epochs}, whose paid rate we do not know otherwise.`;
  const agrees = other.length === 0;
  const result = agrees ? "it agrees" : `the rewards of ${toCount(other.length)} took another rate`;
  if (known.length === measured.length) return `${epochs}: ${result}.`;
  return `${epochs}: ${agrees ? "in" : "of"} ${toEpochsText(known)}, whose paid rate we know, ${result}.`;
}

function toRestlessSentence(events: readonly Pick<CommissionEvent, "source" | "epoch">[]): string {
  const epochs = countRestless(events);
  if (epochs === 0) return "";
  return `It changed more than once in ${toCounted(epochs, "epoch")} of these: only the rate at the end of an epoch counts.`;
}

/** Epochs with several changes: a raise just before the end is paid, and hardly anybody sees it. */
export function countRestless(
  events: readonly Pick<CommissionEvent, "source" | "epoch">[],
): number {
  const byEpoch = Map.groupBy(
    events.filter(({ source }) => source === "COMMISSION"),
    ({ epoch }) => epoch,
  );
  return [...byEpoch.values()].filter((of) => of.length > 1).length;
}

export function toMevSentence(points: Points): string {
  const known = points.filter(({ mevCommission }) => mevCommission !== null);
  const span = toSpan(known.map(({ mevCommission }) => mevCommission));
  if (span === null) return "Off or not known in every epoch shown.";
  const others = known.length === points.length ? "" : " In the others: off or not known.";
  return `In ${toEpochsText(known)} this validator took ${toSpanText(span)}.${others}`;
}

/**
 * "epoch 7", "the 3 epochs 7 to 9", "3 of the epochs 7 to 12".
 * @param points oldest first, at least one
 */
export function toEpochsText(points: readonly Pick<CommissionPoint, "epoch">[]): string {
  const [first = 0, last = first] = [points[0]?.epoch, points.at(-1)?.epoch];
  if (points.length === 1) return `epoch ${first}`;
  const isWhole = last - first + 1 === points.length;
  return isWhole
    ? `the ${toCount(points.length)} epochs ${first} to ${last}`
    : `${toCount(points.length)} of the epochs ${first} to ${last}`;
}

export function toSpan(values: readonly (number | null)[]): { least: number; most: number } | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : { least: Math.min(...known), most: Math.max(...known) };
}

function toSpanText({ least, most }: { least: number; most: number }): string {
  return least === most ? toPercent(least) : `between ${toPercent(least)} and ${toPercent(most)}`;
}
