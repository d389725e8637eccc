import "../style/sparkline.css";

interface SparklineProps {
  /** Percent, oldest first; null: a gap. */
  values: readonly (number | null)[];
  title: string;
}

const WIDTH = 240;
const HEIGHT = 40;
const MARGIN = 2;

/** Steps on a scale from 0 to 100 %, so that any two can be compared. */
export function Sparkline({ values, title }: SparklineProps) {
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={title}
      preserveAspectRatio="none"
    >
      <title>{title}</title>
      <path d={`M0 ${HEIGHT - MARGIN}H${WIDTH}`} class="sparkline-ground" />
      <path d={toPath(values)} class="sparkline-paid" vector-effect="non-scaling-stroke" />
    </svg>
  );
}

/** A step as wide for each value, broken where one is not known. */
export function toPath(values: readonly (number | null)[]): string {
  const step = WIDTH / Math.max(1, values.length);
  return values
    .map((value, index) => {
      if (value === null) return "";
      const isFirst = index === 0 || values[index - 1] === null;
      const height = HEIGHT - MARGIN - (value / 100) * (HEIGHT - 2 * MARGIN);
      const [from, to] = [toText(index * step), toText((index + 1) * step)];
      return `${isFirst ? `M${from} ${toText(height)}` : `V${toText(height)}`}H${to}`;
    })
    .join("");
}

function toText(coordinate: number): string {
  return String(Math.round(coordinate * 10) / 10);
}
