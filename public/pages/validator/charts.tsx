import { useMemo } from "preact/hooks";
import type uPlot from "uplot";
import type { CommissionEvent, Severity, Source } from "../../../generator/contract/event.ts";
import type { CommissionPoint, StakePoint } from "../../../generator/contract/history.ts";
import { findWorst, toSides } from "../../format/events.ts";
import { NOT_KNOWN, toPercent, toShortSol } from "../../format/values.ts";
import { Chart, type ChartColours } from "../../parts/Chart.tsx";
import { toEpochOptions, toRow, toStep, toStepColumns } from "./epoch-chart.ts";

interface CommissionChartProps {
  points: readonly CommissionPoint[];
  events: readonly CommissionEvent[];
  source: Source;
}

const MARK_PIXELS = 8;

export function CommissionChart({ points, events, source }: CommissionChartProps) {
  const marks = useMemo(() => toMarks(events, source), [events, source]);
  const data = useMemo(() => toColumns(points, marks, source), [points, marks, source]);
  const toOptions = useMemo(() => {
    const epochs = points.map(({ epoch }) => epoch);
    return (colours: ChartColours) => ({
      ...toEpochOptions(colours, { unit: "%" }),
      series: [
        {
          label: "Epoch",
          value: (_: uPlot, __: number, ___: number, index: number | null) =>
            toEpochText(epochs, index),
        },
        ...(source === "MEV"
          ? []
          : [toStep("Announced", { stroke: colours.other, dash: [5, 4], text: toText })]),
        toStep(source === "MEV" ? "MEV" : "Paid", { stroke: colours.accent, text: toText }),
        toMarkSeries("Rug", colours.rug, (index) =>
          toMarkText(epochs, marks, { index, isRug: true }),
        ),
        toMarkSeries("Other change", colours.text, (index) =>
          toMarkText(epochs, marks, { index, isRug: false }),
        ),
        ...(source === "MEV"
          ? []
          : [
              toMarkSeries("Measured", colours.accent, (index) =>
                toText(points[toRow(index)]?.paidCommission),
              ),
            ]),
      ],
    });
  }, [points, marks, source]);
  return <Chart toOptions={toOptions} data={data} height={160} />;
}

function toColumns(
  points: readonly CommissionPoint[],
  marks: readonly EpochMark[],
  source: Source,
) {
  const at = (isRug: boolean) => {
    const of = new Map(
      marks
        .filter((mark) => (mark.severity === "RUG") === isRug)
        .map((mark) => [mark.epoch, mark.at]),
    );
    return points.map(({ epoch }) => of.get(epoch) ?? null);
  };
  const announced = points.map(({ commission }) => commission);
  const paid = points.map(({ appliedCommission }) => appliedCommission);
  const measured = points.map(({ paidCommission }) => paidCommission);
  const mev = points.map(({ mevCommission }) => mevCommission);
  const changes = [at(true), at(false)];
  return toStepColumns(
    points.map(({ epoch }) => epoch),
    source === "MEV"
      ? { values: [mev], marks: changes }
      : { values: [announced, paid], marks: [...changes, measured] },
  );
}

function toMarkSeries(
  label: string,
  colour: string,
  toText: (index: number) => string,
): uPlot.Series {
  return {
    label,
    stroke: colour,
    paths: () => null,
    points: { show: true, size: MARK_PIXELS, width: 2, fill: colour },
    value: (_, __, ___, index) => (index === null ? "" : toText(index)),
  };
}

interface MarkOf {
  index: number;
  isRug: boolean;
}

export function toMarkText(
  epochs: readonly number[],
  marks: readonly EpochMark[],
  { index, isRug }: MarkOf,
): string {
  const epoch = epochs[toRow(index)];
  const events = marks.find((each) => each.epoch === epoch)?.events ?? [];
  // A rug falls again in the same epoch: the fall is no rug.
  const shown = events.filter(({ severity }) => (severity === "RUG") === isRug);
  return shown.map((event) => toSides(event).join(" → ")).join(", ");
}

function toEpochText(epochs: readonly number[], index: number | null): string {
  return index === null ? "" : String(epochs[toRow(index)] ?? "");
}

function toText(percent: number | null | undefined): string {
  return toPercent(percent ?? null);
}

type Change = Pick<
  CommissionEvent,
  "source" | "severity" | "epoch" | "fromCommission" | "toCommission"
>;

/** Events of one source in one epoch, the newest last. */
interface EpochMark<Event extends Change = CommissionEvent> {
  epoch: number;
  severity: Severity;
  /** Percent: where the worst event led, else came from; null: neither is known. */
  at: number | null;
  events: readonly Event[];
}

export function toMarks<Event extends Change>(
  newestFirst: readonly Event[],
  source: Source,
): EpochMark<Event>[] {
  const byEpoch = Map.groupBy(
    newestFirst.filter((event) => event.source === source),
    ({ epoch }) => epoch,
  );
  return [...byEpoch]
    .map(([epoch, events]) => {
      const severity = findWorst(events);
      const worst = events.find((event) => event.severity === severity);
      return {
        epoch,
        severity,
        at: worst?.toCommission ?? worst?.fromCommission ?? null,
        events: events.toReversed(),
      };
    })
    .sort((one, other) => one.epoch - other.epoch);
}

export function StakeChart({ points }: { points: readonly StakePoint[] }) {
  const data = useMemo(
    () =>
      toStepColumns(
        points.map(({ epoch }) => epoch),
        { values: [points.map(({ activeStake }) => activeStake.sol)] },
      ),
    [points],
  );
  const toOptions = useMemo(() => {
    const at = (index: number | null) => (index === null ? undefined : points[toRow(index)]);
    return (colours: ChartColours) => ({
      ...toEpochOptions(colours, { unit: "SOL", toLabel }),
      series: [
        {
          label: "Epoch",
          value: (_: uPlot, __: number, ___: number, index: number | null) =>
            toStakeEpochText(at(index)),
        },
        toStep("Active stake", {
          stroke: colours.accent,
          fill: colours.accentGround,
          text: (sol) => (sol == null ? NOT_KNOWN : `${toLabel(sol)} SOL`),
        }),
      ],
    });
  }, [points]);
  return <Chart toOptions={toOptions} data={data} height={180} />;
}

function toStakeEpochText(point: StakePoint | undefined): string {
  if (point === undefined) return "";
  return point.rank === null ? String(point.epoch) : `${point.epoch}, No. ${point.rank}`;
}

function toLabel(sol: number): string {
  return toShortSol(String(BigInt(Math.round(sol)) * 1_000_000_000n));
}
