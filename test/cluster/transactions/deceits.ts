import type { Authorities } from "../chain/authorities.ts";
import { type Moment, isWithin, toWindow, type Length } from "../calendar.ts";
import { remember, type World } from "../world.ts";
import {
  type Archive,
  type SlotRange,
  type TransactionSource,
  blockhashAt,
  TRANSACTION_SLOTS,
} from "./archive.ts";
import { alter, toTransaction, type Transaction } from "./transaction.ts";
import { VOTE_PROGRAM } from "../../../generator/chain/program-address.ts";
import { exists } from "../chain/presence.ts";
import { toKeypair, readonly, type Instruction } from "./message.ts";
import { updateCommissionBasisPoints } from "./programs.ts";

/** An endpoint lies at these fractions of each epoch. */
export const DECEITS = [
  { kind: "old as new", fraction: 0.08 },
  { kind: "failed as good", fraction: 0.22 },
  { kind: "own key", fraction: 0.36 },
  { kind: "invented inner", fraction: 0.52 },
  { kind: "altered", fraction: 0.66 },
  { kind: "left out", fraction: 0.8 },
] as const satisfies readonly { kind: DeceitKind; fraction: number }[];

const DECEIT_LENGTH: Length = { epochs: 0.04, leastMilliseconds: 150_000 };

/** null while the endpoint tells the truth. */
export function createDeceits(
  world: World,
  authorities: Authorities,
  archive: Archive,
): (moment: Moment) => TransactionSource | null {
  const { calendar, options } = world;
  const windows = DECEITS.map(({ kind, fraction }) => ({
    kind,
    window: toWindow(calendar, fraction, DECEIT_LENGTH),
  }));

  const sourceOf = remember((number) => {
    const place = number % windows.length;
    const deceit = windows[place];
    if (deceit === undefined) return null;
    const { kind, window } = deceit;
    const ordinal = Math.floor(number / windows.length);
    const since = calendar.firstSlotOf(options.firstEpoch + ordinal) + window.fromSlotIndex;
    return toSource(archive, since, makeDeceit(kind, since, { world, authorities, archive }));
  });

  return (moment) => {
    const place = windows.findIndex(({ window }) => isWithin(window, moment));
    return place < 0 ? null : sourceOf(moment.ordinal * windows.length + place);
  };
}

function toSource(
  archive: Archive,
  since: number,
  { retell, invented, inventedAs }: Deceit,
): TransactionSource {
  function* naming(address: string, { from, to }: SlotRange): Generator<Transaction> {
    yield* retellAll(archive.naming(address, { from: Math.max(from, since + 1), to }));
    if (to >= since) yield* invented(address);
    yield* retellAll(archive.naming(address, { from, to: Math.min(to, since) }));
  }

  function* retellAll(transactions: Iterable<Transaction>): Generator<Transaction> {
    for (const transaction of transactions) {
      const told = retell(transaction);
      if (told !== null) yield told;
    }
  }

  function find(signature: string, range: SlotRange): Transaction | null {
    const told = inventedAs(signature);
    if (told !== null) return told.slot <= range.to ? told : null;
    const transaction = archive.find(signature, range);
    return transaction === null ? null : retell(transaction);
  }

  return { naming, find };
}

export type DeceitKind =
  "old as new" | "failed as good" | "own key" | "invented inner" | "altered" | "left out";

const CLAIMED_BASIS_POINTS = 10_000;

const VICTIMS = 8;

const NEWEST = 25;
const OLD_SLOTS = 500;

/** After the block's real transactions. */
const INDEX_LEAST = 100_000;

interface Deceit {
  retell: (transaction: Transaction) => Transaction | null;
  invented: (address: string) => readonly Transaction[];
  inventedAs: (signature: string) => Transaction | null;
}

interface DeceitStage {
  world: World;
  authorities: Authorities;
  archive: Archive;
}

/** @param since the lie's first slot */
function makeDeceit(kind: DeceitKind, since: number, stage: DeceitStage): Deceit {
  const { random } = stage.world;
  switch (kind) {
    case "old as new":
      return tellOldAsNew(since, stage);
    case "own key":
      return claimByOwnKey(since, stage);
    case "failed as good":
      return retelling((transaction) => ({ ...transaction, failure: null }));
    case "invented inner":
      return retelling(withInner);
    case "altered":
      return retelling((transaction) => {
        if (!transaction.instructions.some(isUpdate)) return transaction;
        const instructions = transaction.instructions.map(toClaim);
        return alter(transaction, instructions, blockhashAt(random, transaction));
      });
    case "left out":
      return retelling((transaction) => (isPicked(transaction) ? null : transaction));
  }
}

function retelling(retell: Deceit["retell"]): Deceit {
  return { retell, invented: () => [], inventedAs: () => null };
}

function tellOldAsNew(since: number, { archive, world: { options } }: DeceitStage): Deceit {
  const isTold = (transaction: Transaction) =>
    isPicked(transaction) && transaction.slot < since - OLD_SLOTS;
  const renew = (transaction: Transaction): Transaction => ({
    ...transaction,
    slot: since,
    index: INDEX_LEAST + (transaction.slot % INDEX_LEAST),
  });
  const old = {
    from: since - (options.transactionSlots ?? TRANSACTION_SLOTS),
    to: since - OLD_SLOTS - 1,
  };
  return {
    retell: (transaction) => (isTold(transaction) ? null : transaction),
    invented: (address) =>
      archive
        .naming(address, old)
        .take(NEWEST)
        .filter(isTold)
        .map(renew)
        .toArray()
        .sort((one, other) => other.index - one.index),
    inventedAs(signature) {
      const transaction = archive.find(signature, old);
      return transaction !== null && isTold(transaction) ? renew(transaction) : null;
    },
  };
}

/** No node would execute it. */
function claimByOwnKey(
  since: number,
  { world: { random, members, calendar }, authorities }: DeceitStage,
): Deceit {
  const moment = calendar.momentOfSlot(since);
  const key = toKeypair(random.bytes("liar"));
  const standing = members.filter((member) => member.layout === "v4" && exists(member, moment));
  const claims = standing
    .filter(({ index }) => random.whole(standing.length, "claimed", index, since) < VICTIMS)
    .map((member) => {
      const authority = authorities.at(member, moment).address;
      const claim = updateCommissionBasisPoints(
        member.vote.address,
        key.address,
        CLAIMED_BASIS_POINTS,
      );
      const order = {
        slot: since,
        index: INDEX_LEAST + member.index,
        payer: key,
        keypairs: [key],
        // Makes the authority's list show it.
        instructions: [{ ...claim, accounts: [...claim.accounts, readonly(authority)] }],
        version: "legacy" as const,
        table: null,
        config: null,
        failure: null,
        inner: null,
      };
      return { authority, transaction: toTransaction(order, blockhashAt(random, order)) };
    });
  return {
    retell: (transaction) => transaction,
    invented: (address) =>
      claims
        .filter(({ authority }) => authority === address)
        .map(({ transaction }) => transaction)
        .reverse(),
    inventedAs: (signature) =>
      claims.find(({ transaction }) => transaction.signature === signature)?.transaction ?? null,
  };
}

/** Nobody signs inner instructions. */
function withInner(transaction: Transaction): Transaction {
  const place = transaction.instructions.findIndex(isUpdate);
  const update = transaction.instructions[place];
  if (update === undefined || transaction.inner !== null) return transaction;
  return { ...transaction, inner: { place, instructions: [toClaim(update)] } };
}

function toClaim(instruction: Instruction): Instruction {
  const [vote, authority] = instruction.accounts;
  if (!isUpdate(instruction) || vote === undefined || authority === undefined) return instruction;
  return updateCommissionBasisPoints(vote.address, authority.address, CLAIMED_BASIS_POINTS);
}

function isUpdate({ program, data }: Instruction): boolean {
  return program === VOTE_PROGRAM && UPDATES.includes(data[0] ?? 0);
}

/** UpdateCommission and UpdateCommissionBps. */
const UPDATES = [5, 18];

/** A constant liar would be found out at once. */
function isPicked({ signatures: [first] }: Transaction): boolean {
  return (first?.[0] ?? 0) % 2 === 0;
}
