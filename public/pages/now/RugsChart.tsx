import { useMemo } from "preact/hooks";
import uPlot from "uplot";
import type { RugsPerEpoch } from "../../../generator/contract/stats.ts";
import { Chart, type ChartColours } from "../../parts/Chart.tsx";

const BAR_SHARE = 0.8;
const BAR_MAX_PIXELS = 24;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

export default function RugsChart({ rows }: { rows: readonly RugsPerEpoch[] }) {
  const bars = useMemo(() => toBars(rows), [rows]);
  return <Chart toOptions={toOptions} data={bars} />;
}

function toOptions({
  text,
  grid,
  one,
  other,
}: ChartColours): Omit<uPlot.Options, "width" | "height"> {
  const paths = uPlot.paths.bars?.({ size: [BAR_SHARE, BAR_MAX_PIXELS] });
  const bar = (label: string, fill: string, value: uPlot.Series.Value) =>
    ({
      label,
      fill,
      value,
      width: 0,
      points: { show: false },
      ...(paths && { paths }),
    }) satisfies uPlot.Series;
  const axis = {
    stroke: text,
    font: "12px system-ui, sans-serif",
    ticks: { show: false },
    incrs: STEPS,
  };
  return {
    scales: {
      x: { time: false, range: (_, first, last) => [first - 0.5, last + 0.5] },
      y: { range: (_, __, most) => [0, Math.max(1, most)] },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 28, values: (_, epochs) => epochs.map(String) },
      { ...axis, grid: { stroke: grid, width: 1 }, size: 36 },
    ],
    cursor: { y: false, drag: { x: false, y: false } },
    series: [
      { label: "Epoch", value: (_, epoch) => toText(epoch) },
      bar("MEV", other, (plot, _, __, index) => toText(index === null ? null : toMev(plot, index))),
      bar("Inflation", one, (_, count) => toText(count)),
    ],
  };
}

function toMev({ data: [, both, inflation] }: uPlot, index: number): number | null {
  const [sum, part] = [both?.[index], inflation?.[index]];
  return sum == null || part == null ? null : sum - part;
}

function toText(value: number | null | undefined): string {
  return value == null ? "" : String(value);
}

type Row = Pick<RugsPerEpoch, "epoch" | "commissionEvents" | "mevEvents">;

/** Epochs, sums, and inflation, which covers the lower part of the sum. */
export function toBars(
  rows: readonly Row[],
): [epochs: number[], both: number[], inflation: number[]] {
  return [
    rows.map(({ epoch }) => epoch),
    rows.map(({ commissionEvents, mevEvents }) => commissionEvents + mevEvents),
    rows.map(({ commissionEvents }) => commissionEvents),
  ];
}
