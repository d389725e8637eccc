import {
  toInnerGroup,
  type ListedTransaction,
  type ShownTransaction,
  type View,
} from "../rpc/view.ts";
import { RpcFailure } from "../rpc/failure.ts";
import type { Cluster } from "../cluster.ts";
import type { EndpointName } from "../options.ts";
import { TRANSACTION_SLOTS, type SlotRange, type TransactionSource } from "./archive.ts";
import type { Transaction } from "./transaction.ts";

const FEE_LAMPORTS = 5000;
const BALANCE_LAMPORTS = 1_000_000_000;
const UNITS_PER_INSTRUCTION = 2100;

interface Archivist {
  cluster: Cluster;
  endpoint: EndpointName;
  slot: number;
  source: TransactionSource;
}

/** The transactions that an endpoint shows at a slot. */
export function createShownHistory(
  archivist: Archivist,
): Pick<View, "listed" | "transaction" | "firstBlock"> {
  const kept = keptBy(archivist);
  return {
    *listed(address, before) {
      assertHistory(archivist);
      for (const transaction of listBefore(archivist, address, before))
        yield toListed(transaction, toldBy(archivist, transaction));
    },
    transaction(signature) {
      assertHistory(archivist);
      const transaction = archivist.source.find(signature, kept);
      return transaction && toShown(transaction, toldBy(archivist, transaction));
    },
    firstBlock: () => kept.from,
  };
}

function assertHistory({ cluster, endpoint }: Archivist): void {
  if (cluster.options.withoutTransactions?.includes(endpoint) !== true) return;
  throw new RpcFailure(
    "noTransactionHistory",
    "Transaction history is not available from this node",
  );
}

/** A pruned list ends like a complete one. */
function* listBefore(
  archivist: Archivist,
  address: string,
  before: string | undefined,
): Generator<Transaction> {
  const kept = keptBy(archivist);
  const { source } = archivist;
  const last = before === undefined ? null : source.find(before, kept);
  if (before !== undefined && last === null) return;
  const range = { from: kept.from, to: last?.slot ?? kept.to };
  for (const transaction of source.naming(address, range)) {
    const isBehind =
      last === null || transaction.slot < last.slot || transaction.index < last.index;
    if (isBehind) yield transaction;
  }
}

function keptBy({ cluster, slot }: Archivist): SlotRange {
  const slots = cluster.options.transactionSlots ?? TRANSACTION_SLOTS;
  return { from: Math.max(slot - slots + 1, 0), to: slot };
}

function toldBy(archivist: Archivist, transaction: Transaction): Told {
  return {
    blockTime: blockTimeOf(archivist, transaction),
    // Older nodes omit it.
    index: archivist.endpoint === "lagging" ? null : transaction.index,
  };
}

/** What not every node tells. */
type Told = Pick<ListedTransaction, "blockTime" | "index">;

/** A row of a list of signatures. */
export function toListed({ signature, slot, failure }: Transaction, told: Told): ListedTransaction {
  return { signature, slot, err: failure, ...told };
}

/** A transaction as it is answered alone. */
export function toShown(transaction: Transaction, told: Told): ShownTransaction {
  const { message, inner, bytes, version, slot, failure } = transaction;
  const keys = [...message.accounts, ...message.loaded.writable, ...message.loaded.readonly];
  return {
    slot,
    err: failure,
    ...told,
    version,
    bytes,
    inner: inner === null ? [] : [toInnerGroup(inner.place, inner.instructions, keys)],
    loaded: message.loaded,
    meta: toMeta(transaction, keys),
  };
}

function blockTimeOf({ cluster: { calendar } }: Archivist, { slot }: Transaction): number {
  const { ordinal, slotIndex } = calendar.momentOfSlot(slot);
  return Math.floor(calendar.timeOf(ordinal, slotIndex) / 1000);
}

function toMeta(transaction: Transaction, keys: readonly string[]) {
  const { message, instructions, failure } = transaction;
  const fee = FEE_LAMPORTS * message.signers.length;
  const units = UNITS_PER_INSTRUCTION * instructions.length;
  return {
    computeUnitsConsumed: units,
    costUnits: units + 2050,
    fee,
    logMessages: toLog(transaction),
    postBalances: keys.map((_, place) => BALANCE_LAMPORTS - (place === 0 ? fee : 0)),
    postTokenBalances: [],
    preBalances: keys.map(() => BALANCE_LAMPORTS),
    preTokenBalances: [],
    rewards: [],
    status: failure === null ? { Ok: null } : { Err: failure },
  };
}

function toLog({ instructions, failure }: Transaction): string[] {
  const failedAt = failure?.InstructionError[0];
  return instructions.flatMap(({ program }, place) => [
    `Program ${program} invoke [1]`,
    place === failedAt
      ? `Program ${program} failed: custom program error: 0x1`
      : `Program ${program} success`,
  ]);
}
