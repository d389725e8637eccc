import { toObjectKey } from "../contract/object-keys.ts";
import { PICTURE } from "../contract/text-schemas.ts";
import { COLORS } from "./badge.ts";
import { createRaster, fill, toPng, type Raster } from "./png.ts";
import { findRecord, type View } from "./view.ts";

/** Those of the site's light theme; the first is the ground. */
const PALETTE = ["#ffffff", "#dde3e6", "#0b5f66", "#d9e7e8"] as const;
const [GRID, PAID, AREA, VERDICT] = [1, 2, 3, 4] as const;

const MARGIN = 40;
const BAND = 48;
const ALL = 10_000;
const GRID_RATES = [0, ALL / 2, ALL];
const LINE = 6;

/** Of the drawing, in pixels. */
const CHART = {
  left: MARGIN,
  top: BAND + MARGIN,
  width: PICTURE.width - 2 * MARGIN,
  height: PICTURE.height - BAND - 2 * MARGIN,
};

/**
 * A PNG for previews of links: the verdict's colour above what the newest epochs paid, from 0 to
 * 100 %, which is the sparkline of lists. It has no text: previews show title and description
 * beside it, and no font has the letters of every name. null: the validator was never seen.
 */
export function renderPicture(view: View, votePubkey: string): Uint8Array | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const palette = [...PALETTE, COLORS[view.verdictOf(found).level]];
  const raster = createRaster({ ...PICTURE, palette });
  fill(raster, { left: 0, top: 0, right: PICTURE.width, bottom: BAND }, VERDICT);
  drawRates(raster, view.appliedOf(found.validatorIndex));
  const address = `/${toObjectKey(view.ledger.network, "picture", { votePubkey })}`;
  return toPng(raster, `"${address}"`);
}

function drawRates(raster: Raster, rates: readonly (number | null)[]): void {
  const step = CHART.width / rates.length;
  for (const [index, rate] of rates.entries()) {
    if (rate === null) continue;
    fill(raster, { ...toSides(index, step), top: toHeight(rate), bottom: toHeight(0) }, AREA);
  }
  for (const rate of GRID_RATES) drawLine(raster, { rates: [rate], step: CHART.width }, GRID, 2);
  drawLine(raster, { rates, step }, PAID, LINE);
}

/** A line that steps between epochs; null leaves a gap. */
function drawLine(
  raster: Raster,
  { rates, step }: { rates: readonly (number | null)[]; step: number },
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
