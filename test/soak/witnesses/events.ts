import type { EventRecord } from "../../../generator/ledger/event-record.ts";
import { epochOf, type Cluster, type Step, type Validator } from "./cluster.ts";
import type { Record } from "./record.ts";
import type { Scenario } from "./scenario.ts";

type Told = Record["events"][number];

/** What is false about an event; null: it is true. */
export function findUntruth(
  { cluster, isReadable }: Scenario,
  events: readonly Told[],
  { vote, event }: Told,
): string | null {
  const { from, to, slot, previousSlot } = event;
  const describe = `${String(from)} → ${String(to)} in (${previousSlot}, ${slot}]`;
  const validator = cluster.byVote.get(vote);
  if (validator === undefined) return `${describe} of an account that there never was`;
  if (event.isSwept) return objectToSeverity(event, describe);
  const before = events.findLast(
    (one) =>
      one.vote === vote && !one.event.isSwept && one.event.slot < slot && one.event !== event,
  );
  const isFirst = before === undefined;
  const steps = findSteps(validator, event, {
    isReadable,
    isFirst,
    notBefore: before?.event.previousSlot ?? -1,
  });
  if (steps.length === 0) return `${describe}: ${tellRates(validator)}`;
  return objectToEpoch({ cluster, steps }, event, describe) ?? objectToSeverity(event, describe);
}

/** A list shows some slots after its newest vote. */
const LIST_SLOTS = 8;

/** The true changes that an event can be. */
function findSteps(
  { rates }: Validator,
  { from, to, slot, previousSlot }: EventRecord,
  { isReadable, isFirst, notBefore }: { isReadable: boolean; isFirst: boolean; notBefore: number },
): Step<number | null>[] {
  const isNear = (rate: number | null, told: EventRecord["to"], inPercent = !isReadable) =>
    rate === told || (inPercent && rate !== null && isRounded(rate, told));
  // Accounts may not have been read before the first
  // change, when lists in percent alone told the rate.
  const isFrom = (rate: number | null) => isNear(rate, from, !isReadable || isFirst);
  return rates.filter(
    (step, index) =>
      from !== to &&
      isNear(step.value, to) &&
      step.slot > (previousSlot ?? -1) &&
      step.slot <= slot + LIST_SLOTS &&
      rates
        .slice(0, index)
        .some(
          ({ value }, before) => isFrom(value) && (rates[before + 1]?.slot ?? Infinity) > notBefore,
        ),
  );
}

/** Without readable accounts there are only percents. */
export function isRounded(rate: number, told: EventRecord["to"]): boolean {
  return typeof told === "number" && told % 100 === 0 && Math.abs(rate - told) < 100;
}

/** After its slot an event is in no epoch but one in which the change was truly made. */
function objectToEpoch(
  { cluster, steps }: { cluster: Cluster; steps: readonly Step<number | null>[] },
  { epoch, slot, previousSlot }: EventRecord,
  describe: string,
): string | null {
  const [first, last] = [epochOf(cluster, previousSlot ?? slot), epochOf(cluster, slot)];
  const isMadeIn = steps.some((step) => epochOf(cluster, step.slot) === epoch);
  if (epoch >= first && (epoch <= last || isMadeIn)) return null;
  return `${describe} is said to be of epoch ${epoch}, and it is of ${first === last ? first : `${first} to ${last}`}`;
}

function objectToSeverity({ severity, from, to }: EventRecord, describe: string): string | null {
  const [old, now] = [Number(from), Number(to)];
  const right =
    now >= 9_000 && now > old ? "RUG" : now - old >= 1_000 && now < 9_000 ? "CAUTION" : "INFO";
  return severity === right ? null : `${describe} is ${severity}, and should be ${right}`;
}

function tellRates({ rates }: Validator): string {
  return `it was ${rates.map(({ slot, value }) => `${value ?? "closed"} from ${slot}`).join(", ")}`;
}
