import { base58 } from "@scure/base";
import { z } from "zod";
import { countSchema } from "../../contract/values.ts";
import { COMMITMENT } from "../../rpc/epoch.ts";
import { RpcError } from "../../rpc/error.ts";
import type { PacedEndpoint } from "./paced-witness.ts";

/** Whose transactions to look for, and in which slots. */
export interface SignatureSearch {
  /** A withdraw authority. */
  authority: string;
  /** Slots after this one. */
  after: number;
  /** Up to this one, included; null: up to where each witness is. */
  upTo: number | null;
  /** With more of them the authority is busy, and not searched. */
  transactionsMax: number;
}

/** What an endpoint lists of one search. */
export type SignatureList =
  | {
      state: "ok";
      /** It is complete up to this slot. */
      upTo: number;
      /** Of transactions that did not fail, newest first, each once. */
      signatures: string[];
    }
  | { state: "busy"; rows: number };

/** Most authorities sign a few times an epoch: such a list is enough for them, and costs little. */
const SHORT_ROWS = 25;
/** The most that a node gives (`MAX_GET_CONFIRMED_SIGNATURES_FOR_ADDRESS2_LIMIT` of Agave). */
const PAGE_ROWS = 1_000;
const PAGES_MAX = 5;

const SIGNATURE_BYTES = 64;

const rowSchema = z.object({
  signature: z.string().refine(isSignature, "not a Base58 signature of 64 bytes"),
  slot: countSchema,
  /** null: it did not fail. */
  err: z.unknown(),
});

type Row = z.infer<typeof rowSchema>;

/**
 * getSignaturesForAddress, down to the search's slot. No other node behind the same address may answer that has not reached
 * the endpoint's slot: its list would end early, and look complete.
 * @throws {RpcError} `behind` when the endpoint has not reached the slots of the search; `shape` for rows out of order
 */
export async function listSignatures(
  endpoint: PacedEndpoint,
  search: SignatureSearch,
  deadline: number,
): Promise<SignatureList> {
  const upTo = Math.min(endpoint.slot, search.upTo ?? endpoint.slot);
  if (upTo <= search.after) throw notThereYet(endpoint, search.after);
  const ask = (limit: number, before?: string) => readPage(endpoint, { search, limit, before, deadline });
  const short = createTally(endpoint, { search, upTo });
  short.add(await ask(SHORT_ROWS), SHORT_ROWS);
  if (short.isEnough()) return short.list();
  // From the top again: a node behind the same address that does not know the last row would go on with nothing.
  const long = createTally(endpoint, { search, upTo });
  for (let page = 0; page < PAGES_MAX && !long.isEnough(); page++) {
    const last = long.last();
    const rows = await ask(PAGE_ROWS, last?.signature);
    if (last !== null && rows.length === 0)
      throw unfit(endpoint, `nothing after ${last.signature}, a full page's last`);
    long.add(rows, PAGE_ROWS);
  }
  return long.list();
}

/** What of a list has been seen so far. */
function createTally(
  endpoint: PacedEndpoint,
  { search: { after, transactionsMax }, upTo }: { search: SignatureSearch; upTo: number },
) {
  const signatures: string[] = [];
  const seen = new Set<string>();
  let last: Row | null = null;
  let isComplete = false;
  const isBusy = () => signatures.length > transactionsMax;
  return {
    /** @throws {RpcError} `shape` */
    add(rows: readonly Row[], limit: number): void {
      for (const row of rows) {
        if (last !== null && row.slot > last.slot) throw unfit(endpoint, `slot ${row.slot} after slot ${last.slot}`);
        if (seen.has(row.signature)) throw unfit(endpoint, `signature ${row.signature} twice`);
        seen.add(row.signature);
        last = row;
        if (row.slot > after && row.slot <= upTo && (row.err ?? null) === null) signatures.push(row.signature);
      }
      isComplete = rows.length < limit || (last !== null && last.slot <= after);
    },
    last: (): Row | null => last,
    isEnough: () => isComplete || isBusy(),
    list: (): SignatureList =>
      isComplete && !isBusy() ? { state: "ok", upTo, signatures } : { state: "busy", rows: seen.size },
  };
}

function readPage(
  endpoint: PacedEndpoint,
  page: { search: SignatureSearch; limit: number; before: string | undefined; deadline: number },
): Promise<Row[]> {
  const { search, limit, before, deadline } = page;
  const options = { limit, commitment: COMMITMENT, minContextSlot: endpoint.slot };
  return endpoint.call({
    method: "getSignaturesForAddress",
    params: [search.authority, before === undefined ? options : { ...options, before }],
    schema: z.array(z.unknown()).max(limit).pipe(z.array(rowSchema)),
    deadline,
  });
}

/** Whether a text is one. The length is looked at first: decoding Base58 takes quadratic time, and the text is a stranger's. */
function isSignature(text: string): boolean {
  if (text.length < SIGNATURE_BYTES || text.length > 88) return false;
  try {
    return base58.decode(text).length === SIGNATURE_BYTES;
  } catch {
    return false;
  }
}

function notThereYet({ label, slot }: PacedEndpoint, after: number): RpcError {
  return new RpcError({ kind: "behind", message: `${label}: at slot ${slot}, and asked for slots after ${after}` });
}

function unfit({ label }: PacedEndpoint, what: string): RpcError {
  return new RpcError({ kind: "shape", message: `${label} getSignaturesForAddress: it lists ${what}` });
}
