import type { EndpointName } from "../options.ts";
import type { Lie } from "../chain/accounts.ts";
import { type Calendar, type Moment, isWithin, toWindow, type Length } from "../calendar.ts";
import type { Cluster, ClusterState, ValidatorState } from "../cluster.ts";
import { exists, type CreditsRow } from "../chain/presence.ts";
import { U64_MAX } from "../chain/stakes.ts";
import { countBlocks } from "../chain/production.ts";
import { createShownHistory } from "../transactions/shown-history.ts";
import { readMomentAt } from "./load.ts";
import type { RateForm, View, VoteState } from "./view.ts";

/** Of the simulated cluster, whose endpoints answer more methods. */
export interface ClusterView extends View {
  cluster: Cluster;
  endpoint: EndpointName;
  state: ClusterState;
}

/** Nodes round differently, by version; `lagging` predates basis points. */
const RATE_FORMS: Record<EndpointName, RateForm> = {
  first: { toPercent: Math.ceil, hasBasisPoints: true },
  second: { toPercent: Math.floor, hasBasisPoints: true },
  lagging: { toPercent: Math.floor, hasBasisPoints: false },
};

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

/** What an endpoint shows at a time. */
export function viewOf(
  cluster: Cluster,
  endpoint: EndpointName,
  timeMilliseconds: number,
): ClusterView {
  const { calendar } = cluster;
  const { moment } = cluster.at(timeMilliseconds);
  const slotsBehind = endpoint === "lagging" ? slotsBehindAt(cluster, moment) : 0;
  const state = cluster.atMoment(calendar.momentOfSlot(moment.slot - slotsBehind));
  const { slot, epoch, slotIndex } = state.moment;
  const lie = lieAt(cluster, endpoint, moment);
  const source = endpoint === "first" ? cluster.falseTransactionsAt(moment) : null;
  return {
    cluster,
    endpoint,
    state,
    slot,
    slotsBehind,
    genesisHash: () => cluster.genesisHash,
    epoch: () => {
      return {
        absoluteSlot: slot,
        epoch,
        slotIndex,
        slotsInEpoch: calendar.schedule.slotsPerEpoch,
      };
    },
    schedule: () => calendar.schedule,
    votes: () => ({
      rows: state.validators.map((validator) => toVoteState(cluster, validator, { state, lie })),
      form: RATE_FORMS[endpoint],
    }),
    account(address) {
      const read = readMomentAt(cluster, address, state.moment);
      return read && cluster.accounts.at(address, read, lie);
    },
    blocks: (range) => countBlocks(cluster, slot, range),
    ...createShownHistory({ cluster, endpoint, slot, source: source ?? cluster.transactions }),
  };
}

function toVoteState(
  cluster: Cluster,
  { member, votePubkey, identity, ...validator }: ValidatorState,
  { state, lie }: { state: ClusterState; lie: Lie | null },
): VoteState {
  return {
    votePubkey,
    identity,
    activatedStake: validator.activatedStake,
    basisPoints: lie?.member === member ? lie.basisPoints : validator.basisPoints,
    inValidatorSet: validator.inValidatorSet,
    lastVote: validator.lastVote,
    rootSlot: validator.rootSlot,
    epochCredits: cluster.creditsAt(member, state.moment).map(toCreditsRow),
  };
}

const SEPARATOR = [U64_MAX, U64_MAX, U64_MAX];

function toCreditsRow(row: CreditsRow) {
  return row === "separator" ? SEPARATOR : row;
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
