import type { EventRecord } from "../../../generator/ledger/records.ts";
import { epochOf, rateAt, type Cluster, type Validator } from "./cluster.ts";
import type { Record } from "./record.ts";
import type { Scenario } from "./scenario.ts";

type Told = Record["events"][number];

export interface Truth {
  /** Slot of its change; null: there is none. */
  change: number | null;
  /** null: it is true. */
  fault: string | null;
}

export function isTrue({ cluster, isReadable }: Scenario, events: readonly Told[], { vote, event }: Told): Truth {
  const { from, to, slot, previousSlot } = event;
  const describe = `${String(from)} → ${String(to)} in (${previousSlot}, ${slot}]`;
  const validator = cluster.byVote.get(vote);
  if (validator === undefined) return { change: null, fault: `${describe} of an account that there never was` };
  if (event.isSwept)
    return { change: rateAt(validator, slot) === to ? slot : null, fault: objectToSeverity(event, describe) };
  const before = events.findLast(
    (one) => one.vote === vote && !one.event.isSwept && one.event.slot < slot && one.event !== event,
  );
  const change = findChange(validator, event, { isReadable, notBefore: before?.event.previousSlot ?? -1 });
  if (change === null) return { change, fault: `${describe}: ${tellRates(validator)}` };
  return { change, fault: objectToEpoch(cluster, event, describe) ?? objectToSeverity(event, describe) };
}

/** A list shows some slots after its newest vote. */
const LIST_SLOTS = 8;

function findChange(
  { rates }: Validator,
  { from, to, slot, previousSlot }: EventRecord,
  { isReadable, notBefore }: { isReadable: boolean; notBefore: number },
): number | null {
  const isNear = (rate: number | null, told: EventRecord["to"]) =>
    rate === told || (!isReadable && rate !== null && isRounded(rate, told));
  const found = rates.find(
    (step, index) =>
      from !== to &&
      isNear(step.value, to) &&
      step.slot > (previousSlot ?? -1) &&
      step.slot <= slot + (isReadable ? 0 : LIST_SLOTS) &&
      rates
        .slice(0, index)
        .some(({ value }, before) => isNear(value, from) && (rates[before + 1]?.slot ?? Infinity) > notBefore),
  );
  return found?.slot ?? null;
}

/** Without readable accounts there are only percents. */
function isRounded(rate: number, told: EventRecord["to"]): boolean {
  return typeof told === "number" && told % 100 === 0 && Math.abs(rate - told) < 100;
}

function objectToEpoch(cluster: Cluster, { epoch, slot, previousSlot }: EventRecord, describe: string): string | null {
  const [first, last] = [epochOf(cluster, previousSlot ?? slot), epochOf(cluster, slot)];
  if (epoch >= first && epoch <= last) return null;
  return `${describe} is said to be of epoch ${epoch}, and it is of ${first === last ? first : `${first} to ${last}`}`;
}

function objectToSeverity({ severity, from, to }: EventRecord, describe: string): string | null {
  const [old, now] = [Number(from), Number(to)];
  const right = now >= 9_000 && now > old ? "RUG" : now - old >= 1_000 && now < 9_000 ? "CAUTION" : "INFO";
  return severity === right ? null : `${describe} is ${severity}, and should be ${right}`;
}

function tellRates({ rates }: Validator): string {
  return `it was ${rates.map(({ slot, value }) => `${value ?? "closed"} from ${slot}`).join(", ")}`;
}
