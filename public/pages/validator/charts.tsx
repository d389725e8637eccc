import { useMemo } from "preact/hooks";
import type uPlot from "uplot";
import type { StakePoint } from "../../../generator/contract/history.ts";
import { NOT_KNOWN, toShortSol } from "../../format/values.ts";
import { Chart, type ChartColours } from "../../parts/Chart.tsx";
import { toEpochOptions, toRow, toStep, toStepColumns } from "./epoch-chart.ts";

export function StakeChart({ points }: { points: readonly StakePoint[] }) {
  const data = useMemo(
    () =>
      toStepColumns(
        points.map(({ epoch }) => epoch),
        points.map(({ activeStake }) => activeStake.sol),
      ),
    [points],
  );
  const toOptions = useMemo(() => {
    const at = (index: number | null) => (index === null ? undefined : points[toRow(index)]);
    return (colours: ChartColours) => ({
      ...toEpochOptions(colours, toLabel),
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
  return point.rank === null ? String(point.epoch) : `${point.epoch}, began as No. ${point.rank}`;
}

function toLabel(sol: number): string {
  return toShortSol(String(BigInt(Math.round(sol)) * 1_000_000_000n));
}
