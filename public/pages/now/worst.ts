import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { RUG_PERCENT } from "../../../generator/contract/severity.ts";
import type { StandingRug } from "../../../generator/contract/standing-rugs.ts";
import { isLater } from "../../format/charges.ts";
import { toAddress } from "../../format/url.ts";

type Meta = Pick<DocumentOf<"rugsPerEpoch">["meta"], "standing" | "keeping">;

/** Takes nearly all inflation rewards, without a rise in force. */
export type Keeper = Meta["keeping"]["most"][number];

/** Each once, in each group the most stake first. */
export interface Worst {
  /** Their rise is paid. */
  paid: StandingRug[];
  /** A later epoch pays their rise. */
  ahead: StandingRug[];
  others: Keeper[];
}

const SHOWN = 8;
/** Of those ahead, on the page. */
export const AHEAD_ANCHOR = "worst-ahead";

/**
 * Who takes nearly everything, as far as the document names them: of those with a rise, the ten worst,
 * and of these first who is paid. Those ahead are not left out here: a sentence leads to them.
 */
export function toWorst({ standing: { worst }, keeping: { most } }: Meta): Worst {
  const rugs = new Set(worst.map(({ votePubkey }) => votePubkey));
  const paid = worst.filter((rug) => rug.paid).slice(0, SHOWN);
  const ahead = worst.filter((rug) => !rug.paid);
  const left = Math.max(0, SHOWN - paid.length - ahead.length);
  const others = most.filter(({ votePubkey }) => !rugs.has(votePubkey)).slice(0, left);
  return { paid, ahead, others };
}

/**
 * Which change to tell of a rise: a newer one of the same validator that an epoch after the next
 * pays, else the rise itself.
 * @param events newest first
 * @param running epoch
 */
export function toTold(
  { event, votePubkey }: StandingRug,
  events: readonly CommissionEvent[],
  running: number,
): CommissionEvent {
  const isTold = (one: CommissionEvent) =>
    one.votePubkey === votePubkey && one.source === event.source && isLater(one, running);
  return events.find(isTold) ?? event;
}

/** The list of exactly those that `meta.keeping` counts. */
export function toKeepersAddress(of: "inflation" | "mev", network: Network): string {
  return of === "inflation"
    ? toAddress("/validators", { sort: "applied", appliedMin: RUG_PERCENT, network })
    : toAddress("/validators", { sort: "mev", mevMin: RUG_PERCENT, network });
}
