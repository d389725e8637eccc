import { toPercent, toSharePercent } from "../../format/values.ts";
import type { Ranked } from "./ranking.ts";

/** Each has a part of the strip of its own; the rest is one. */
const PARTS_MAX = 40;
const THIRD = 100 / 3;

/** All stake as one strip, the largest first, with a mark where a third of it is reached. */
export function ThirdStrip({
  ranking,
  coefficient,
}: {
  ranking: readonly Ranked[];
  coefficient: number;
}) {
  const shown = ranking.slice(0, PARTS_MAX);
  const together = ranking[coefficient - 1]?.cumulativePercent ?? 0;
  const label = `The largest ${coefficient} of ${ranking.length} reach ${toSharePercent(together)}; a third stops the network.`;
  return (
    <div class="third-strip" role="img" aria-label={label}>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="third-rest" width={100} height={10} />
        {shown.map(({ rank, cumulativePercent }, index) => {
          const from = shown[index - 1]?.cumulativePercent ?? 0;
          return (
            <rect
              key={rank}
              class={rank <= coefficient ? "third-above" : "third-below"}
              x={from}
              width={cumulativePercent - from}
              height={10}
            />
          );
        })}
        <path class="third-mark" d={`M${THIRD} 0V10`} vector-effect="non-scaling-stroke" />
      </svg>
      <p class="third-words" aria-hidden="true">
        <span>{toPercent(0)}</span>
        <strong>one third</strong>
        <span>{toPercent(100)}</span>
      </p>
    </div>
  );
}
