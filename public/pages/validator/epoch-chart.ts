import type uPlot from "uplot";
import type { ChartColours } from "../../parts/Chart.tsx";

const EPOCH_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];
/** Room above the highest step. */
const HEADROOM = 1.08;

/** Of SOL by epoch. */
export function toEpochOptions({ text, grid }: ChartColours, toLabel: (sol: number) => string) {
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
        size: 60,
        values: (_: uPlot, values: number[]) => values.map(toLabel),
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
  fill: string;
  text: (value: number | null | undefined) => string;
}

export function toStep(label: string, { stroke, fill, text }: StepOptions): uPlot.Series {
  return {
    label,
    stroke,
    width: 2,
    points: { show: false },
    value: (_, value) => text(value),
    fill,
  };
}

type EpochValues = readonly (number | null)[];

/** In epochs; the remaining 0.02 is the rise to the next step. */
const HALF_STEP = 0.49;
const PLACES = [-HALF_STEP, 0, HALF_STEP];

/** Three columns for each epoch, all with its value. null leaves a gap. */
export function toStepColumns(
  epochs: readonly number[],
  values: EpochValues,
): [places: number[], series: (number | null)[]] {
  return [
    epochs.flatMap((epoch) => PLACES.map((place) => epoch + place)),
    values.flatMap((value) => [value, value, value]),
  ];
}

export function toMiddle(index: number): number {
  return toRow(index) * PLACES.length + 1;
}

export function toRow(index: number): number {
  return Math.floor(index / PLACES.length);
}
