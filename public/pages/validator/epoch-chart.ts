import type uPlot from "uplot";
import type { ChartColours } from "../../parts/Chart.tsx";

const EPOCH_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];
/** Room for a mark on the highest step. */
const HEADROOM = 1.08;

interface EpochChartOptions {
  unit: "%" | "SOL";
  toLabel?: (value: number) => string;
}

export function toEpochOptions(
  { text, grid }: ChartColours,
  { unit, toLabel = String }: EpochChartOptions,
) {
  const axis = { stroke: text, font: "12px system-ui, sans-serif", ticks: { show: false } };
  return {
    scales: {
      x: { time: false },
      y: {
        range: (_: uPlot, __: number, most: number): uPlot.Range.MinMax => [
          0,
          most > 0 ? most * HEADROOM : 1,
        ],
      },
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
        values: (_: uPlot, values: number[]) =>
          values.map((value) => (unit === "%" ? `${value} %` : toLabel(value))),
      },
    ],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      // A pointer anywhere over a step means its epoch.
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

type EpochValues = readonly (number | null)[];

/** In epochs; the remaining 0.02 is the rise to the next step. */
const HALF_STEP = 0.49;
const PLACES = [-HALF_STEP, 0, HALF_STEP];

/** Three columns for each epoch: values in all, marks in the middle one. null leaves a gap. */
export function toStepColumns(
  epochs: readonly number[],
  { values, marks = [] }: { values: readonly EpochValues[]; marks?: readonly EpochValues[] },
): [places: number[], ...series: (number | null)[][]] {
  return [
    epochs.flatMap((epoch) => PLACES.map((place) => epoch + place)),
    ...values.map((of) => of.flatMap((value) => [value, value, value])),
    ...marks.map((of) => of.flatMap((value) => [null, value, null])),
  ];
}

export function toMiddle(index: number): number {
  return toRow(index) * PLACES.length + 1;
}

export function toRow(index: number): number {
  return Math.floor(index / PLACES.length);
}
