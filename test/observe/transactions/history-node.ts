import { readFileSync } from "node:fs";
import { base58 } from "@scure/base";
import { z } from "zod";
import type { Observer } from "../../../generator/observe/observation.ts";
import type { SignatureSearch } from "../../../generator/observe/transactions/signature-list.ts";
import { CALLS_PER_SECOND } from "../../../generator/settings/defaults.ts";
import { readRecorded } from "../../chain/recorded.ts";
import { getSignaturesForAddress, listBehind } from "../../cluster/rpc/transactions.ts";
import { type Methods } from "../../rpc/rpc-server.ts";

/** The recording validator's slot. */
export const HEAD = 1_233;
const EPOCH_INFO = {
  absoluteSlot: HEAD,
  blockHeight: HEAD,
  epoch: 4,
  slotIndex: 33,
  slotsInEpoch: 300,
};
export const SCHEDULE = { slotsPerEpoch: 300, firstNormalEpoch: 0, firstNormalSlot: 0 };
export const KNOWN = { epoch: 4, firstSlot: 1_200, slotsInEpoch: 300 };

/** Withdraw authority whose list was recorded. */
export const AUTHORITY = "571HLvp3zs9YKSa87SXYH44gcNFEyZDJxwJr1WRj8WkU";
/**
 * Its transactions in slots 1226 (8 %), 1227 (100 %,
 * then 0 %), 1228 (block revenue), 1229 (12.34 %).
 */
const NAMES = [
  "bps-800-by-new-authority",
  "two-in-one-10000-then-0",
  "block-revenue-5000",
  "v0-1234",
] as const;

export interface Row {
  signature: string;
  slot: number;
  err: unknown;
}

const rowSchema = z.object({ signature: z.string(), slot: z.number(), err: z.unknown() });
const listSchema = z.object({ result: z.array(rowSchema) });

export const ROWS: Row[] = listSchema.parse(
  readOwn("getSignaturesForAddress.withdrawAuthority"),
).result;

export const readOwnFailure = (name: string) =>
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }).parse(readOwn(name))
    .error;

function readOwn(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), "utf8"));
}

export type Result = Record<string, unknown> & {
  slot: number;
  transaction: [string, string];
  meta: Record<string, unknown>;
};

/** Of `test/chain/recorded/`. */
export function resultOf(name: string): Result {
  return (readRecorded(`base64.${name}`) as { result: Result }).result;
}

export const RESULTS = new Map(
  NAMES.toReversed().map((name, place) => [ROWS[place]!.signature, resultOf(name)]),
);

/** The same for every address. */
export function historyNode({
  rows = ROWS,
  results = RESULTS,
  firstSlot = 0,
  head = HEAD,
}: {
  rows?: readonly Row[];
  results?: ReadonlyMap<string, unknown>;
  firstSlot?: number;
  head?: number;
} = {}): Methods {
  const kept = rows
    .filter(({ slot }) => slot >= firstSlot)
    .map((row) => ({ ...row, blockTime: null, index: null }));
  return {
    getEpochInfo: EPOCH_INFO,
    getEpochSchedule: SCHEDULE,
    getFirstAvailableBlock: firstSlot,
    getSignaturesForAddress: (params: unknown[]) =>
      getSignaturesForAddress(
        { slot: head, listed: (_, before) => listBehind(kept, before) },
        params,
      ),
    getTransaction: ([signature]: [string]) => results.get(signature) ?? null,
  };
}

/** Nobody made it. */
export const signatureOf = (number: number): string => {
  const bytes = Buffer.alloc(64, 7);
  bytes.writeUInt32BE(number, 60);
  return base58.encode(bytes);
};

export const search = (change: Partial<SignatureSearch> = {}): SignatureSearch => ({
  authority: AUTHORITY,
  after: 1_000,
  upTo: null,
  transactionsMax: 100,
  ...change,
});

export const read = (observer: Observer, ...searches: SignatureSearch[]) =>
  observer.transactions({
    known: KNOWN,
    searches,
    milliseconds: 60_000,
    callsPerSecond: CALLS_PER_SECOND,
  });
