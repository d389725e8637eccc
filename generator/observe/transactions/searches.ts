import { isSignature } from "../../chain/transaction.ts";
import { countSchema } from "../../contract/values.ts";
import type { SearchAnswer } from "../../entries/entry.ts";
import { toRawText } from "../section.ts";
import { RpcError } from "../../rpc/error.ts";
import { inLanes, type PacedEndpoint, type PacedWitness } from "./paced-witness.ts";
import { COMMITMENT } from "../../rpc/epoch.ts";
import { z } from "zod";

const KEEPS_FROM = "it keeps transactions from slot";

/** What a witness says of one search. */
export interface Searched {
  answer: SearchAnswer;
  /** Newest first; also where it cannot tell how far back its list reaches. */
  signatures: string[];
}

/** How a search went, before it is known how far back the endpoint's transactions reach. */
type Listed = { endpoint: PacedEndpoint; list: SignatureList } | { error: RpcError };

/**
 * In their order.
 * @param deadline of the lists; what was not asked by then has failed
 * @param reachDeadline of what must still be asked then, lest all of them were for nothing
 */
export async function search(
  witness: PacedWitness,
  searches: readonly SignatureSearch[],
  { deadline, reachDeadline }: { deadline: number; reachDeadline: number },
): Promise<Searched[]> {
  const found = new Array<Listed>(searches.length);
  await inLanes(searches, async (one, index) => {
    found[index] = await settle(
      witness.ask(deadline, async (endpoint) => ({ endpoint, list: await listSignatures(endpoint, one, deadline) })),
    );
  });
  // Asked when all lists are here: meanwhile a node may have dropped its oldest slots.
  const reaches = await readReaches(found, reachDeadline);
  return found.map((one, index) => toSearched(one, { after: searches[index]?.after ?? 0, reaches }));
}

async function settle<T>(task: Promise<T>): Promise<T | { error: RpcError }> {
  try {
    return await task;
  } catch (error) {
    if (error instanceof RpcError) return { error };
    throw error;
  }
}

type Reach = { firstSlot: number } | { error: RpcError };

/** A list that was cut at the first slot kept looks complete. */
async function readReaches(found: readonly Listed[], deadline: number): Promise<Map<PacedEndpoint, Reach>> {
  const endpoints = found.flatMap((one) => ("list" in one && one.list.state === "ok" ? [one.endpoint] : []));
  const reaches = [...new Set(endpoints)].map(async (endpoint): Promise<[PacedEndpoint, Reach]> => {
    const call = endpoint.call({ method: "getFirstAvailableBlock", schema: countSchema, deadline });
    return [endpoint, await settle(call.then((firstSlot) => ({ firstSlot })))];
  });
  return new Map(await Promise.all(reaches));
}

function toSearched(
  found: Listed,
  { after, reaches }: { after: number; reaches: Map<PacedEndpoint, Reach> },
): Searched {
  if ("error" in found) return { answer: toFailure(found.error), signatures: [] };
  const { endpoint, list } = found;
  if (list.state === "busy") return { answer: list, signatures: [] };
  const { upTo, signatures } = list;
  const reach = reaches.get(endpoint);
  if (reach === undefined) throw new Error(`How far back ${endpoint.label} reaches was not asked`);
  if ("error" in reach) return { answer: toFailure(reach.error), signatures };
  // The first slot it keeps is one of those that its list is complete of.
  const from = Math.max(after, reach.firstSlot - 1);
  if (from < upTo) return { answer: { state: "ok", after: from, upTo }, signatures };
  const message = `${endpoint.label}: ${KEEPS_FROM} ${reach.firstSlot} on, and was asked for slots up to ${upTo}`;
  return { answer: toFailure(new RpcError({ kind: "shape", message })), signatures };
}

/** The node keeps nothing of those slots: in all else it may answer well. */
export function isPruned(answer: SearchAnswer): boolean {
  return answer.state === "failed" && answer.reason.includes(KEEPS_FROM);
}

function toFailure({ kind, message }: RpcError): SearchAnswer {
  return { state: "failed", reason: toRawText(message), isRefused: kind === "refused" };
}

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
type SignatureList =
  | {
      state: "ok";
      /** It is complete up to this slot. */
      upTo: number;
      /** Of transactions that did not fail, newest first, each once. */
      signatures: string[];
    }
  | { state: "busy"; rows: number };

/** Enough for most authorities, which sign a few times an epoch. */
const SHORT_ROWS = 25;
/** The most that a node gives (`MAX_GET_CONFIRMED_SIGNATURES_FOR_ADDRESS2_LIMIT` of Agave). */
const PAGE_ROWS = 1_000;
const PAGES_MAX = 5;

const rowSchema = z.object({
  signature: z.string().refine(isSignature, "not a Base58 signature of 64 bytes"),
  slot: countSchema,
  /** null: it did not fail. */
  err: z.unknown(),
});

type Row = z.infer<typeof rowSchema>;

/**
 * Down to the search's slot. A node behind the same address that has not reached the endpoint's slot would end early,
 * and look complete.
 * @throws {RpcError} `behind` when the endpoint has not reached the slots of the search; `shape` for rows out of order
 */
async function listSignatures(
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
  // A node behind the same address that does not know the last row would go on with nothing.
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

function notThereYet({ label, slot }: PacedEndpoint, after: number): RpcError {
  return new RpcError({ kind: "behind", message: `${label}: at slot ${slot}, and asked for slots after ${after}` });
}

function unfit({ label }: PacedEndpoint, what: string): RpcError {
  return new RpcError({ kind: "shape", message: `${label} getSignaturesForAddress: it lists ${what}` });
}
