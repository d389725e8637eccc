import type { CommissionEvent } from "../contract/event.ts";
import { toPercent } from "../contract/numbers.ts";
import type { Pattern } from "../contract/pattern.ts";
import { CAUTION_POINTS, RUG_BASIS_POINTS, RUG_RATE } from "../contract/severity.ts";
import { VERDICT_REASONS, type Verdict, type VerdictCode } from "../contract/verdict.ts";

/** Basis points. */
export interface VerdictFacts {
  /** The last in which a validator that left was seen. */
  epoch: number;
  listed: boolean;
  delinquent: boolean;
  announced: number | null;
  /** By epoch, newest first. */
  applied: readonly (number | null)[];
  /** Of the last {@link HABIT_EPOCHS}, those of which it is known what they pay. */
  watched: number;
  mev: number | null;
  pattern: Pattern | null;
  /** Newest first, without those replaced by steps. */
  events: readonly CommissionEvent[];
  known: readonly number[];
  /** A sentence on what happened soon after its newest RUG. */
  leaving: string | null;
  /** A sentence on its newest large rise of block revenue commission. */
  blockRevenueRise: string | null;
}

/** A month at one epoch a day. */
const RECENT_EPOCHS = 30;
/** With fewer nobody is called good. */
export const HABIT_EPOCHS = 10;
const HABIT_RISES = 2;
const LARGE_POINTS = CAUTION_POINTS.COMMISSION;
const LARGE_BASIS_POINTS = 100 * LARGE_POINTS;

/** null: the reason does not apply. */
type Texts = Record<VerdictCode, string | null>;

/** Unpaid rises do not count; unconfirmed history is at worst a caution. */
export function toVerdict(facts: VerdictFacts): Verdict {
  const found: Partial<Texts> = { ...toBad(facts), ...toCaution(facts) };
  const isFree = Object.values(found).every((text) => text === null);
  const texts: Partial<Texts> = isFree ? toRecord(facts) : found;
  const codes = Object.keys(VERDICT_REASONS) as VerdictCode[];
  const reasons = codes.flatMap((code) => (texts[code] == null ? [] : [{ code, text: texts[code] }]));
  const level = reasons[0] === undefined ? "unknown" : VERDICT_REASONS[reasons[0].code].level;
  return { level, reasons };
}

function toBad(facts: VerdictFacts): Pick<Texts, "bait" | "serial_flip" | "keeps_most" | "rug_ahead" | "recent_rug"> {
  const { epoch, announced, applied, pattern } = facts;
  const [paid = null] = applied;
  const ahead = toRugs(facts).find((event) => isProvenRug(event) && isAhead(event, epoch));
  const recent = toRugs(facts).find((event) => isProvenRug(event) && isRecentlyPaid(event, epoch));
  return {
    bait: isMoreThanAnnounced(facts) && isHabit(facts) ? toBait(facts) : null,
    serial_flip: pattern === null || isNeverPaid(facts, pattern) ? null : toFlip(pattern),
    keeps_most:
      paid === null || paid < RUG_BASIS_POINTS
        ? null
        : `It takes ${toRate(paid)} of the rewards of epoch ${epoch}${paid === announced ? ", as announced" : ""}.`,
    rug_ahead: ahead === undefined ? null : `${toRise(ahead)}; the new rate will apply from ${toEpochs(ahead)}.`,
    recent_rug: recent === undefined ? null : `${toRise(recent)}; the new rate has applied since ${toEpochs(recent)}.`,
  };
}

function toCaution(
  facts: VerdictFacts,
): Omit<Texts, keyof ReturnType<typeof toBad> | keyof ReturnType<typeof toRecord>> {
  const { epoch, announced, applied, mev, listed, delinquent, leaving } = facts;
  const earlier = toRugs(facts).filter(
    (event) => !isProvenRug(event) || !(isAhead(event, epoch) || isRecentlyPaid(event, epoch)),
  );
  const rise = facts.events.find((event) => isLargeRise(event) && event.severity !== "RUG" && isRecent(event, epoch));
  const [paid = null] = applied;
  return {
    leaving,
    earlier_rug: earlier[0] === undefined ? null : toEarlier(earlier.length, earlier[0].epoch),
    recent_rise: rise === undefined ? null : `${toRise(rise)}.`,
    pays_more:
      isMoreThanAnnounced(facts) && !isHabit(facts)
        ? `It announces ${toRate(announced ?? 0)}, but takes ${toRate(paid ?? 0)} of the rewards of epoch ${epoch}.`
        : null,
    high_mev: mev === null || mev < RUG_BASIS_POINTS ? null : `It takes ${toRate(mev)} of the MEV tips.`,
    block_revenue_rise: facts.blockRevenueRise,
    gone: listed ? null : `It left the cluster; it was last seen in epoch ${epoch}.`,
    delinquent: listed && delinquent ? "It is not voting now: stake with it earns nothing." : null,
  };
}

function toRecord({ events, known, watched }: VerdictFacts): Pick<Texts, "no_rise" | "no_large_rise" | "too_new"> {
  const after = (event: CommissionEvent | undefined) => known.filter((each) => each > (event?.epoch ?? -1)).length;
  const quiet = after(events.find(isRise));
  const calm = after(events.find(isLargeRise));
  const isWatched = watched >= HABIT_EPOCHS;
  const isQuiet = isWatched && quiet >= HABIT_EPOCHS;
  const isCalm = isWatched && !isQuiet && calm >= HABIT_EPOCHS;
  return {
    no_rise: isQuiet ? `No rise in ${quiet} epochs.` : null,
    no_large_rise: isCalm ? `No rise of ${LARGE_POINTS} percentage points or more in ${calm} epochs.` : null,
    too_new: isQuiet || isCalm ? null : calm < HABIT_EPOCHS ? toTooNew(calm) : toUnwatched(watched),
  };
}

function toTooNew(known: number): string {
  return `Its commission is known for only ${toCounted(known)}: too few to judge.`;
}

function toUnwatched(watched: number): string {
  return `What it takes is known for only ${watched} of the last ${HABIT_EPOCHS} epochs: too few to judge.`;
}

function toRugs({ events }: VerdictFacts): CommissionEvent[] {
  return events.filter((event) => event.severity === "RUG" && isPaid(event));
}

function isProvenRug({ confirmed, effectiveEpoch }: CommissionEvent): boolean {
  return confirmed && effectiveEpoch !== null;
}

function isAhead({ effectiveEpochLatest }: CommissionEvent, epoch: number): boolean {
  return effectiveEpochLatest !== null && effectiveEpochLatest > epoch;
}

function isRecentlyPaid(event: CommissionEvent, epoch: number): boolean {
  return !isAhead(event, epoch) && event.effectiveEpoch !== null && event.effectiveEpoch > epoch - RECENT_EPOCHS;
}

function isRecent({ epoch }: CommissionEvent, now: number, epochs = RECENT_EPOCHS): boolean {
  return epoch > now - epochs;
}

function isPaid({ supersededBy }: CommissionEvent): boolean {
  return supersededBy === null;
}

function isRise(event: CommissionEvent): boolean {
  return isPaid(event) && (event.severity !== "INFO" || (event.delta ?? 0) > 0);
}

function isLargeRise(event: CommissionEvent): boolean {
  return isPaid(event) && (event.severity !== "INFO" || (event.delta ?? 0) >= LARGE_POINTS);
}

/** An honest cut also takes epochs to be paid. */
function isHabit({ events, epoch, pattern }: VerdictFacts): boolean {
  const isRaised = (event: CommissionEvent) =>
    event.source === "COMMISSION" && event.confirmed && isLargeRise(event) && isRecent(event, epoch, HABIT_EPOCHS);
  return pattern?.source === "COMMISSION" || events.filter(isRaised).length >= HABIT_RISES;
}

/** Tips are paid at one rate an epoch. */
function isNeverPaid({ applied }: VerdictFacts, { source, from }: Pattern): boolean {
  const known = applied.filter((rate) => rate !== null);
  return source === "COMMISSION" && known.length > 0 && known.every((rate) => rate < from * 100 + LARGE_BASIS_POINTS);
}

function isMoreThanAnnounced({ announced, applied: [paid = null] }: VerdictFacts): boolean {
  return announced !== null && paid !== null && paid - announced >= LARGE_BASIS_POINTS;
}

function toBait({ announced, applied }: VerdictFacts): string {
  const known = applied.filter((rate) => rate !== null);
  const more = known.filter((rate) => rate - (announced ?? 0) >= LARGE_BASIS_POINTS);
  const least = Math.min(...more);
  const orMore = more.some((rate) => rate > least) ? " or more" : "";
  const isWhole = !applied.slice(0, known.length).includes(null);
  const all = isWhole ? `last ${known.length}` : `${known.length} known of the last ${applied.length}`;
  const epochs = known.length === 1 ? "the last epoch" : `${more.length} of the ${all} epochs`;
  return `Do not trust the announced ${toRate(announced ?? 0)}: in ${epochs} it took ${toRate(least)}${orMore} of the rewards.`;
}

function toFlip({ source, from, to, epochs, ofEpochs, firstEpoch, lastEpoch }: Pattern): string {
  const rates = `its ${NAMES[source]} commission between ${from} % and ${to} %`;
  return `It flipped ${rates} in ${epochs} of the ${ofEpochs} epochs from ${firstEpoch} to ${lastEpoch}.`;
}

function toEarlier(rugs: number, last: number): string {
  const often = rugs === 1 ? "once, in epoch" : `${rugs} times, last in epoch`;
  return `It raised a commission to ${RUG_RATE} or more ${often} ${last}.`;
}

const NAMES = { COMMISSION: "inflation", MEV: "MEV" } as const satisfies Record<CommissionEvent["source"], string>;

function toRise({ source, fromCommission, toCommission, epoch }: CommissionEvent): string {
  const what = `its ${NAMES[source]} commission`;
  if (fromCommission === null) return `It switched ${what} on at ${toCommission} % in epoch ${epoch}`;
  return `It raised ${what} from ${fromCommission} % to ${toCommission} % in epoch ${epoch}`;
}

function toEpochs({ effectiveEpoch: first, effectiveEpochLatest: last }: CommissionEvent): string {
  return first === last ? `epoch ${first}` : `epoch ${first}, or ${last} at the latest`;
}

function toCounted(epochs: number): string {
  return epochs === 1 ? "1 epoch" : `${epochs} epochs`;
}

function toRate(basisPoints: number): string {
  return `${toPercent(basisPoints)} %`;
}
