import type {
  AccountsAnswer,
  CheckEntry,
  PanelConfirmEntry,
  SnapshotEntry,
  SnapshotRow,
  TransactionsEntry,
} from "../../generator/entries/entry.ts";
import type { Observer } from "../../generator/observe/observation.ts";
import type { SnapshotRequest } from "../../generator/observe/snapshot.ts";
import type { SignatureSearch } from "../../generator/observe/transactions/searches.ts";
import { FIRST_EPOCH, momentAt, SLOTS_IN_EPOCH, type Actor, type World } from "./world.ts";

/** A reading's time by the world's clock, which decides what is read, and by the reader's, which dates it. */
export interface Reading {
  /** Milliseconds since 1970. */
  trueTime: number;
  /** By a clock that may be wrong. */
  ownTime: number;
}

export type Witnesses = readonly [string, string];

const SECOND_BEHIND_SLOTS = 3;

/** In every other six hours the second witness cannot read all accounts: changes then wait for a second reading. */
export function createWorldObserver(options: { world: World; witnesses: Witnesses; read: () => Reading }): Observer {
  const { world, witnesses, read } = options;
  return {
    check: () => pass(readCheck(world, witnesses, read())),
    snapshot: (request) => pass(readSnapshot(world, witnesses, { ...read(), request })),
    confirm: ({ votes, tips }) => pass(readConfirm(world, witnesses, { ...read(), votes, tips })),
    transactions: ({ searches }) => pass(refuseTransactions(witnesses, read(), searches)),
    close: () => Promise.resolve(),
  };
}

function pass<Entry>(entry: Entry): Promise<{ passed: true; entry: Entry }> {
  return Promise.resolve({ passed: true, entry });
}

function refuseTransactions(
  witnesses: Witnesses,
  reading: Reading,
  searches: readonly SignatureSearch[],
): TransactionsEntry {
  const { format, network, time } = toHeader(witnesses, reading);
  const answer = { state: "failed" as const, reason: "no history of transactions", isRefused: true };
  return {
    kind: "transactions",
    format,
    network,
    time,
    panel: [...witnesses],
    schedule: { slotsPerEpoch: SLOTS_IN_EPOCH, firstNormalEpoch: 0, firstNormalSlot: 0 },
    searches: searches.map(({ authority, after, upTo }) => ({
      authority,
      after,
      upTo,
      answers: witnesses.map(() => answer),
      transactions: [],
    })),
    transactions: [],
  };
}

function readCheck(world: World, witnesses: Witnesses, reading: Reading): CheckEntry {
  const votes = world.actorsAt(reading.trueTime).map((actor) => {
    const { vote, basisPoints, percent, delinquent, activeStake } = toRow(actor, reading);
    return { vote, basisPoints, percent, delinquent, activeStake };
  });
  return { kind: "check", ...toHeader(witnesses, reading), votes };
}

function readSnapshot(
  world: World,
  witnesses: Witnesses,
  { request, ...reading }: Reading & { request: SnapshotRequest },
): SnapshotEntry {
  const { trueTime, ownTime } = reading;
  const actors = world.actorsAt(trueTime);
  const { epoch } = momentAt(trueTime);
  const votes = new Set(actors.map(({ vote }) => vote));
  const closed = request.closedMev(epoch);
  const skipped = { state: "skipped", off: false } as const;
  return {
    kind: "snapshot",
    ...toHeader(witnesses, reading),
    votes: actors.map((actor) => toRow(actor, reading)),
    accounts: toAccounts(actors, witnesses, trueTime),
    absent: request.expected.filter((vote) => !votes.has(vote)),
    creditsUnit: "credits",
    nodes: ok(actors.map(({ identity, version }) => ({ identity, version, clientId: 3, ip: null }))),
    info: ok(actors.map(({ identity, name }) => ({ identity, account: identity, name, website: null, iconUrl: null }))),
    production: ok({ rows: actors.map(({ identity }) => [identity, ...toBlocks(trueTime)]) }),
    stakeAccounts: request.scanStakeAccounts(epoch)
      ? ok({ epoch, asOf: toIso(ownTime), rows: actors.map(({ vote }) => [vote, BigInt(epoch), 0n, 2]) })
      : skipped,
    mev: ok({ rows: toMevRows(world, actors, world.mevListEpochAt(trueTime)) }),
    tips: skipped,
    closedMev: closed === null ? skipped : ok({ epoch: closed.epoch, rows: toMevRows(world, actors, closed.epoch) }),
    closedTips: skipped,
    locations: ok(actors.map(toLocation)),
    slotSamples: skipped,
    issuance: request.readIssuance(epoch)
      ? ok({
          epoch,
          answers: toSlots(witnesses, trueTime).map((told) => {
            return { state: "ok", ...told, validatorRate: 0.04, supply: 10n ** 18n, slotTimes: [[200, 1]] };
          }),
        })
      : skipped,
    tipAmounts: toTipAmounts(witnesses, trueTime, request.tipAmounts(epoch)),
  };
}

const TIPS_OF_EPOCH = 12_345_678_901n;

/** Half of the tips while an epoch runs; counted once it has ended. */
function toTipAmounts(
  witnesses: Witnesses,
  trueTime: number,
  tips: { vote: string; epoch: number }[],
): NonNullable<SnapshotEntry["tipAmounts"]> {
  if (tips.length === 0) return { state: "skipped", off: false };
  const running = momentAt(trueTime).epoch;
  const amounts = tips.map(({ epoch }): [bigint, boolean] =>
    epoch < running ? [TIPS_OF_EPOCH, true] : [TIPS_OF_EPOCH / 2n, false],
  );
  return ok({ tips, answers: toSlots(witnesses, trueTime).map((told) => ({ state: "ok", ...told, amounts })) });
}

function toAccounts(actors: readonly Actor[], witnesses: Witnesses, trueTime: number): AccountsAnswer[] {
  const isSecondBusy = Math.floor(new Date(trueTime).getUTCHours() / 6) % 2 === 0;
  return toSlots(witnesses, trueTime).map(({ endpoint, slot }, position) =>
    position === 1 && isSecondBusy
      ? { state: "failed", endpoint, reason: `${endpoint} getMultipleAccounts: HTTP status 429` }
      : { state: "ok", endpoint, slot, rows: actors.map(toAccountRow) },
  );
}

function readConfirm(
  world: World,
  witnesses: Witnesses,
  { trueTime, ownTime, votes, tips }: Reading & { votes: string[]; tips: { vote: string; epoch: number }[] },
): PanelConfirmEntry {
  const actors = new Map(world.actorsAt(trueTime).map((actor) => [actor.vote, actor]));
  const { epoch } = momentAt(trueTime);
  const rows = votes.map((vote) => {
    const actor = actors.get(vote);
    return actor === undefined ? null : toAccountRow(actor);
  });
  const shares = tips.map((tip): [number] | null => {
    const share = tip.epoch > epoch ? null : world.mevOf(tip.vote, tip.epoch);
    return share === null ? null : [share];
  });
  return {
    kind: "confirm",
    format: 1,
    network: "mainnet",
    time: toIso(ownTime),
    votes,
    tips,
    answers: toSlots(witnesses, trueTime).map((told) => ({ state: "ok", ...told, rows, shares })),
  };
}

function toAccountRow({ inflation, identity }: Actor): [basisPoints: number, percent: null, authority: string] {
  return [inflation, null, identity];
}

function toHeader(witnesses: Witnesses, { trueTime, ownTime }: Reading) {
  const moment = momentAt(trueTime);
  const [endpoint] = witnesses;
  return {
    format: 1 as const,
    network: "mainnet" as const,
    time: toIso(ownTime),
    endpoint,
    slot: moment.absoluteSlot,
    ...moment,
    slotsInEpoch: SLOTS_IN_EPOCH,
    panel: toSlots(witnesses, trueTime).map((told) => ({ ...told, reason: null })),
    unreadableRows: 0,
  };
}

function toSlots([first, second]: Witnesses, trueTime: number): { endpoint: string; slot: number }[] {
  const { absoluteSlot } = momentAt(trueTime);
  return [
    { endpoint: first, slot: absoluteSlot },
    { endpoint: second, slot: absoluteSlot - SECOND_BEHIND_SLOTS },
  ];
}

function toRow(actor: Actor, { trueTime }: Reading): SnapshotRow {
  const { vote, identity, inflation, delinquent, activeStake } = actor;
  const { epoch, slotIndex } = momentAt(trueTime);
  return {
    vote,
    basisPoints: inflation,
    percent: null,
    delinquent,
    activeStake,
    identity,
    inValidatorSet: true,
    credits: epoch < FIRST_EPOCH ? [] : [[epoch, BigInt(slotIndex) + 1_000n, 1_000n]],
  };
}

function toBlocks(time: number): [leaderSlots: number, blocksProduced: number] {
  const leaderSlots = 4 + Math.floor(momentAt(time).slotIndex / 10_000) * 4;
  return [leaderSlots, leaderSlots - 1];
}

function toMevRows(world: World, actors: readonly Actor[], epoch: number) {
  return actors.flatMap(({ vote }) => {
    const mevBasisPoints = world.mevOf(vote, epoch);
    return mevBasisPoints === null ? [] : [{ vote, mevBasisPoints, priorityFeeBasisPoints: 0, runningBam: false }];
  });
}

function toLocation({ identity, city }: Actor) {
  const [country, countryCode] = city === "Paris" ? ["France", "FR"] : ["Germany", "DE"];
  return { identity, country, countryCode, city, asn: 24940, asnOrganization: "Hetzner Online GmbH" };
}

function ok<Value>(value: Value) {
  return { state: "ok" as const, value };
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
