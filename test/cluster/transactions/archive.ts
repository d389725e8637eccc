import { encodePublicKey } from "../../../generator/chain/public-key.ts";
import type { Member } from "../chain/cast.ts";
import type { Random } from "../random.ts";
import { remember, type World } from "../world.ts";
import { createCommissionOrders } from "./commission-orders.ts";
import type { PlanStories } from "./commission-plans.ts";
import { createRoutine } from "./routine.ts";
import { createLog, type Log } from "./log.ts";
import type { Order } from "./message.ts";
import { toTransaction, type Transaction } from "./transaction.ts";

/** Both ends included. */
export interface SlotRange {
  from: number;
  to: number;
}

export interface TransactionSource {
  /** Newest first. */
  naming(address: string, range: SlotRange): Generator<Transaction>;
  find(signature: string, range: SlotRange): Transaction | null;
}

/** Signed on demand. */
export interface Archive extends TransactionSource {
  /** Oldest first. */
  ofAuthorities(ordinal: number): readonly Transaction[];
}

/** Since the block that a message names. */
const BLOCKHASH_AGE = 20;

export const TRANSACTION_SLOTS = 864_000;

/** Others must be searched for. */
const KNOWN_MAX = 100_000;
const EPOCHS_KEPT_MAX = 400;

export function createArchive(world: World, stories: PlanStories): Archive {
  const { options, random, calendar } = world;
  const routine = createRoutine(world, stories.authorities);
  const commissionOrdersOf = createCommissionOrders(world, stories);
  const known = new Map<string, Transaction>();
  const kept =
    Math.ceil((options.transactionSlots ?? TRANSACTION_SLOTS) / options.slotsPerEpoch) + 2;
  const epochsKept = Math.min(kept, EPOCHS_KEPT_MAX);

  const authoritiesOf = remember(
    (ordinal) => createLog(commissionOrdersOf(ordinal), sign),
    epochsKept,
  );
  const routineOf = new Map(
    routine.members.map((member) => [
      member.index,
      remember((ordinal) => createLog(routine.ordersOf(member, ordinal), sign), epochsKept),
    ]),
  );

  function sign(order: Order): Transaction {
    const transaction = toTransaction(order, blockhashAt(random, order));
    known.set(transaction.signature, transaction);
    for (const oldest of known.keys()) {
      if (known.size <= KNOWN_MAX) break;
      known.delete(oldest);
    }
    return transaction;
  }

  function ordinalsOf({ from, to }: SlotRange): number[] {
    const [oldest, newest] = [
      calendar.momentOfSlot(from).ordinal,
      calendar.momentOfSlot(to).ordinal,
    ];
    return Array.from({ length: newest - oldest + 1 }, (_, age) => newest - age);
  }

  function epochsOf(ordinal: number, members: readonly Member[]): Log<Order>[] {
    return [
      authoritiesOf(ordinal),
      ...members.flatMap(({ index }) => routineOf.get(index)?.(ordinal) ?? []),
    ];
  }

  function* naming(address: string, range: SlotRange): Generator<Transaction> {
    const member = routine.memberWith(address);
    for (const ordinal of ordinalsOf(range)) {
      const rows = epochsOf(ordinal, member === null ? [] : [member])
        .flatMap(({ byAddress }) => byAddress.get(address) ?? [])
        .filter(({ order }) => isWithin(order, range));
      rows.sort(
        ({ order: one }, { order: other }) => other.slot - one.slot || other.index - one.index,
      );
      for (const { signed } of rows) yield signed();
    }
  }

  function find(signature: string, range: SlotRange): Transaction | null {
    const transaction = known.get(signature) ?? search(signature, range);
    return transaction !== null && isWithin(transaction, range) ? transaction : null;
  }

  function search(signature: string, range: SlotRange): Transaction | null {
    for (const ordinal of ordinalsOf(range)) {
      for (const { all } of epochsOf(ordinal, routine.members)) {
        const row = all.find(({ signed }) => signed().signature === signature);
        if (row !== undefined) return row.signed();
      }
    }
    return null;
  }

  return {
    naming,
    find,
    ofAuthorities: (ordinal) => authoritiesOf(ordinal).all.map(({ signed }) => signed()),
  };
}

/** Equal transactions would have equal signatures. */
export function blockhashAt(
  random: Random,
  { slot, index }: { slot: number; index: number },
): string {
  return encodePublicKey(random.bytes("blockhash", slot - BLOCKHASH_AGE, index));
}

function isWithin({ slot }: { slot: number }, { from, to }: SlotRange): boolean {
  return slot >= from && slot <= to;
}
