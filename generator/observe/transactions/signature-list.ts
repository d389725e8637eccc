import { z } from "zod";
import { isSignature } from "../../chain/transaction.ts";
import { countSchema } from "../../contract/values.ts";
import { COMMITMENT } from "../../rpc/epoch.ts";
import { RpcError } from "../../rpc/error.ts";
import type { PacedEndpoint, Until } from "./paced-witness.ts";

/** A search of an authority's transactions in a span of slots. */
export interface SignatureSearch {
  authority: string;
  /** Exclusive. */
  after: number;
  /** null: up to each witness's own slot. */
  upTo: number | null;
  /** Above it the authority is busy, and not searched. */
  transactionsMax: number;
}

/** What an endpoint lists. `upTo`: last slot that the list covers; `rows`: how many it had read. */
export type SignatureList =
  | {
      state: "ok";
      upTo: number;
      /** Successful, newest first. */
      signatures: string[];
    }
  | { state: "busy"; rows: number };

const PAGES_MAX = 5;

const rowSchema = z.object({
  signature: z.string().refine(isSignature, "not a Base58 signature of 64 bytes"),
  slot: countSchema,
  err: z.unknown(),
});

type Row = z.infer<typeof rowSchema>;

/** Most authorities sign a few times an epoch. */
const SHORT_PAGE = toPage(25);
/** `MAX_GET_CONFIRMED_SIGNATURES_FOR_ADDRESS2_LIMIT` of Agave. */
const LONG_PAGE = toPage(1_000);

type Page = ReturnType<typeof toPage>;

function toPage(limit: number) {
  return { limit, schema: z.array(z.unknown()).max(limit).pipe(z.array(rowSchema)) };
}

/**
 * A lagging node behind the same address would end early and look complete.
 * @throws {RpcError} `behind` when the endpoint has
 * not reached the slots; `shape` for rows out of order
 */
export async function listSignatures(
  endpoint: PacedEndpoint,
  search: SignatureSearch,
  until: Until,
): Promise<SignatureList> {
  const upTo = Math.min(endpoint.slot, search.upTo ?? endpoint.slot);
  if (upTo <= search.after) throw notThereYet(endpoint, search.after);
  const ask = (page: Page, before?: string) => readPage(endpoint, { search, page, before, until });
  const short = createTally(endpoint, { search, upTo });
  short.add(await ask(SHORT_PAGE), SHORT_PAGE);
  if (short.isEnough()) return short.list();
  // A node that does not know the last row would answer with an empty page.
  const long = createTally(endpoint, { search, upTo });
  for (let page = 0; page < PAGES_MAX && !long.isEnough(); page++) {
    const last = long.last();
    const rows = await ask(LONG_PAGE, last?.signature);
    if (last !== null && rows.length === 0)
      throw unfit(endpoint, `nothing after ${last.signature}, a full page's last`);
    long.add(rows, LONG_PAGE);
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
    add(rows: readonly Row[], { limit }: Page): void {
      for (const row of rows) {
        if (last !== null && row.slot > last.slot)
          throw unfit(endpoint, `slot ${row.slot} after slot ${last.slot}`);
        if (seen.has(row.signature)) throw unfit(endpoint, `signature ${row.signature} twice`);
        seen.add(row.signature);
        last = row;
        if (row.slot > after && row.slot <= upTo && (row.err ?? null) === null)
          signatures.push(row.signature);
      }
      isComplete = rows.length < limit || (last !== null && last.slot <= after);
    },
    last: (): Row | null => last,
    isEnough: () => isComplete || isBusy(),
    list: (): SignatureList =>
      isComplete && !isBusy()
        ? { state: "ok", upTo, signatures }
        : { state: "busy", rows: seen.size },
  };
}

function readPage(
  endpoint: PacedEndpoint,
  asked: { search: SignatureSearch; page: Page; before: string | undefined; until: Until },
): Promise<Row[]> {
  const { search, page, before, until } = asked;
  const options = { limit: page.limit, commitment: COMMITMENT, minContextSlot: endpoint.slot };
  return endpoint.call({
    method: "getSignaturesForAddress",
    params: [search.authority, before === undefined ? options : { ...options, before }],
    schema: page.schema,
    until,
  });
}

function notThereYet({ label, slot }: PacedEndpoint, after: number): RpcError {
  return new RpcError({
    kind: "behind",
    message: `${label}: it is at slot ${slot}, but was asked for slots after ${after}`,
  });
}

function unfit({ label }: PacedEndpoint, what: string): RpcError {
  return new RpcError({
    kind: "shape",
    message: `${label} getSignaturesForAddress: the list has ${what}`,
  });
}
