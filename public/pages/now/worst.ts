import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { StandingRug } from "../../../generator/contract/standing-rugs.ts";

type Meta = Pick<DocumentOf<"rugsPerEpoch">["meta"], "standing" | "keeping">;

/** Takes nearly all inflation rewards, without a rise in force. */
export type Keeper = Meta["keeping"]["most"][number];

const SHOWN = 8;

/**
 * Who takes nearly everything: those whose rise is paid, those whose rise comes, and those that took
 * as much before. Each once.
 */
export function toWorst({
  standing: { worst },
  keeping: { most },
}: Meta): (StandingRug | Keeper)[] {
  const rugs = new Set(worst.map(({ votePubkey }) => votePubkey));
  return [
    ...worst.filter(({ paid }) => paid),
    ...worst.filter(({ paid }) => !paid),
    ...most.filter(({ votePubkey }) => !rugs.has(votePubkey)),
  ].slice(0, SHOWN);
}
