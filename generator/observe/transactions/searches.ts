import { isSignature } from "../../chain/transaction.ts";
import { countSchema } from "../../contract/values.ts";
import type { SearchAnswer } from "../../entries/entry.ts";
import { toRawText } from "../section.ts";
import { RpcError } from "../../rpc/error.ts";
import { inLanes, type PacedEndpoint, type PacedWitness } from "./paced-witness.ts";
import { COMMITMENT } from "../../rpc/epoch.ts";
import { z } from "zod";

const KEEPS_FROM = "it keeps transactions from slot";

export interface Searched {
  answer: SearchAnswer;
  /** Newest first. */
  signatures: string[];
}

type Listed = { endpoint: PacedEndpoint; list: SignatureList } | { error: RpcError };

/** @param reachDeadline of asking how far back the endpoints reach, without which no list counts */
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
  // A node may have dropped its oldest slots meanwhile.
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

/** A list cut at the first kept slot looks complete. */
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
  const from = Math.max(after, reach.firstSlot - 1);
  if (from < upTo) return { answer: { state: "ok", after: from, upTo }, signatures };
  const message = `${endpoint.label}: ${KEEPS_FROM} ${reach.firstSlot} on, but was asked for slots up to ${upTo}`;
  return { answer: toFailure(new RpcError({ kind: "shape", message })), signatures };
}

/** The node lacks those slots, and may answer well otherwise. */
export function isPruned(answer: SearchAnswer): boolean {
  return answer.state === "failed" && answer.reason.includes(KEEPS_FROM);
}

function toFailure({ kind, message }: RpcError): SearchAnswer {
  return { state: "failed", reason: toRawText(message), isRefused: kind === "refused" };
}

export interface SignatureSearch {
  authority: string;
  /** Exclusive. */
  after: number;
  /** null: up to each witness's own slot. */
  upTo: number | null;
  /** Above it the authority is busy, and not searched. */
  transactionsMax: number;
}

type SignatureList =
  | {
      state: "ok";
      upTo: number;
      /** Successful, newest first. */
      signatures: string[];
    }
  | { state: "busy"; rows: number };

/** Most authorities sign a few times an epoch. */
const SHORT_ROWS = 25;
/** `MAX_GET_CONFIRMED_SIGNATURES_FOR_ADDRESS2_LIMIT` of Agave. */
const PAGE_ROWS = 1_000;
const PAGES_MAX = 5;

const rowSchema = z.object({
  signature: z.string().refine(isSignature, "not a Base58 signature of 64 bytes"),
  slot: countSchema,
  err: z.unknown(),
});

type Row = z.infer<typeof rowSchema>;

/**
 * A lagging node behind the same address would end early and look complete.
 * @throws {RpcError} `behind` when the endpoint has not reached the slots; `shape` for rows out of order
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
  // A node that does not know the last row would answer with an empty page.
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
  return new RpcError({
    kind: "behind",
    message: `${label}: it is at slot ${slot}, but was asked for slots after ${after}`,
  });
}

function unfit({ label }: PacedEndpoint, what: string): RpcError {
  return new RpcError({ kind: "shape", message: `${label} getSignaturesForAddress: the list has ${what}` });
}
