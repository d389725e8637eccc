import { useRef } from "preact/hooks";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import { type Scale, toMiddle, toStepLine } from "../../format/rate-shapes.ts";
import { RateGrid, toGridScale } from "../../parts/RateGrid.tsx";
import { useWidth } from "../../parts/use-width.ts";

const HEIGHT_MAX = 200;
/** As in compare.css, which keeps its place. */
const WIDTH_PER_HEIGHT = 2.5;
const TOP = 8;
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
  const height = Math.min(HEIGHT_MAX, width / WIDTH_PER_HEIGHT);
  const scale = toGridScale({ width, height, top: TOP }, epochs.length);
  return (
    <div class="overlaid" ref={place}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`Paid commission by epoch, ${epochs[0] ?? ""} to ${epochs.at(-1) ?? ""}`}
        >
          <RateGrid scale={scale} width={width} ticks={toTicks(epochs, width, scale)} />
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

/** The first and the last. */
function toTicks(epochs: readonly number[], width: number, scale: Scale) {
  return epochs.flatMap((epoch, index) => {
    if (index > 0 && index < epochs.length - 1) return [];
    const x = Math.min(width - TICK_PIXELS, Math.max(scale.left, toMiddle(index, scale)));
    return [{ epoch, x }];
  });
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
