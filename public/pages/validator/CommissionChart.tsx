import { useMemo } from "preact/hooks";
import type uPlot from "uplot";
import type { CommissionEvent, Source } from "../../../generator/contract/event.ts";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import { toPercent } from "../../format/amounts.ts";
import { toSides } from "../../format/commissions.ts";
import { toRow, toStepColumns } from "../../format/steps.ts";
import { Chart, type ChartColours } from "../../parts/Chart.tsx";
import { toMarks, type EpochMark } from "./commissions.ts";
import { toEpochOptions, toStep } from "./epoch-chart.ts";

interface CommissionChartProps {
  points: readonly CommissionPoint[];
  /** Newest first; those of the other source are left out. */
  events: readonly CommissionEvent[];
  source: Source;
}

/** Marks of the worst kind have the colour of it; the others that of text. */
const MARK_PIXELS = 8;

/** Steps of one commission by epoch, and a mark on each epoch that it changed in. Apart from the page: it brings uPlot along. */
export default function CommissionChart({ points, events, source }: CommissionChartProps) {
  const marks = useMemo(() => toMarks(events, source), [events, source]);
  const data = useMemo(() => toColumns(points, marks, source), [points, marks, source]);
  const toOptions = useMemo(() => {
    const epochs = points.map(({ epoch }) => epoch);
    return (colours: ChartColours) => ({
      ...toEpochOptions(colours, { unit: "%" }),
      series: [
        {
          label: "Epoch",
          value: (_: uPlot, __: number, ___: number, index: number | null) => toEpochText(epochs, index),
        },
        ...(source === "MEV" ? [] : [toStep("Announced", { stroke: colours.other, dash: [5, 4], text: toText })]),
        toStep(source === "MEV" ? "MEV" : "Paid", { stroke: colours.accent, text: toText }),
        toMarkSeries("Rug", colours.rug, (index) => toMarkText(epochs, marks, { index, isRug: true })),
        toMarkSeries("Other change", colours.text, (index) => toMarkText(epochs, marks, { index, isRug: false })),
      ],
    });
  }, [points, marks, source]);
  return <Chart toOptions={toOptions} data={data} height={160} />;
}

function toColumns(points: readonly CommissionPoint[], marks: readonly EpochMark[], source: Source) {
  const at = (isRug: boolean) => {
    const of = new Map(
      marks.filter((mark) => (mark.severity === "RUG") === isRug).map((mark) => [mark.epoch, mark.at]),
    );
    return points.map(({ epoch }) => of.get(epoch) ?? null);
  };
  const announced = points.map(({ commission }) => commission);
  const paid = points.map(({ appliedCommission }) => appliedCommission);
  const mev = points.map(({ mevCommission }) => mevCommission);
  return toStepColumns(
    points.map(({ epoch }) => epoch),
    { values: source === "MEV" ? [mev] : [announced, paid], marks: [at(true), at(false)] },
  );
}

function toMarkSeries(label: string, colour: string, toText: (index: number) => string): uPlot.Series {
  return {
    label,
    stroke: colour,
    paths: () => null,
    points: { show: true, size: MARK_PIXELS, width: 2, fill: colour },
    value: (_, __, ___, index) => (index === null ? "–" : toText(index)),
  };
}

interface MarkOf {
  index: number;
  isRug: boolean;
}

function toMarkText(epochs: readonly number[], marks: readonly EpochMark[], { index, isRug }: MarkOf): string {
  const epoch = epochs[toRow(index)];
  const mark = marks.find((each) => each.epoch === epoch && (each.severity === "RUG") === isRug);
  return mark === undefined ? "–" : mark.events.map((event) => toSides(event).join(" → ")).join(", ");
}

function toEpochText(epochs: readonly number[], index: number | null): string {
  return index === null ? "–" : String(epochs[toRow(index)] ?? "–");
}

function toText(percent: number | null | undefined): string {
  return percent == null ? "–" : toPercent(percent);
}
