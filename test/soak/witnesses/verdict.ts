import { haltedBetween, rateAt, timeOf, tipAt, type Cluster, type Validator } from "./cluster.ts";
import { findUntruth } from "./events.ts";
import { STANDING, STANDING_UNSHOWN, type Fault } from "./faults.ts";
import { findMevUntruth } from "./mev-events.ts";
import { findFreezes, isLiving, isObservation, toMinutes } from "./freezes.ts";
import { findUnproved, findWrongApplied } from "./late-truths.ts";
import type { Held, Record } from "./record.ts";
import type { Scenario } from "./scenario.ts";

const MINUTE = 60_000;
/** In basis points: rounded percents show no smaller difference. */
const SHOWN_LEAST = 200;
/** The first reading has nothing to be compared with. */
const BEGINNING = 15 * MINUTE;
/** More changes at once need two further observations. */
const MASS_CHANGES = 20;
const MASS_WITHIN = 3 * MINUTE;
const MASS_MORE = 3 * MINUTE;
/** The first that shows them, two further ones, and a liar's in between. */
const MASS_OBSERVATIONS = 5;
/** By then a validator is listed and its rate settled. */
const LISTED_WITHIN = 45 * MINUTE;

export interface Verdict {
  faults: Fault[];
  trueEvents: number;
  trueMevEvents: number;
  /** Events of MEV switched off. */
  disabled: number;
}

/** @param options.applied also judge what closed epochs are said to have paid */
export function judge(scenario: Scenario, record: Record, { applied = false } = {}): Verdict {
  const falseEvents = record.events.flatMap((one): Fault[] => {
    const text = findUntruth(scenario, record.events, one);
    return text === null ? [] : [{ kind: "false event", at: one.at, vote: one.vote, text }];
  });
  const falseMevEvents = record.mevEvents.flatMap((one): Fault[] => {
    const text = findMevUntruth(scenario.cluster, one);
    return text === null ? [] : [{ kind: "false event", at: one.at, vote: one.vote, text }];
  });
  const findPromised = [findUnpublished, findFreezes, findWrongRates, findWrongStakes];
  const isPromised = scenario.promise === "everything";
  const promised = isPromised ? findPromised.flatMap((find) => find(scenario, record)) : [];
  return {
    faults: [
      ...[
        ...falseEvents,
        ...falseMevEvents,
        ...record.falseProofs,
        ...findUnproved(scenario, record),
        ...promised,
      ],
      ...(applied ? findWrongApplied(scenario, record) : []),
    ],
    trueEvents: record.events.length - falseEvents.length,
    disabled: record.mevEvents.filter(({ event }) => event.to === "disabled").length,
    trueMevEvents: record.mevEvents.length - falseMevEvents.length,
  };
}

function findUnpublished(scenario: Scenario, record: Record): Fault[] {
  const { cluster, publishedWithin, end, isPercentOnly } = scenario;
  return cluster.validators.flatMap((validator) => {
    const own = record.held.get(validator.vote) ?? [];
    const settledAt = own.find(({ isSettled }) => isSettled)?.at ?? Infinity;
    return validator.rates.flatMap(({ slot, value }, index): Fault[] => {
      const before = validator.rates[index - 1]?.value ?? null;
      const at = timeOf(cluster, slot);
      if (value === null || before === null || at < settledAt) return [];
      const next = validator.rates[index + 1];
      const isShown = !isPercentOnly || Math.abs(value - before) >= SHOWN_LEAST;
      const standing = isShown ? STANDING : STANDING_UNSHOWN;
      if ((next === undefined ? Infinity : timeOf(cluster, next.slot)) - at < standing) return [];
      if (!isLivingUntil(cluster, validator, { slot, to: at + publishedWithin })) return [];
      const by = isOfMany(cluster, at) ? massBy(record, at, publishedWithin) : at + publishedWithin;
      const halted = haltedBetween(cluster, at, by);
      const deadline = by + (halted > 0 ? halted + 2 * MINUTE : 0);
      if (deadline > end || wasHeld(own, value, { from: at, to: deadline })) return [];
      const later = own.find((one) => one.rate === value && one.at > deadline);
      const kind = later === undefined ? "missed" : "late";
      const how = later === undefined ? "never" : `after ${toMinutes(later.at - at)}`;
      return [
        {
          kind,
          at,
          vote: validator.vote,
          text: `${before} → ${value} at slot ${slot} was published ${how}`,
        },
      ];
    });
  });
}

function wasHeld(
  held: readonly Held[],
  rate: number,
  { from, to }: { from: number; to: number },
): boolean {
  return held.some((one, index) => {
    const until = held[index + 1]?.at ?? Infinity;
    return one.rate === rate && one.isSettled && one.at <= to && until > from;
  });
}

function massBy({ noted }: Record, at: number, within: number): number {
  const accepted = noted.filter(
    (one) => one.at > at && isObservation(one.entry.kind) && one.outcome.accepted,
  );
  return Math.max(at + within + MASS_MORE, accepted[MASS_OBSERVATIONS - 1]?.at ?? Infinity);
}

function isOfMany(cluster: Cluster, at: number): boolean {
  const near = cluster.validators.filter(({ rates }) =>
    rates.slice(1).some(({ slot }) => Math.abs(timeOf(cluster, slot) - at) <= MASS_WITHIN),
  );
  return near.length > MASS_CHANGES;
}

function findWrongRates(scenario: Scenario, { held }: Record): Fault[] {
  const { cluster, begin, end, publishedWithin } = scenario;
  const quiet = publishedWithin + MASS_MORE + 2 * MINUTE + haltedBetween(cluster, begin, end);
  const tip = tipAt(cluster, end);
  return cluster.validators.flatMap((validator): Fault[] => {
    const { vote } = validator;
    const rate = rateAt(validator, tip);
    const last = held.get(vote)?.at(-1);
    const since = timeOf(cluster, validator.rates.findLast(({ slot }) => slot <= tip)?.slot ?? tip);
    if (rate === null || end - since < quiet) return [];
    if (last?.isSettled !== true) {
      const isDue =
        end - Math.max(since, begin) > LISTED_WITHIN + haltedBetween(cluster, begin, end);
      return isDue && wasLiving(scenario, validator)
        ? [{ kind: "not settled", at: end, vote, text: `its rate of ${rate} was not settled` }]
        : [];
    }
    if (last.rate === rate || !isLivingUntil(cluster, validator, { slot: tip, to: end })) return [];
    const text = `${last.rate} is held, and it has been ${rate} for ${toMinutes(end - since)}`;
    return [{ kind: "wrong rate", at: end, vote, text }];
  });
}

function wasLiving({ cluster, end }: Scenario, validator: Validator): boolean {
  const slots = [tipAt(cluster, end), tipAt(cluster, end - LISTED_WITHIN)];
  return slots.every((slot) => isLiving(validator, slot));
}

function isLivingUntil(
  cluster: Cluster,
  validator: Validator,
  { slot, to }: { slot: number; to: number },
): boolean {
  const wasClosed = validator.rates.some((step) => step.value === null && step.slot < slot);
  return !wasClosed || (isLiving(validator, slot) && isLiving(validator, tipAt(cluster, to)));
}

/** Stake is one believed reading's: of three or four witnesses it is near the truth. */
function findWrongStakes({ witnesses, begin }: Scenario, { wrongStakes }: Record): Fault[] {
  if (witnesses.length < 3) return [];
  return wrongStakes
    .filter(({ at }) => at - begin > BEGINNING)
    .map(({ at, told, truth }) => {
      return {
        kind: "wrong stake",
        at,
        vote: "",
        text: `${told} lamports are believed, and it is ${truth}`,
      };
    });
}
