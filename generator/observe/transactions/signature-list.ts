import { base58 } from "@scure/base";
import { z } from "zod";
import { countSchema } from "../../contract/values.ts";
import { COMMITMENT } from "../epoch.ts";
import { RpcError } from "../transport/rpc-error.ts";
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

/** Most authorities sign a few times an epoch: the first page is enough for them, and costs little. */
const FIRST_PAGE_ROWS = 25;
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
 * getSignaturesForAddress, page by page, down to the search's slot. No other node behind the same address may answer that
 * has not reached the endpoint's slot: its list would end early, and look complete.
 * @throws {RpcError} `behind` when the endpoint has not reached the slots of the search; `shape` for rows out of order
 */
export async function listSignatures(
  endpoint: PacedEndpoint,
  search: SignatureSearch,
  deadline: number,
): Promise<SignatureList> {
  const { after, transactionsMax } = search;
  const upTo = Math.min(endpoint.slot, search.upTo ?? endpoint.slot);
  if (upTo <= after) throw notThereYet(endpoint, after);
  const signatures: string[] = [];
  const seen = new Set<string>();
  let last: Row | null = null;
  for (let number = 0; number < PAGES_MAX; number++) {
    const limit = number === 0 ? FIRST_PAGE_ROWS : PAGE_ROWS;
    const page = await readPage(endpoint, { search, limit, before: last, deadline });
    for (const row of page) {
      if (last !== null && row.slot > last.slot) throw unfit(endpoint, `slot ${row.slot} after slot ${last.slot}`);
      if (seen.has(row.signature)) throw unfit(endpoint, `signature ${row.signature} twice`);
      seen.add(row.signature);
      last = row;
      if (row.slot > after && row.slot <= upTo && (row.err ?? null) === null) signatures.push(row.signature);
    }
    if (signatures.length > transactionsMax) break;
    if (page.length < limit || (last !== null && last.slot <= after)) return { state: "ok", upTo, signatures };
  }
  return { state: "busy", rows: seen.size };
}

function readPage(
  endpoint: PacedEndpoint,
  page: { search: SignatureSearch; limit: number; before: Row | null; deadline: number },
): Promise<Row[]> {
  const { search, limit, before, deadline } = page;
  const options = { limit, commitment: COMMITMENT, minContextSlot: endpoint.slot };
  return endpoint.call({
    method: "getSignaturesForAddress",
    params: [search.authority, before === null ? options : { ...options, before: before.signature }],
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
