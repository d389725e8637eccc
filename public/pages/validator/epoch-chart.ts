import type uPlot from "uplot";
import { toMiddle } from "../../format/steps.ts";
import type { ChartColours } from "../../parts/Chart.tsx";

/** Steps between two labels of the axis: whole epochs. */
const EPOCH_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];
/** Room above the highest step, for a mark on it. */
const HEADROOM = 1.08;

interface EpochChartOptions {
  unit: "%" | "SOL";
  toLabel?: (value: number) => string;
}

/** What all charts over epochs of a validator have in common, all but the series. */
export function toEpochOptions({ text, grid }: ChartColours, { unit, toLabel = String }: EpochChartOptions) {
  const axis = { stroke: text, font: "12px system-ui, sans-serif", ticks: { show: false } };
  return {
    scales: {
      x: { time: false },
      y: { range: (_: uPlot, __: number, most: number): uPlot.Range.MinMax => [0, most > 0 ? most * HEADROOM : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        incrs: EPOCH_STEPS,
        values: (_: uPlot, epochs: number[]) => epochs.map(String),
      },
      {
        ...axis,
        grid: { stroke: grid, width: 1 },
        size: unit === "%" ? 48 : 60,
        values: (_: uPlot, values: number[]) => values.map((value) => (unit === "%" ? `${value} %` : toLabel(value))),
      },
    ],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      // Anywhere over the step of an epoch is that epoch.
      dataIdx: (_: uPlot, __: number, nearest: number) => toMiddle(nearest),
    },
  } satisfies Omit<uPlot.Options, "width" | "height" | "series">;
}

interface StepOptions {
  stroke: string;
  dash?: number[];
  fill?: string;
  text: (value: number | null | undefined) => string;
}

/** One line of steps over the columns of `toStepColumns`. */
export function toStep(label: string, { stroke, dash, fill, text }: StepOptions): uPlot.Series {
  return {
    label,
    stroke,
    width: 2,
    points: { show: false },
    value: (_, value) => text(value),
    ...(dash && { dash }),
    ...(fill !== undefined && { fill }),
  };
}
