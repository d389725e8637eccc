import type { EndpointName } from "../options.ts";
import type { Lie } from "../chain/accounts.ts";
import { type Calendar, type Moment, isWithin, toWindow, type Length } from "../calendar.ts";
import type { Cluster, ClusterState } from "../cluster.ts";
import { exists } from "../chain/presence.ts";
import type { TransactionSource } from "../transactions/archive.ts";

export interface View {
  cluster: Cluster;
  endpoint: EndpointName;
  state: ClusterState;
  slotsBehind: number;
  lie: Lie | null;
  transactions: TransactionSource;
}

const LIE_FRACTION = 0.44;
const LIE_LENGTH: Length = { epochs: 0, leastMilliseconds: 150_000 };
const LIE_BASIS_POINTS = 10_000;

const DISPUTE_FRACTIONS = [0.49, 0.9] as const;
/** null: the truth. */
const DISPUTED_BASIS_POINTS: Record<EndpointName, number | null> = {
  first: LIE_BASIS_POINTS,
  second: null,
  lagging: 9000,
};

const LAG_FRACTIONS = [
  [0.3, 0.36],
  [0.7, 0.76],
] as const;
const LAG_SLOTS_LEAST = 300;
const LAG_EPOCHS = 1 / 300;

export function viewOf(cluster: Cluster, endpoint: EndpointName, timeMilliseconds: number): View {
  const { moment } = cluster.at(timeMilliseconds);
  const slotsBehind = endpoint === "lagging" ? slotsBehindAt(cluster, moment) : 0;
  const shown = cluster.calendar.momentOfSlot(moment.slot - slotsBehind);
  return {
    cluster,
    endpoint,
    state: cluster.atMoment(shown),
    slotsBehind,
    lie: lieAt(cluster, endpoint, moment),
    transactions:
      (endpoint === "first" ? cluster.falseTransactionsAt(moment) : null) ?? cluster.transactions,
  };
}

export function lieAt(cluster: Cluster, endpoint: EndpointName, moment: Moment): Lie | null {
  const basisPoints = lieOf(cluster, endpoint, moment);
  if (basisPoints === null) return null;
  const candidates = cluster.members.filter(
    (member) =>
      member.commission.role === "steady" &&
      exists(member, moment) &&
      cluster.commissions.basisPointsAt(member, moment) < LIE_BASIS_POINTS,
  );
  const member = candidates[(moment.epoch * 7) % candidates.length];
  return member === undefined ? null : { member, basisPoints };
}

function lieOf(
  { calendar, options }: Cluster,
  endpoint: EndpointName,
  moment: Moment,
): number | null {
  if (endpoint === "first" && isWithin(toWindow(calendar, LIE_FRACTION, LIE_LENGTH), moment))
    return LIE_BASIS_POINTS;
  const isDisputed = options.disputes === true && isBetween(calendar, DISPUTE_FRACTIONS, moment);
  return isDisputed ? DISPUTED_BASIS_POINTS[endpoint] : null;
}

function slotsBehindAt({ calendar }: Cluster, moment: Moment): number {
  const lags = LAG_FRACTIONS.some((fractions) => isBetween(calendar, fractions, moment));
  return lags ? Math.max(LAG_SLOTS_LEAST, calendar.slotIndexAt(LAG_EPOCHS)) : 0;
}

function isBetween(
  calendar: Calendar,
  [from, to]: readonly [number, number],
  { slotIndex }: Moment,
): boolean {
  return slotIndex >= calendar.slotIndexAt(from) && slotIndex < calendar.slotIndexAt(to);
}
