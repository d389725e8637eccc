import { encodePublicKey } from "../../../generator/chain/public-key.ts";
import type { Member } from "../chain/cast.ts";
import type { Random } from "../random.ts";
import { remember, type World } from "../world.ts";
import { createCommissionOrders } from "./commission-orders.ts";
import type { PlanStories } from "./commission-plans.ts";
import { createRoutine } from "./routine.ts";
import { attachSignatures } from "./message-layout.ts";
import {
  compileMessage,
  type Instruction,
  signMessage,
  type Message,
  type Order,
} from "./message.ts";

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

type Signed = () => Transaction;

interface EpochOfOrders {
  orders: readonly { order: Order; signed: Signed }[];
  byAddress: ReadonlyMap<string, readonly { order: Order; signed: Signed }[]>;
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

  const authoritiesOf = remember((ordinal) => toEpoch(commissionOrdersOf(ordinal)), epochsKept);
  const routineOf = new Map(
    routine.members.map((member) => [
      member.index,
      remember((ordinal) => toEpoch(routine.ordersOf(member, ordinal)), epochsKept),
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

  function toEpoch(orders: readonly Order[]): EpochOfOrders {
    const rows = orders.map((order) => ({ order, signed: once(() => sign(order)) }));
    const byAddress = new Map<string, (typeof rows)[number][]>();
    for (const row of rows) {
      for (const address of addressesOf(row.order)) {
        const named = byAddress.get(address);
        if (named === undefined) byAddress.set(address, [row]);
        else named.push(row);
      }
    }
    return { orders: rows, byAddress };
  }

  function ordinalsOf({ from, to }: SlotRange): number[] {
    const [oldest, newest] = [
      calendar.momentOfSlot(from).ordinal,
      calendar.momentOfSlot(to).ordinal,
    ];
    return Array.from({ length: newest - oldest + 1 }, (_, age) => newest - age);
  }

  function epochsOf(ordinal: number, members: readonly Member[]): EpochOfOrders[] {
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
      for (const { orders } of epochsOf(ordinal, routine.members)) {
        const row = orders.find(({ signed }) => signed().signature === signature);
        if (row !== undefined) return row.signed();
      }
    }
    return null;
  }

  return {
    naming,
    find,
    ofAuthorities: (ordinal) => authoritiesOf(ordinal).orders.map(({ signed }) => signed()),
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

function addressesOf({ payer, instructions }: Order): Set<string> {
  const named = instructions.flatMap(({ program, accounts }) => [
    program,
    ...accounts.map(({ address }) => address),
  ]);
  return new Set([payer.address, ...named]);
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

export interface Transaction extends Order {
  signature: string;
  signatures: readonly Uint8Array[];
  message: Message;
  /** Signatures and message. */
  bytes: Uint8Array;
}

/** Keeps the signatures, which then do not fit. */
export function alter(
  transaction: Transaction,
  instructions: readonly Instruction[],
  blockhash: string,
): Transaction {
  const message = compile({ ...transaction, instructions }, blockhash);
  return {
    ...transaction,
    instructions,
    message,
    bytes: attachSignatures(message, transaction.signatures),
  };
}

export function toTransaction(order: Order, blockhash: string): Transaction {
  const message = compile(order, blockhash);
  return { ...order, ...signMessage(message, order.keypairs), message };
}

function compile(
  { payer, instructions, version, table, config }: Order,
  blockhash: string,
): Message {
  return compileMessage({
    payer: payer.address,
    instructions,
    blockhash,
    version,
    ...(table !== null && { table }),
    ...(config !== null && { config }),
  });
}
