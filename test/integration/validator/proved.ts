import type { CommissionEvent, Verified } from "../../../generator/contract/event.ts";
import type { Deed } from "./deeds.ts";
import { toBasisPoints } from "./published.ts";

interface Truth {
  deeds: readonly Deed[];
  /** Inflation commission before, basis points. */
  before: number;
  verified: Verified;
  slotsPerEpoch: number;
  /** Changes in these slots must be published, others may be; by default all must. */
  within?: { after: number; upTo: number };
}

interface Change extends Deed {
  from: number;
  to: number;
}

export function findUnproved(events: readonly CommissionEvent[], truth: Truth): string[] {
  const setting = [...truth.deeds]
    .filter(({ rates }) => rates.length > 0)
    .sort((a, b) => a.slot - b.slot);
  const changes = setting.map((deed, index): Change => {
    const from = setting[index - 1]?.rates.at(-1) ?? truth.before;
    return { ...deed, from, to: deed.rates.at(-1) ?? from };
  });
  const standing = events.filter((event) => !isToldBySteps(event, events));
  const { after, upTo } = truth.within ?? { after: -1, upTo: Infinity };
  return [
    ...events.flatMap((event) => judge(event, changes, truth)),
    ...changes
      .filter(({ from, to, slot }) => from !== to && slot > after && slot <= upTo)
      .flatMap((change) => countTellings(change, standing)),
  ];
}

/** The last step has the same transaction. */
function isToldBySteps(
  { supersededBy, transaction }: CommissionEvent,
  events: readonly CommissionEvent[],
): boolean {
  const next = events.find(({ id }) => id === supersededBy);
  return next !== undefined && next.transaction?.signature === transaction?.signature;
}

function countTellings(
  { signature, from, to }: Change,
  events: readonly CommissionEvent[],
): string[] {
  const telling = events.filter(({ transaction }) =>
    transaction?.steps.some((step) => step.signature === signature),
  );
  return telling.length === 1
    ? []
    : [`${from} → ${to} by ${signature} is told by ${telling.length} events, not by one`];
}

function judge(
  event: CommissionEvent,
  changes: readonly Change[],
  { verified, slotsPerEpoch }: Truth,
): string[] {
  const { transaction, fromCommission, toCommission } = event;
  const seen = `slots ${event.previousSlot} to ${event.slot}, by ${event.confirmedBy}`;
  const name = `${fromCommission} % → ${toCommission} % in epoch ${event.epoch} (${seen})`;
  if (transaction === null) return [`${name} has no transaction`];
  const last = changes.findIndex(({ signature }) => signature === transaction.signature);
  const change = changes[last];
  if (change === undefined) return [`${name} has ${transaction.signature}, which set nothing`];
  const first = changes.findIndex(({ signature }) => signature === transaction.steps[0]?.signature);
  const made = changes.slice(first, last + 1);
  if (made[0]?.from === change.to) return [`${name} changed nothing`];
  const { signature, slot, blockTime, signer } = change;
  const wanted = {
    from: made[0]?.from,
    to: change.to,
    epoch: Math.floor(slot / slotsPerEpoch),
    steps: made.flatMap((one) =>
      one.rates.map((rate) => ({
        signature: one.signature,
        slot: one.slot,
        commission: rate / 100,
      })),
    ),
    ...{ signature, slot, blockTime, signer, verified },
  };
  const { epoch } = event;
  const is = {
    from: toBasisPoints(fromCommission),
    to: toBasisPoints(toCommission),
    epoch,
    ...transaction,
  };
  return Object.entries(wanted).flatMap(([field, value]) => {
    const found: unknown = is[field as keyof typeof is];
    const [as, not] = [JSON.stringify(found), JSON.stringify(value)];
    return as === not ? [] : [`${name}: its ${field} is ${as}, not ${not}`];
  });
}
