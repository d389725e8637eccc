import type { Validator } from "../../../generator/contract/validator.ts";
import { toShortSol } from "../../format/values.ts";
import { VERDICT_WORDS } from "../../parts/VerdictWord.tsx";
import type { Holding } from "./holdings.ts";

type Level = Validator["verdict"];

const LEVELS = ["bad", "caution", "good", "unknown"] as const satisfies readonly Level[];
const WIDTH = 1_000;

/** How much of the stake lies with whom. */
export function VerdictBar({ holdings }: { holdings: readonly Holding[] }) {
  const parts = toParts(holdings);
  const text = parts.map(({ level, lamports }) => toText(level, lamports)).join(", ");
  return (
    <div class="verdict-bar">
      <svg viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" role="img" aria-label={text}>
        {parts.map(({ level, x, width }) => (
          <rect key={level} class={`verdict-bar-${level}`} x={x} y={0} width={width} height={10} />
        ))}
      </svg>
      <p class="quiet">By verdict, inactive stake included: {text}</p>
    </div>
  );
}

function toText(level: Level, lamports: bigint): string {
  return `${VERDICT_WORDS[level].sign} ${VERDICT_WORDS[level].word} ${toShortSol(String(lamports))} SOL`;
}

interface Part {
  level: Level;
  lamports: bigint;
  x: number;
  width: number;
}

/** The worst first, without levels that have no stake. */
export function toParts(holdings: readonly Holding[]): Part[] {
  const sums = LEVELS.map((level) => ({
    level,
    lamports: holdings
      .filter(({ validator }) => (validator?.verdict ?? "unknown") === level)
      .reduce((sum, each) => sum + each.lamports, 0n),
  })).filter(({ lamports }) => lamports > 0n);
  const total = sums.reduce((sum, { lamports }) => sum + lamports, 0n);
  let x = 0;
  return sums.map(({ level, lamports }) => {
    const width = Number((lamports * BigInt(WIDTH)) / total);
    const part = { level, lamports, x, width };
    x += width;
    return part;
  });
}
