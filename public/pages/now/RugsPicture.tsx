import type { RugsPerEpoch } from "../../../generator/contract/stats.ts";
import { isLost } from "../../format/lost.ts";
import { toCounted, toShortSol } from "../../format/values.ts";

type Row = Pick<RugsPerEpoch, "epoch" | "commissionEvents" | "mevEvents" | "lamportsLost">;

const WIDTH = 1_000;
/** Of each half. */
const HEIGHT = 100;
const GAP = 4;
const BAR_SHARE = 0.78;
const BAR_MAX = 40;

/** Rugs of each epoch upwards, and what they took from delegators downwards. */
export function RugsPicture({ rows, latestEpoch }: { rows: readonly Row[]; latestEpoch: number }) {
  const { bars, step } = toBars(rows);
  const [first, last] = [rows[0]?.epoch, rows.at(-1)?.epoch];
  return (
    <figure class="rugs-picture">
      <p class="rugs-scale">
        <span class="rugs-key rugs-key-inflation">Inflation rugs</span>
        <span class="rugs-key rugs-key-mev">MEV rugs</span>
        <span class="quiet">{toMostText(rows)}</span>
      </p>
      <svg
        viewBox={`0 0 ${WIDTH} ${2 * HEIGHT + GAP}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Rugs and SOL lost, epochs ${first} to ${last}`}
      >
        {bars.map(({ row, x, width, inflation, mev, lost }, at) => (
          <g key={row.epoch}>
            <title>{toRowText(row, latestEpoch)}</title>
            <rect class="rugs-hit" x={at * step} y={0} width={step} height={2 * HEIGHT + GAP} />
            <rect class="rugs-mev" x={x} y={HEIGHT - inflation - mev} width={width} height={mev} />
            <rect
              class="rugs-inflation"
              x={x}
              y={HEIGHT - inflation}
              width={width}
              height={inflation}
            />
            <rect
              class={isLost(row, latestEpoch) ? "rugs-lost" : "rugs-lost rugs-ahead"}
              x={x}
              y={HEIGHT + GAP}
              width={width}
              height={lost}
            />
          </g>
        ))}
        <path class="rugs-ground" d={`M0 ${HEIGHT + GAP / 2}H${WIDTH}`} />
      </svg>
      <p class="rugs-scale">
        <span class="rugs-key rugs-key-lost">SOL lost in the first epoch that pays the rise</span>
        {rows.some((row) => !isLost(row, latestEpoch) && toLost(row) > 0) && (
          <span class="rugs-key rugs-key-ahead">SOL still to be lost</span>
        )}
        <span class="quiet">{toMostLostText(rows)}</span>
      </p>
      <figcaption class="rugs-epochs quiet">
        <span>epoch {first}</span>
        {first !== last && <span>epoch {last}</span>}
      </figcaption>
    </figure>
  );
}

interface Bar {
  row: Row;
  x: number;
  width: number;
  inflation: number;
  mev: number;
  lost: number;
}

/** The highest bar of each half fills it. */
export function toBars(rows: readonly Row[]): { bars: Bar[]; step: number } {
  const step = WIDTH / Math.max(1, rows.length);
  const width = Math.min(BAR_MAX, step * BAR_SHARE);
  const most = Math.max(1, ...rows.map(countRugs));
  const mostLost = Math.max(1, ...rows.map(toLost));
  const bars = rows.map((row, at) => ({
    row,
    x: round(at * step + (step - width) / 2),
    width: round(width),
    inflation: round((row.commissionEvents / most) * HEIGHT),
    mev: round((row.mevEvents / most) * HEIGHT),
    lost: round((toLost(row) / mostLost) * HEIGHT),
  }));
  return { bars, step: round(step) };
}

function toRowText(row: Row, latestEpoch: number): string {
  const rugs = toCounted(countRugs(row), "rug");
  return `Epoch ${row.epoch}: ${rugs}, ${toLostText(row, latestEpoch)}`;
}

/** "12.3 SOL lost", "1.93 SOL to be lost" */
function toLostText(row: Pick<Row, "epoch" | "lamportsLost">, latestEpoch: number): string {
  const { lamportsLost } = row;
  if (lamportsLost === null) return "SOL lost: not known";
  const isAhead = !isLost(row, latestEpoch) && lamportsLost !== "0";
  return `${toShortSol(lamportsLost)} SOL ${isAhead ? "to be lost" : "lost"}`;
}

function toMostText(rows: readonly Row[]): string {
  const most = findMost(rows, countRugs);
  return most === null ? "none" : `most: ${countRugs(most)} in epoch ${most.epoch}`;
}

function toMostLostText(rows: readonly Row[]): string {
  const most = findMost(rows, toLost);
  return most === null
    ? "none"
    : `most: ${toShortSol(most.lamportsLost ?? "0")} in epoch ${most.epoch}`;
}

/** null: all are 0. */
function findMost(rows: readonly Row[], count: (row: Row) => number): Row | null {
  const most = rows.reduce<Row | null>(
    (found, row) => (found === null || count(row) > count(found) ? row : found),
    null,
  );
  return most === null || count(most) === 0 ? null : most;
}

function countRugs({ commissionEvents, mevEvents }: Row): number {
  return commissionEvents + mevEvents;
}

function toLost({ lamportsLost }: Row): number {
  return Number(lamportsLost ?? 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
