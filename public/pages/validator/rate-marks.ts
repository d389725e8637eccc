import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { type Rates, type Scale, toHeight, toMiddle } from "../../format/rate-shapes.ts";
import { toPercent } from "../../format/values.ts";

/** A rug, or several that have no room side by side. */
export interface Pin<Event = CommissionEvent> {
  /** The newest of them. */
  event: Event;
  x: number;
  count: number;
}

/** Epochs, both included. */
export interface Band {
  from: number;
  to: number;
}

/** Between two targets (WCAG 2.5.8). */
const PIN_PIXELS = 24;

type Rug = Pick<CommissionEvent, "severity" | "epoch">;

/** @param newestFirst of one source */
export function toPins<Event extends Rug>(
  newestFirst: readonly Event[],
  { first, scale }: { first: number; scale: Scale },
): Pin<Event>[] {
  const pins: Pin<Event>[] = [];
  for (const event of newestFirst) {
    if (event.severity !== "RUG" || event.epoch < first) continue;
    const x = Math.max(PIN_PIXELS / 2, toMiddle(event.epoch - first, scale));
    const last = pins.at(-1);
    if (last !== undefined && last.x - x < PIN_PIXELS) last.count += 1;
    else pins.push({ event, x, count: 1 });
  }
  return pins;
}

/** Each flips its commission again and again. Those that overlap are one. */
export function toBands(events: readonly Pick<CommissionEvent, "pattern">[]): Band[] {
  const all = events
    .flatMap(({ pattern }) =>
      pattern === null ? [] : [{ from: pattern.firstEpoch, to: pattern.lastEpoch }],
    )
    .sort((one, other) => one.from - other.from);
  const bands: Band[] = [];
  for (const band of all) {
    const last = bands.at(-1);
    if (last !== undefined && band.from <= last.to) last.to = Math.max(last.to, band.to);
    else bands.push({ ...band });
  }
  return bands;
}

const LABEL_PIXELS = 16;
const GAP_PIXELS = 8;

/** What the lines say at their end, each above or below its line, and never one on another. */
export function toLabels(
  { paid, announced }: { paid: Rates; announced: Rates | null },
  scale: Scale,
): { text: string; y: number }[] {
  const [now, next] = [paid.findLast((rate) => rate !== null), announced?.at(-1) ?? null];
  const at = (percent: number) => {
    const height = toHeight(percent, scale);
    const hasRoomAbove = height - scale.top > LABEL_PIXELS + GAP_PIXELS;
    return hasRoomAbove ? height - GAP_PIXELS : height + LABEL_PIXELS;
  };
  const labels: { text: string; y: number }[] = [];
  if (now != null)
    labels.push({
      text: next === now ? `paid and announced ${toPercent(now)}` : `paid ${toPercent(now)}`,
      y: at(now),
    });
  if (next === null || next === now) return labels;
  const [y, other] = [at(next), labels[0]?.y ?? -Infinity];
  const isOn = Math.abs(y - other) < LABEL_PIXELS;
  return [...labels, { text: `announced ${toPercent(next)}`, y: isOn ? other - LABEL_PIXELS : y }];
}

const TICK_PIXELS = 56;
const TICKS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/** Round epochs with room between them. */
export function toTicks(points: readonly { epoch: number }[], step: number): number[] {
  const every = TICKS.find((each) => each * step >= TICK_PIXELS) ?? TICKS.at(-1) ?? 1;
  return points.flatMap(({ epoch }, index) =>
    epoch % every === 0 && (index + 0.5) * step > TICK_PIXELS / 2 - 20 ? [epoch] : [],
  );
}
