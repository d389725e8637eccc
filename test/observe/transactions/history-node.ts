import { readFileSync } from "node:fs";
import { base58 } from "@scure/base";
import { z } from "zod";
import type { Observer } from "../../../generator/observe/observation.ts";
import type { SignatureSearch } from "../../../generator/observe/transactions/searches.ts";
import { readRecorded } from "../../chain/recorded.ts";
import { RpcFailure, type Methods } from "../../rpc/rpc-server.ts";

/** Where the validator was whose answers were recorded. */
export const HEAD = 1_233;
export const EPOCH_INFO = { absoluteSlot: HEAD, blockHeight: HEAD, epoch: 4, slotIndex: 33, slotsInEpoch: 300 };
export const SCHEDULE = { slotsPerEpoch: 300, firstNormalEpoch: 0, firstNormalSlot: 0 };
export const KNOWN = { epoch: 4, firstSlot: 1_200, slotsInEpoch: 300 };

/** Whose list was recorded: it took over the vote account's authority, and changed what it could. */
export const AUTHORITY = "571HLvp3zs9YKSa87SXYH44gcNFEyZDJxwJr1WRj8WkU";
/** Its transactions in slot 1226 (8 %), 1227 (100 % and then 0 %), 1228 (block revenue) and 1229 (12.34 %). */
export const NAMES = ["bps-800-by-new-authority", "two-in-one-10000-then-0", "block-revenue-5000", "v0-1234"] as const;

/** A row of a list of signatures, as far as it is looked at. */
export interface Row {
  signature: string;
  slot: number;
  err: unknown;
}

const rowSchema = z.object({ signature: z.string(), slot: z.number(), err: z.unknown() });
const listSchema = z.object({ result: z.array(rowSchema) });

/** The recorded list, newest first. */
export const ROWS: Row[] = listSchema.parse(readOwn("getSignaturesForAddress.withdrawAuthority")).result;

export const readOwnFailure = (name: string) =>
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }).parse(readOwn(name)).error;

function readOwn(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), "utf8"));
}

/** What getTransaction answered: a result, with whatever stands in it. */
export type Result = Record<string, unknown> & {
  slot: number;
  transaction: [string, string];
  meta: Record<string, unknown>;
};

/** The recorded result under a name of `test/chain/recorded/`. */
export function resultOf(name: string): Result {
  return (readRecorded(`base64.${name}`) as { result: Result }).result;
}

/** By signature. */
export const RESULTS = new Map(NAMES.toReversed().map((name, place) => [ROWS[place]!.signature, resultOf(name)]));

/** What a node with a history of transactions answers; of every address the same. */
export function historyNode({
  rows = ROWS,
  results = RESULTS,
  firstSlot = 0,
  head = HEAD,
}: { rows?: readonly Row[]; results?: ReadonlyMap<string, unknown>; firstSlot?: number; head?: number } = {}): Methods {
  return {
    getEpochInfo: EPOCH_INFO,
    getEpochSchedule: SCHEDULE,
    getFirstAvailableBlock: firstSlot,
    getSignaturesForAddress: ([, options]: [string, ListOptions]) => list(rows, { firstSlot, head, ...options }),
    getTransaction: ([signature]: [string]) => results.get(signature) ?? null,
  };
}

interface ListOptions {
  limit: number;
  before?: string;
  minContextSlot: number;
}

function list(
  rows: readonly Row[],
  { limit, before, minContextSlot, firstSlot, head }: ListOptions & { firstSlot: number; head: number },
): Row[] {
  if (head < minContextSlot) throw new RpcFailure(-32_016, "Minimum context slot has not been reached");
  const kept = rows.filter(({ slot }) => slot >= firstSlot);
  const start = before === undefined ? 0 : kept.findIndex(({ signature }) => signature === before) + 1;
  return kept.slice(start, start + limit);
}

/** A signature that nobody made. */
export const signatureOf = (number: number): string => {
  const bytes = Buffer.alloc(64, 7);
  bytes.writeUInt32BE(number, 60);
  return base58.encode(bytes);
};

/** A search of all that the recorded authority did. */
export const search = (change: Partial<SignatureSearch> = {}): SignatureSearch => ({
  authority: AUTHORITY,
  after: 1_000,
  upTo: null,
  transactionsMax: 100,
  ...change,
});

/** Reads with a minute for all of it. */
export const read = (observer: Observer, ...searches: SignatureSearch[]) =>
  observer.transactions({ known: KNOWN, searches, milliseconds: 60_000 });
