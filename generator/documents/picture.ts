import { toObjectKey } from "../contract/object-keys.ts";
import { PICTURE } from "../contract/share.ts";
import { COLORS } from "./badge.ts";
import { findCommissions, lastEpoch } from "../views/commissions.ts";
import { createRaster, fill, toPng, type Raster } from "./png.ts";
import { findRecord, type Subject, type View } from "./view.ts";

/** As many as the sparkline of the profile shows. */
const EPOCHS = 60;

/** Those of the site's light theme; the first is the ground. */
const PALETTE = ["#ffffff", "#dde3e6", "#51616c", "#0b5f66", "#d9e7e8", "#e6acae"] as const;
const [GRID, ANNOUNCED, PAID, AREA, EXCESS, VERDICT] = [1, 2, 3, 4, 5, 6] as const;

const MARGIN = 40;
const BAND = 48;
const ALL = 10_000;
const GRID_RATES = [0, ALL / 2, ALL];
const LINE = 6;
const THIN = 4;

/** Of the drawing, in pixels. */
const CHART = {
  left: MARGIN,
  top: BAND + MARGIN,
  width: PICTURE.width - 2 * MARGIN,
  height: PICTURE.height - BAND - 2 * MARGIN,
};

/**
 * A PNG for previews of links: the verdict's colour above what each epoch paid and announced, from
 * 0 to 100 %. It has no text: previews show title and description beside it, and no font has the
 * letters of every name. null: the validator was never seen.
 */
export function renderPicture(view: View, votePubkey: string): Uint8Array | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const palette = [...PALETTE, COLORS[view.verdictOf(found).level]];
  const raster = createRaster({ ...PICTURE, palette });
  fill(raster, { left: 0, top: 0, right: PICTURE.width, bottom: BAND }, VERDICT);
  drawRates(raster, toEpochs(view, found));
  const address = `/${toObjectKey(view.ledger.network, "picture", { votePubkey })}`;
  return toPng(raster, `"${address}"`);
}

/** Basis points; null: not known. */
interface Rates {
  paid: number | null;
  announced: number | null;
}

/** Of the newest epochs since the validator was first seen, oldest first. */
function toEpochs(view: View, subject: Subject): Rates[] {
  const last = lastEpoch(view, subject.record);
  const first = Math.max(Math.min(subject.record.firstEpoch, last), last - EPOCHS + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    .map((epoch) => findCommissions(view, subject, epoch))
    .map((found) => ({
      paid: found?.appliedCommissionBasisPoints ?? null,
      announced: found?.commissionBasisPoints ?? null,
    }));
}

function drawRates(raster: Raster, epochs: readonly Rates[]): void {
  const step = CHART.width / epochs.length;
  for (const [index, { paid, announced }] of epochs.entries()) {
    const sides = toSides(index, step);
    if (paid === null) continue;
    fill(raster, { ...sides, top: toHeight(paid), bottom: toHeight(0) }, AREA);
    if (announced !== null && paid > announced)
      fill(raster, { ...sides, top: toHeight(paid), bottom: toHeight(announced) }, EXCESS);
  }
  for (const rate of GRID_RATES) drawLine(raster, [rate], CHART.width, GRID, 2);
  const [paid, announced] = [epochs.map((one) => one.paid), epochs.map((one) => one.announced)];
  drawLine(raster, announced, step, ANNOUNCED, THIN);
  drawLine(raster, paid, step, PAID, LINE);
}

/** A line that steps between epochs; null leaves a gap. */
function drawLine(
  raster: Raster,
  rates: readonly (number | null)[],
  step: number,
  color: number,
  thickness: number,
): void {
  for (const [index, rate] of rates.entries()) {
    if (rate === null) continue;
    const { left, right } = toSides(index, step);
    const [half, y] = [thickness / 2, toHeight(rate)];
    fill(
      raster,
      { left: left - half, right: right + half, top: y - half, bottom: y + half },
      color,
    );
    const before = rates[index - 1] ?? null;
    if (before === null || before === rate) continue;
    const [top, bottom] = [y, toHeight(before)].sort((one, other) => one - other);
    if (top !== undefined && bottom !== undefined)
      fill(raster, { left: left - half, right: left + half, top, bottom }, color);
  }
}

function toSides(index: number, step: number): { left: number; right: number } {
  return { left: CHART.left + index * step, right: CHART.left + (index + 1) * step };
}

function toHeight(basisPoints: number): number {
  return CHART.top + CHART.height * (1 - basisPoints / ALL);
}
