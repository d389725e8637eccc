import { type Scale, toHeight } from "../format/rate-shapes.ts";
import { toPercent } from "../format/values.ts";
import "../style/rate-grid.css";

/** Left of the drawing stand percents, below it epochs. */
const LEFT = 44;
const RIGHT = 4;
const BOTTOM = 22;
const PERCENTS = [0, 50, 100];

/** In pixels. */
interface Size {
  width: number;
  height: number;
  /** Room above 100 %. */
  top: number;
}

/** Where a drawing of so many epochs puts them. */
export function toGridScale({ width, height, top }: Size, epochs: number): Scale {
  const step = Math.max(0, width - LEFT - RIGHT) / Math.max(1, epochs);
  return { left: LEFT, step, top, height: height - top - BOTTOM };
}

interface RateGridProps {
  scale: Scale;
  width: number;
  /** With the middle of its text. */
  ticks: readonly { epoch: number; x: number }[];
}

/** What a drawing of rates by epoch stands on: lines at 0, 50 and 100 %, and epochs. */
export function RateGrid({ scale, width, ticks }: RateGridProps) {
  return (
    <>
      {PERCENTS.map((percent) => (
        <g key={percent}>
          <path class="rate-grid" d={`M${LEFT} ${toHeight(percent, scale)}H${width - RIGHT}`} />
          <text class="rate-axis" x={LEFT - 6} y={toHeight(percent, scale) + 4} text-anchor="end">
            {toPercent(percent)}
          </text>
        </g>
      ))}
      {ticks.map(({ epoch, x }) => (
        <text
          key={epoch}
          class="rate-axis"
          x={x}
          y={toHeight(0, scale) + BOTTOM - 6}
          text-anchor="middle"
        >
          {epoch}
        </text>
      ))}
    </>
  );
}
