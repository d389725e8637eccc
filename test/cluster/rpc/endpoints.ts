import type { EndpointName } from "../options.ts";
import type { Lie } from "../chain/accounts.ts";
import { type Moment, isWithin, toWindow, type Length } from "../calendar.ts";
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
    lie: endpoint === "first" ? lieAt(cluster, moment) : null,
    transactions:
      (endpoint === "first" ? cluster.falseTransactionsAt(moment) : null) ?? cluster.transactions,
  };
}

export function lieAt({ calendar, members, commissions }: Cluster, moment: Moment): Lie | null {
  if (!isWithin(toWindow(calendar, LIE_FRACTION, LIE_LENGTH), moment)) return null;
  const candidates = members.filter(
    (member) =>
      member.commission.role === "steady" &&
      exists(member, moment) &&
      commissions.basisPointsAt(member, moment) < LIE_BASIS_POINTS,
  );
  const member = candidates[(moment.epoch * 7) % candidates.length];
  return member === undefined ? null : { member, basisPoints: LIE_BASIS_POINTS };
}

function slotsBehindAt({ calendar }: Cluster, { slotIndex }: Moment): number {
  const lags = LAG_FRACTIONS.some(
    ([from, to]) => slotIndex >= calendar.slotIndexAt(from) && slotIndex < calendar.slotIndexAt(to),
  );
  return lags ? Math.max(LAG_SLOTS_LEAST, calendar.slotIndexAt(LAG_EPOCHS)) : 0;
}
