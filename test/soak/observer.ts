import type {
  AccountRow,
  AccountsAnswer,
  CheckEntry,
  SnapshotEntry,
  SnapshotRow,
  TransactionsEntry,
  Tip,
} from "../../generator/entries/entry.ts";
import type { Observer } from "../../generator/observe/observation.ts";
import type { SnapshotRequest } from "../../generator/observe/snapshot.ts";
import type { SignatureSearch } from "../../generator/observe/transactions/signature-list.ts";
import { FIRST_EPOCH, momentAt, SLOTS_IN_EPOCH, type Actor, type World } from "./world.ts";

/**
 * A reading's time by the world's clock, which decides
 * what is read, and by the reader's, which dates it.
 */
export interface Reading {
  /** Milliseconds since 1970. */
  trueTime: number;
  /** By a clock that may be wrong. */
  ownTime: number;
}

interface WorldView {
  world: World;
  witnesses: readonly [string, string];
}

type Seen = Reading & WorldView;

/** In every other six hours the second witness cannot read the accounts: its list decides. */
export function createWorldObserver({
  read,
  ...view
}: WorldView & { read: () => Reading }): Observer {
  const seen = () => ({ ...view, ...read() });
  return {
    check: () => pass(readCheck(seen())),
    snapshot: (request) => pass(readSnapshot(seen(), request)),
    transactions: ({ searches }) => pass(refuseTransactions(seen(), searches)),
    close: () => Promise.resolve(),
  };
}

function pass<Entry>(entry: Entry): Promise<{ passed: true; entry: Entry }> {
  return Promise.resolve({ passed: true, entry });
}

function refuseTransactions(seen: Seen, searches: readonly SignatureSearch[]): TransactionsEntry {
  const answer = {
    state: "failed" as const,
    reason: "no history of transactions",
    isRefused: true,
  };
  const answers = seen.witnesses.map(() => answer);
  return {
    ...{ kind: "transactions", ...toHead(seen) },
    panel: [...seen.witnesses],
    schedule: { slotsPerEpoch: SLOTS_IN_EPOCH, firstNormalEpoch: 0, firstNormalSlot: 0 },
    searches: searches.map(({ authority, after, upTo }) => ({
      authority,
      after,
      upTo,
      answers,
      transactions: [],
    })),
    transactions: [],
  };
}

function readCheck(seen: Seen): CheckEntry {
  const votes = seen.world.actorsAt(seen.trueTime).map((actor) => {
    const { vote, basisPoints, percent, delinquent, activeStake } = toRow(actor, seen);
    return { vote, basisPoints, percent, delinquent, activeStake };
  });
  return { kind: "check", ...toHeader(seen), votes, unclear: [], accounts: [] };
}

function readSnapshot(seen: Seen, request: SnapshotRequest): SnapshotEntry {
  const { world, trueTime, ownTime } = seen;
  const actors = world.actorsAt(trueTime);
  const { epoch } = momentAt(trueTime);
  const votes = new Set(actors.map(({ vote }) => vote));
  const sides = request.sides(epoch, [...votes]);
  const { tips, controls, closed, tipAmounts } = sides;
  const issuance = {
    validatorRate: 0.04,
    supply: 10n ** 18n,
    slotTimes: [[200, 1]] as [number, number][],
  };
  const skipped = { state: "skipped", off: false } as const;
  return {
    ...{ kind: "snapshot", ...toHeader(seen) },
    votes: actors.map((actor) => toRow(actor, seen)),
    accounts: toAccounts(actors, seen),
    absent: request.expected.filter((vote) => !votes.has(vote)),
    creditsUnit: "credits",
    nodes: ok(
      actors.map(({ identity, version }) => ({ identity, version, clientId: 3, ip: null })),
    ),
    info: ok(
      actors.map(({ identity, name }) => ({
        identity,
        account: identity,
        name,
        website: null,
        iconUrl: null,
      })),
    ),
    production: ok({ rows: actors.map(({ identity }) => [identity, ...toBlocks(trueTime)]) }),
    stakeAccounts: sides.scanStakeAccounts
      ? ok({
          epoch,
          asOf: toIso(ownTime),
          rows: actors.map(({ vote }) => [vote, BigInt(epoch), 0n, 2]),
        })
      : skipped,
    mev: ok({ rows: toMevRows(world, actors, world.mevListEpochAt(trueTime)) }),
    tips:
      tips.length === 0
        ? skipped
        : ok({
            tips,
            controls,
            answers: toAnswers(seen, { shares: toShares([...tips, ...controls], seen) }),
          }),
    closedProduction:
      closed === null
        ? skipped
        : ok({
            ...closed,
            answers: toAnswers(seen, { blocks: closed.identities.map(() => BLOCKS_OF_EPOCH) }),
          }),
    ...{ priorityFees: skipped, slotSamples: skipped },
    locations: ok(actors.map(toLocation)),
    issuance: sides.readIssuance ? ok({ epoch, answers: toAnswers(seen, issuance) }) : skipped,
    rewards: skipped,
    tipAmounts:
      tipAmounts.length === 0
        ? skipped
        : ok({
            tips: tipAmounts,
            answers: toAnswers(seen, { amounts: toAmounts(tipAmounts, epoch) }),
          }),
  };
}

const TIPS_OF_EPOCH = 12_345_678_901n;

/** Half of the tips while an epoch runs; counted once it has ended. */
function toAmounts(tips: readonly { epoch: number }[], running: number): [bigint, boolean][] {
  return tips.map(({ epoch }) =>
    epoch < running ? [TIPS_OF_EPOCH, true] : [TIPS_OF_EPOCH / 2n, false],
  );
}

function toAccounts(actors: readonly Actor[], seen: Seen): AccountsAnswer[] {
  const isSecondBusy = Math.floor(new Date(seen.trueTime).getUTCHours() / 6) % 2 === 0;
  return toAnswers(seen, { rows: actors.map(toAccountRow) }).map((answer, position) => {
    const { endpoint } = answer;
    if (position === 0 || !isSecondBusy) return answer;
    return {
      state: "failed",
      endpoint,
      reason: `${endpoint} getMultipleAccounts: HTTP status 429`,
    };
  });
}

/** Made when its epoch begins. */
function toShares(tips: readonly Tip[], { world, trueTime }: Seen): ([number] | null)[] {
  return tips.map(({ vote, epoch }) => {
    const share = epoch > momentAt(trueTime).epoch ? null : world.mevOf(vote, epoch);
    return share === null ? null : [share];
  });
}

/** Until validators may set it, they keep the whole block revenue. */
const BLOCK_REVENUE_BASIS_POINTS = 10_000;

function toAccountRow({ inflation, identity }: Actor): NonNullable<AccountRow> {
  return [inflation, null, identity, BLOCK_REVENUE_BASIS_POINTS];
}

function toHead({ ownTime }: Seen) {
  return { format: 1 as const, network: "mainnet" as const, time: toIso(ownTime) };
}

function toHeader(seen: Seen) {
  const moment = momentAt(seen.trueTime);
  return {
    ...{ ...toHead(seen), endpoint: seen.witnesses[0], slot: moment.absoluteSlot, ...moment },
    slotsInEpoch: SLOTS_IN_EPOCH,
    panel: toSlots(seen).map(({ endpoint, slot }) => {
      const list = { slot, unreadableRows: 0, hasBasisPoints: true, lacks: [], rows: [] };
      const schedule = {
        epoch: moment.epoch,
        firstSlot: moment.absoluteSlot - moment.slotIndex,
        slotsInEpoch: SLOTS_IN_EPOCH,
      };
      return { endpoint, slot, ...schedule, list, reason: null };
    }),
    unreadableRows: 0,
  };
}

/** What both witnesses tell alike, each at a slot of its own. */
function toAnswers<Told extends object>(seen: Seen, told: Told) {
  return toSlots(seen).map((slot) => ({ state: "ok" as const, ...slot, ...told }));
}

const SECOND_BEHIND_SLOTS = 3;

function toSlots({ witnesses, trueTime }: Seen): { endpoint: string; slot: number }[] {
  const { absoluteSlot } = momentAt(trueTime);
  return witnesses.map((endpoint, at) => ({
    endpoint,
    slot: absoluteSlot - at * SECOND_BEHIND_SLOTS,
  }));
}

function toRow(
  { vote, identity, inflation, delinquent, activeStake }: Actor,
  { trueTime }: Seen,
): SnapshotRow {
  const { epoch, slotIndex } = momentAt(trueTime);
  return {
    ...{
      vote,
      identity,
      basisPoints: inflation,
      percent: null,
      delinquent,
      activeStake,
      inValidatorSet: true,
    },
    credits: epoch < FIRST_EPOCH ? [] : [[epoch, BigInt(slotIndex) + 1_000n, 1_000n]],
  };
}

function toBlocks(time: number): [leaderSlots: number, blocksProduced: number] {
  const leaderSlots = 4 + Math.floor(momentAt(time).slotIndex / 10_000) * 4;
  return [leaderSlots, leaderSlots - 1];
}

const BLOCKS_OF_EPOCH: [leaderSlots: number, blocksProduced: number] = [40, 39];

function toMevRows(world: World, actors: readonly Actor[], epoch: number) {
  return actors.flatMap(({ vote }) => {
    const mevBasisPoints = world.mevOf(vote, epoch);
    return mevBasisPoints === null
      ? []
      : [{ vote, mevBasisPoints, priorityFeeBasisPoints: 0, runningBam: false }];
  });
}

function toLocation({ identity, city }: Actor) {
  const [country, countryCode] = city === "Paris" ? ["France", "FR"] : ["Germany", "DE"];
  return {
    identity,
    country,
    countryCode,
    city,
    asn: 24940,
    asnOrganization: "Hetzner Online GmbH",
  };
}

function ok<Value>(value: Value) {
  return { state: "ok" as const, value };
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
