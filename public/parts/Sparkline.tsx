import { type Rates, type Scale, toHeight, toStepArea, toStepLine } from "../format/rate-shapes.ts";
import "../style/sparkline.css";

interface SparklineProps {
  /** Paid. */
  values: Rates;
  title: string;
}

const WIDTH = 240;
const HEIGHT = 40;
const MARGIN = 2;

/** The drawing of RateChart in a line. */
export function Sparkline({ values, title }: SparklineProps) {
  const scale = toScale(values.length);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={title}
      preserveAspectRatio="none"
    >
      <title>{title}</title>
      <path d={toStepArea(values, scale)} class="sparkline-area" />
      <path d={`M0 ${toHeight(0, scale)}H${WIDTH}`} class="sparkline-ground" />
      <path
        d={toStepLine(values, scale)}
        class="sparkline-paid"
        vector-effect="non-scaling-stroke"
      />
    </svg>
  );
}

/** Of so many epochs. */
export function toScale(count: number): Scale {
  return { left: 0, step: WIDTH / Math.max(1, count), top: MARGIN, height: HEIGHT - 2 * MARGIN };
}
