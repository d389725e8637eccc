import { COMMISSIONS } from "../commission-names.ts";
import type { CommissionEvent } from "../../contract/event.ts";
import { toPercent } from "../../contract/numbers.ts";
import { HABIT_EPOCHS, RECENT_EPOCHS } from "../../contract/verdict.ts";
import { toRise } from "./paid-changes.ts";
import type { VerdictFacts } from "./facts.ts";
import { type Reason, toCounted } from "./sentences.ts";

/** New commissions are paid up to so many epochs later. */
const DELAY_EPOCHS = 2;

/** Reasons of what was observed; all others speak against a validator. */
export type RecordCode = "no_rise" | "no_large_rise" | "too_new" | "not_watched";

/** The reason of a validator that nothing speaks against: what was observed, and what it showed. */
export function toRecord(facts: VerdictFacts): Reason & { code: RecordCode } {
  const { epoch, announced, events } = facts;
  const watched = countWatched(facts);
  if (announced === null || watched < HABIT_EPOCHS) return toUnknown(facts);
  const newestRise = Math.max(-1, ...events.filter(isRise).map(toLastEpoch));
  const quiet = Math.min(watched, epoch - newestRise);
  if (quiet < HABIT_EPOCHS) return { code: "no_large_rise", ...toSmallRises(facts, watched) };
  const text = `No rise in the last ${quiet} epochs watched, ${epoch - quiet + 1} to ${epoch}.`;
  return { code: "no_rise", text, brief: `no rise in ${quiet} epochs` };
}

/** Epochs without a gap up to the newest epoch whose paid rate is known. */
function countWatched({ epoch, paidAt }: VerdictFacts): number {
  let watched = 0;
  while (watched < RECENT_EPOCHS && paidAt(epoch - watched) !== null) watched += 1;
  return watched;
}

function isRise({ severity, delta }: CommissionEvent): boolean {
  return severity !== "INFO" || (delta ?? 0) > 0;
}

/** The last of the epochs in which a change was made, and in which it was first paid. */
function toLastEpoch({ epoch, supersededBy, effectiveEpochLatest }: CommissionEvent): number {
  return supersededBy === null ? Math.max(epoch, effectiveEpochLatest ?? epoch) : epoch;
}

/** Rises that no epoch paid are listed too. */
function toSmallRises({ epoch, events, changes }: VerdictFacts, watched: number) {
  const first = epoch - watched + 1;
  const sums = (["COMMISSION", "MEV"] as const).flatMap((source) => {
    const own = changes.filter(
      ({ event }) => event.source === source && toLastEpoch(event) >= first,
    );
    const sum = own.reduce((total, change) => total + toRise(change), 0);
    return sum === 0 ? [] : [`its ${COMMISSIONS[source]} by ${toPercent(sum)} percentage points`];
  });
  const unpaid = events.filter(
    (event) => isRise(event) && event.supersededBy !== null && event.epoch >= first,
  ).length;
  const when = `In the last ${watched} epochs watched, ${first} to ${epoch},`;
  const back = `it took ${toCounted(unpaid, "rise")} back before an epoch paid ${unpaid === 1 ? "it" : "them"}`;
  if (sums.length === 0)
    return {
      text: `${when} no rise was paid; ${back}.`,
      brief: `no paid rise in ${watched} epochs`,
    };
  const rises = `it raised ${sums.join(" and ")} in all`;
  return {
    text: `${when} ${rises}${unpaid === 0 ? "" : `; ${back}`}.`,
    brief: `small rises in ${watched} epochs`,
  };
}

function toUnknown({
  epoch,
  announced,
  paidAt,
  firstKnown,
}: VerdictFacts): ReturnType<typeof toRecord> {
  const first = firstKnown();
  const brief = "not known yet";
  if (first === null || announced === null)
    return { code: "too_new", text: "Its commission is not known yet.", brief };
  const unknown = Array.from({ length: HABIT_EPOCHS }, (_, ago) => epoch - ago).filter(
    (each) => paidAt(each) === null,
  );
  if (unknown.every((each) => each < first + DELAY_EPOCHS)) {
    const text = `Its commission is known for only ${toCounted(epoch - first + 1, "epoch")}: too few to judge.`;
    return { code: "too_new", text, brief };
  }
  const of = `${unknown.length} of the ${HABIT_EPOCHS} epochs from ${epoch - HABIT_EPOCHS + 1} to ${epoch}`;
  const text = `Which rate rewards paid is not known for ${of}.`;
  return { code: "not_watched", text, brief };
}
