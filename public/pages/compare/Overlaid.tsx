import { useRef } from "preact/hooks";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import { type Scale, toHeight, toMiddle, toStepLine } from "../../format/rate-shapes.ts";
import { useWidth } from "../../parts/use-width.ts";

const HEIGHT = 200;
const TOP = 8;
const BOTTOM = 22;
const LEFT = 44;
const RIGHT = 4;
const GRID = [0, 50, 100];
const EPOCHS_MAX = 60;
/** Room for an epoch's number on both sides. */
const TICK_PIXELS = 20;

/** Paid by epoch, a line for each; the table below says the same of this epoch. */
export function Overlaid({
  histories,
}: {
  histories: readonly { name: string; points: readonly CommissionPoint[] }[];
}) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const epochs = toEpochs(histories.map(({ points }) => points));
  const scale: Scale = {
    left: LEFT,
    step: Math.max(0, width - LEFT - RIGHT) / Math.max(1, epochs.length),
    top: TOP,
    height: HEIGHT - TOP - BOTTOM,
  };
  return (
    <div class="overlaid" ref={place}>
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={`Paid commission by epoch, ${epochs[0] ?? ""} to ${epochs.at(-1) ?? ""}`}
        >
          {GRID.map((percent) => (
            <g key={percent}>
              <path
                class="overlaid-grid"
                d={`M${LEFT} ${toHeight(percent, scale)}H${width - RIGHT}`}
              />
              <text
                class="overlaid-axis"
                x={LEFT - 6}
                y={toHeight(percent, scale) + 4}
                text-anchor="end"
              >
                {percent} %
              </text>
            </g>
          ))}
          {[0, epochs.length - 1].map(
            (index) =>
              epochs[index] !== undefined && (
                <text
                  key={index}
                  class="overlaid-axis"
                  x={Math.min(width - TICK_PIXELS, Math.max(LEFT, toMiddle(index, scale)))}
                  y={HEIGHT - 6}
                  text-anchor="middle"
                >
                  {epochs[index]}
                </text>
              ),
          )}
          {histories.map(({ name, points }, index) => (
            <path
              key={name}
              class={`overlaid-line overlaid-${index + 1}`}
              d={toStepLine(toRates(points, epochs), scale)}
            />
          ))}
        </svg>
      )}
    </div>
  );
}

/** The sample of a line, beside the name that it stands for. */
export function LineSample({ index }: { index: number }) {
  return (
    <svg class="overlaid-sample" width={22} height={12} aria-hidden="true">
      <path class={`overlaid-line overlaid-${index + 1}`} d="M1 6H21" />
    </svg>
  );
}

/** The newest, in order, that any of them has. */
export function toEpochs(
  histories: readonly (readonly Pick<CommissionPoint, "epoch">[])[],
): number[] {
  const all = new Set(histories.flatMap((points) => points.map(({ epoch }) => epoch)));
  return [...all].sort((one, other) => one - other).slice(-EPOCHS_MAX);
}

function toRates(points: readonly CommissionPoint[], epochs: readonly number[]): (number | null)[] {
  const paid = new Map(points.map(({ epoch, appliedCommission }) => [epoch, appliedCommission]));
  return epochs.map((epoch) => paid.get(epoch) ?? null);
}
