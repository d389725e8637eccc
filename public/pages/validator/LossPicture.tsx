import type { Loss } from "../../format/cost.ts";
import { toCostText } from "../../format/cost.ts";

const WIDTH = 1_000;
const HEIGHT = 100;

/** How the loss grew, epoch by epoch. */
export function LossPicture({ until }: Pick<Loss, "until">) {
  const [first, last] = [until[0], until.at(-1)];
  if (first === undefined || last === undefined) return null;
  const title = `All epochs together, ${first.epoch} to ${last.epoch}: ${toCostText(last.lamports)}`;
  return (
    <svg
      class="cost-picture"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={title}
    >
      <title>{title}</title>
      <path d={toPath(until.map(({ lamports }) => Number(lamports)))} />
    </svg>
  );
}

/** A filled step for each epoch; the last and highest fills the height. */
export function toPath(sums: readonly number[]): string {
  const step = WIDTH / Math.max(1, sums.length);
  const most = Math.max(1, ...sums);
  const steps = sums.map(
    (sum, at) => `V${round(HEIGHT - (sum / most) * HEIGHT)}H${round((at + 1) * step)}`,
  );
  return `M0 ${HEIGHT}${steps.join("")}V${HEIGHT}Z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
