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
    toRestlessSentence(events),
    toPaidSentence(points),
    toMeasuredSentence(points),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function toRestlessSentence(events: readonly Pick<CommissionEvent, "source" | "epoch">[]): string {
  const epochs = countRestless(events);
  if (epochs === 0) return "";
  return `It changed its commission more than once in ${toCounted(epochs, "epoch")}: only the rate at the end of an epoch counts.`;
}

/** Of epochs with both rates known. */
export function toPaidSentence(points: Points): string {
  const known = points.filter(
    ({ commission, appliedCommission }) => commission !== null && appliedCommission !== null,
  );
  const differing = known.filter((point) => point.commission !== point.appliedCommission).length;
  const epochs = toEpochsText(known);
  if (known.length === 0) return "Paid commission: not known.";
  if (known.length === 1)
    return `The rewards of ${epochs} paid ${differing === 0 ? "what" : "another rate than"} the validator announced at the end of that epoch.`;
  return differing === 0
    ? `The rewards of ${epochs} paid what the validator announced at the end of each.`
    : `We know what ${epochs} paid: ${toCount(differing)} of them paid another rate than the validator announced at ${differing === 1 ? "its" : "their"} end.`;
}

/** Counts every dot of the drawing, and compares those of epochs whose rate we know. */
export function toMeasuredSentence(points: Points): string {
  const measured = points.filter(({ paidCommission }) => paidCommission !== null);
  const known = measured.filter(({ appliedCommission }) => appliedCommission !== null);
  const other = known.filter((point) => point.appliedCommission !== point.paidCommission).length;
  if (measured.length === 0) return "";
  const epochs = `We measured what delegators got in ${toEpochsText(measured)}`;
  if (known.length === 0) return `${epochs}, whose paid rate we do not know otherwise.`;
  const compared =
    known.length === measured.length
      ? epochs
      : `${epochs}, and know the paid rate of ${toEpochsText(known)}`;
  if (other === 0) return `${compared}: the rewards agree.`;
  return known.length === 1
    ? `${compared}: the rewards took another rate.`
    : `${compared}: the rewards of ${toCount(other)} of them took another rate.`;
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
  const left = points.length - known.length;
  const others =
    left === 0 ? "" : ` In the ${left === 1 ? "other one" : "others"}: off or not known.`;
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
