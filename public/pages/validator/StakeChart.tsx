import { useMemo } from "preact/hooks";
import type uPlot from "uplot";
import type { StakePoint } from "../../../generator/contract/history.ts";
import { toShortSol } from "../../format/amounts.ts";
import { toRow, toStepColumns } from "../../format/steps.ts";
import { Chart, type ChartColours } from "../../parts/Chart.tsx";
import { toEpochOptions, toStep } from "./epoch-chart.ts";

/** Active stake by epoch; its rank stands in the legend. Apart from the page, since it brings uPlot along. */
export default function StakeChart({ points }: { points: readonly StakePoint[] }) {
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
        { label: "Epoch", value: (_: uPlot, __: number, ___: number, index: number | null) => toEpochText(at(index)) },
        toStep("Active stake", {
          stroke: colours.accent,
          fill: colours.accentGround,
          text: (sol) => (sol == null ? "–" : `${toLabel(sol)} SOL`),
        }),
      ],
    });
  }, [points]);
  return <Chart toOptions={toOptions} data={data} height={180} />;
}

function toEpochText(point: StakePoint | undefined): string {
  if (point === undefined) return "–";
  return point.rank === null ? String(point.epoch) : `${point.epoch}, No. ${point.rank}`;
}

/** For the axis: the figures of the table are made from lamports. */
function toLabel(sol: number): string {
  return sol === 0 ? "0" : toShortSol(String(BigInt(Math.round(sol)) * 1_000_000_000n));
}
