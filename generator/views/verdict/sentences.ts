import { COMMISSIONS } from "../commission-names.ts";
import type { CommissionEvent, Source } from "../../contract/event.ts";
import { toPercent } from "../../contract/numbers.ts";
import type { Pattern } from "../../contract/pattern.ts";
import { RUG_RATE } from "../../contract/severity.ts";
import { HABIT_EPOCHS, LARGE_POINTS, type VerdictCode } from "../../contract/verdict.ts";
import { toRise, type PaidChange } from "./paid-changes.ts";
import { toPayingEpochs, type VerdictFacts } from "./facts.ts";

/*
 * The sentences of verdicts. Each states what was observed and in which epochs, but never a
 * motive. Briefs, for badges, name no epoch that changes by itself.
 */

/** A reason in a sentence, and in a few words for a badge. */
export interface Sentence {
  text: string;
  brief: string;
}

/** A reason of a verdict. */
export interface Reason extends Sentence {
  code: VerdictCode;
}

/** What pays a commission. */
const PAYING = { COMMISSION: "rewards", MEV: "tips" } as const satisfies Record<Source, string>;

/** Reason: a RUG that rewards or tips do not pay yet. */
export function toAhead(rug: PaidChange): Sentence {
  const { source, effectiveEpoch: first, effectiveEpochLatest: latest } = rug.event;
  const { last } = rug.possibly;
  const start = first === latest ? `epoch ${first}` : `epoch ${first}, or ${latest} at the latest,`;
  const span =
    last === Infinity
      ? `from ${start} on, unless it is changed again`
      : first === last
        ? `in ${start}`
        : `from ${start} to epoch ${last}`;
  return {
    text: `${toRaised(rug)}; ${PAYING[source]} pay ${toRate(rug.to)} ${span}.`,
    brief: `rug ahead, from epoch ${first}`,
  };
}

/** Reason: a recent RUG, with the epochs that paid it and, once it is over, what is paid since. */
export function toRecentRug(facts: VerdictFacts, rug: PaidChange): Sentence {
  return {
    text: `${toRaised(rug)}; ${toPaying(facts, rug)}${toEnding(facts, rug)}.`,
    brief: `rug in epoch ${rug.event.epoch}`,
  };
}

/** "rewards paid 100 % in epochs 1082 to 1083" */
function toPaying(facts: VerdictFacts, change: PaidChange): string {
  const { event, to, surely, possibly } = change;
  const epochs = surely === null ? [] : toPayingEpochs(facts, change, surely);
  return epochs.length > 0
    ? `${PAYING[event.source]} paid ${toRate(to)} in ${toSpanText(epochs)}`
    : `${PAYING[event.source]} may have paid ${toRate(to)} in ${toSpanText(toPayingEpochs(facts, change, possibly))}`;
}

/** ", and pay 5 % in epoch 1100"; empty while the rate is paid, or where what is paid is unknown. */
function toEnding(
  { epoch, paidAt, mev, mevEpoch }: VerdictFacts,
  { event: { source }, to }: PaidChange,
): string {
  const newest = source === "MEV" ? { rate: mev, epoch: mevEpoch } : { rate: paidAt(epoch), epoch };
  if (typeof newest.rate !== "number" || newest.rate === to) return "";
  return `, and pay ${toRate(newest.rate)} in epoch ${newest.epoch}`;
}

/**
 * "epoch 5", "epochs 5 to 7", or "3 of the epochs 5 to 8".
 * @param epochs ascending, at least one
 */
function toSpanText(epochs: readonly number[]): string {
  const [first = 0, last = first] = [epochs[0], epochs.at(-1)];
  if (first === last) return `epoch ${first}`;
  const isWhole = last - first + 1 === epochs.length;
  return isWhole
    ? `epochs ${first} to ${last}`
    : `${epochs.length} of the epochs ${first} to ${last}`;
}

/** @param least basis points from which a rate is named */
export function toTakes({ epoch, announced, paidAt }: VerdictFacts, least: number): Sentence {
  const rate = paidAt(epoch);
  const paid = typeof rate === "number" && rate >= least ? rate : null;
  if (paid === null)
    return {
      text: `In epoch ${epoch} it announces an inflation commission of ${toRate(announced)}.`,
      brief: `announces ${toRate(announced)}`,
    };
  const isOther = announced !== null && announced >= least && announced !== paid;
  const also =
    paid === announced ? ", as announced" : isOther ? `, and announces ${toRate(announced)}` : "";
  return {
    text: `It takes ${toRate(paid)} of the rewards of epoch ${epoch}${also}.`,
    brief: `takes ${toRate(paid)}`,
  };
}

/** Reason: the newest epoch takes more than is announced. */
export function toPaysMore({ epoch, announced, paidAt }: VerdictFacts): Sentence {
  const paid = paidAt(epoch);
  const rate = toRate(typeof paid === "number" ? paid : null);
  return {
    text: `It announces ${toRate(announced)}, but takes ${rate} of the rewards of epoch ${epoch}.`,
    brief: `takes ${rate}, announces ${toRate(announced)}`,
  };
}

/** Reason: several recent epochs took far more than is announced. */
export function toBait({ epoch, announced, paidAt }: VerdictFacts): Sentence {
  const all = Array.from({ length: HABIT_EPOCHS }, (_, ago) => paidAt(epoch - ago));
  const known = all.filter((rate) => typeof rate === "number");
  const more = known.filter((rate) => rate - (announced ?? 0) >= 100 * LARGE_POINTS);
  const least = toRate(Math.min(...more));
  const orMore = new Set(more).size > 1 ? " or more" : "";
  const of =
    known.length === all.length
      ? `the ${all.length}`
      : `${known.length} known of the ${all.length}`;
  const when = `in ${more.length} of ${of} epochs from ${epoch - HABIT_EPOCHS + 1} to ${epoch}`;
  return {
    text: `It announces ${toRate(announced)}, but ${when} it took ${least}${orMore} of the rewards.`,
    brief: `announces ${toRate(announced)}, took ${least}${orMore}`,
  };
}

/** Reason: a serial flip (patterns.ts). */
export function toFlip({
  source,
  from,
  to,
  epochs,
  ofEpochs,
  firstEpoch,
  lastEpoch,
}: Pattern): Sentence {
  const often = `${epochs} of the ${ofEpochs} epochs from ${firstEpoch} to ${lastEpoch}`;
  return {
    text: `It flipped its ${COMMISSIONS[source]} in ${often}, last between ${from} % and ${to} %.`,
    brief: `flips ${source === "MEV" ? "MEV " : ""}${from} ↔ ${to} %`,
  };
}

/** @param rises newest first, at least one */
export function toRises(rises: readonly PaidChange[]): Sentence {
  const [newest, oldest] = [rises[0], rises.at(-1)];
  if (newest === undefined || oldest === undefined) return { text: "", brief: "" };
  const { source, epoch } = newest.event;
  const brief = `raised ${source === "MEV" ? "MEV " : ""}to ${toRate(newest.to)} in epoch ${epoch}`;
  if (newest === oldest) return { text: `${toRaised(newest)}.`, brief };
  const points = toPercent(rises.reduce((sum, change) => sum + toRise(change), 0));
  const when =
    epoch === oldest.event.epoch
      ? `in epoch ${epoch}`
      : `in epochs ${oldest.event.epoch} to ${epoch}`;
  const often = `${rises.length} times ${when}, by ${points} percentage points in all`;
  return {
    text: `It raised its ${COMMISSIONS[source]} ${often}, the last time to ${toRate(newest.to)}.`,
    brief,
  };
}

/**
 * Reason: RUGs that no other reason tells. Counts all, as the list of events has them.
 * @param rugs at least one
 */
export function toEarlier({ events }: VerdictFacts, rugs: readonly PaidChange[]): Sentence {
  const all = events.filter(({ severity }) => severity === "RUG");
  const unpaid = all.filter(({ supersededBy }) => supersededBy !== null).length;
  const often = all.length === 1 ? "once, in epoch" : `${all.length} times, last in epoch`;
  const but = unpaid === 0 ? "" : `; no epoch paid ${unpaid} of these rates`;
  return {
    text: `It raised a commission to ${RUG_RATE} or more ${often} ${toNewestEpoch(all)}${but}.`,
    brief: `rug in epoch ${toNewestEpoch(rugs.map(({ event }) => event))}`,
  };
}

function toNewestEpoch(events: readonly Pick<CommissionEvent, "epoch">[]): number {
  return Math.max(...events.map(({ epoch }) => epoch));
}

/** Reason: a high MEV commission. */
export function toHighMev(basisPoints: number, epoch: number): Sentence {
  const rate = toRate(basisPoints);
  return {
    text: `It takes ${rate} of the MEV tips of epoch ${epoch}.`,
    brief: `takes ${rate} of MEV tips`,
  };
}

/** @param since ISO 8601 in UTC */
export function toSilent(since: string): Sentence {
  const time = `${since.slice(0, "YYYY-MM-DD".length)} ${since.slice("YYYY-MM-DDT".length, "YYYY-MM-DDTHH:MM".length)}`;
  return { text: `No check since ${time} UTC saw it vote.`, brief: `no vote since ${time} UTC` };
}

/**
 * Reason: the validator left the list.
 * @param epoch the last in which it was seen
 */
export function toGone(epoch: number): Sentence {
  return {
    text: `It left the cluster's list; it was last seen in epoch ${epoch}.`,
    brief: "left the cluster",
  };
}

/** "1 epoch", "2 epochs" */
export function toCounted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function toRaised({ event: { source, epoch }, from, to }: PaidChange): string {
  const what = `its ${COMMISSIONS[source]}`;
  if (from === null) return `It switched ${what} on at ${toRate(to)} in epoch ${epoch}`;
  return `It raised ${what} from ${toRate(from)} to ${toRate(to)} in epoch ${epoch}`;
}

function toRate(basisPoints: number | null): string {
  return basisPoints === null ? "an unknown rate" : `${toPercent(basisPoints)} %`;
}
