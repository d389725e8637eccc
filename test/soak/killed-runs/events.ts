import { z } from "zod";
import { eventSchema, type CommissionEvent } from "../../../generator/contract/event.ts";
import type { Cluster } from "../../../infra/demo/cluster/cluster.ts";
import type { PlannedChange } from "../../../infra/demo/cluster/chain/planned-changes.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";

const documentSchema = z.object({ data: z.array(eventSchema) });
const FOLDER = "api/v1/mainnet/validators/";

/** All events as they are published, from the documents of all validators. */
export async function readPublishedEvents(store: ObjectStore): Promise<CommissionEvent[]> {
  const events: CommissionEvent[] = [];
  for await (const { key } of store.list(FOLDER)) {
    if (!key.endsWith("/events.json")) continue;
    const object = await store.get(key);
    events.push(...documentSchema.parse(JSON.parse(new TextDecoder().decode(object?.body))).data);
  }
  return events;
}

/** What a planned change and its event have in common. */
export function tellPlanned({ vote, source, epoch, fromBasisPoints, toBasisPoints, kind }: PlannedChange): string {
  return `${vote} ${source} in ${epoch}: ${toPercent(fromBasisPoints)} → ${toPercent(toBasisPoints)} is ${kind}`;
}

export function tellEvent(event: CommissionEvent): string {
  const { votePubkey, source, epoch, fromCommission, toCommission, severity } = event;
  return `${votePubkey} ${source} in ${epoch}: ${fromCommission} → ${toCommission} is ${severity}`;
}

/** Whether the chain had both rates of an event where it says it saw them. */
export function isTrue(cluster: Cluster, event: CommissionEvent): boolean {
  const { calendar, members, commissions, mev, options } = cluster;
  const member = members.find(({ vote }) => vote.address === event.votePubkey);
  if (member === undefined || event.previousSlot === null) return false;
  const before = calendar.momentOfSlot(event.previousSlot);
  if (event.source === "COMMISSION") {
    // The slot of an observation is its newest vote: what it shows may be some slots newer.
    const rates = (slot: number) =>
      [0, SLOTS_NEWER].map((more) => toPercent(commissions.basisPointsAt(member, calendar.momentOfSlot(slot + more))));
    return rates(event.previousSlot).includes(event.fromCommission) && rates(event.slot).includes(event.toCommission);
  }
  // A share is that of an epoch, and until the validator leads in it, the vendor shows the one before.
  const shareOf = (ordinal: number) => toPercent(mev.basisPointsOf(member, ordinal));
  const ordinal = event.epoch - options.firstEpoch;
  const earlier = [before.ordinal, before.ordinal - 1, ordinal - 1].map(shareOf);
  return shareOf(ordinal) === event.toCommission && earlier.includes(event.fromCommission);
}

const SLOTS_NEWER = 120;

function toPercent(basisPoints: number | null): number | null {
  return basisPoints === null ? null : Math.min(basisPoints, 10_000) / 100;
}
