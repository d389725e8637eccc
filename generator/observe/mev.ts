import type { Dispatcher } from "undici";
import { z } from "zod";
import type { SnapshotEntry } from "../ledger/entry.ts";
import type { EndpointUrl } from "./endpoint-url.ts";
import { openBody, readText } from "./http.ts";
import { publicKeySchema } from "./public-key.ts";
import { retry, type Sleep } from "./retry.ts";
import { parseBody, parseShape } from "./rpc-answer.ts";
import { RpcError, toReworded } from "./rpc-error.ts";

export type MevRow = Extract<SnapshotEntry["mev"], { state: "ok" }>["value"]["rows"][number];

export interface MevOptions {
  /** Base of the vendor's API, without `/api/v1`. */
  url: EndpointUrl;
  dispatcher: Dispatcher;
  now: () => number;
  sleep: Sleep;
  random: () => number;
  signal: AbortSignal | undefined;
}

const ANSWER_BYTES_MAX = 32_000_000;
const ATTEMPTS = 3;

/** Strict where a dropped row would look like a validator that switched MEV off. */
const answerSchema = z.object({
  validators: z.array(
    z.object({
      vote_account: publicKeySchema,
      mev_commission_bps: z.int().min(0).max(65_535).nullish(),
      priority_fee_commission_bps: z.int().min(0).max(65_535).nullish().catch(null),
      running_jito: z.boolean().optional(),
      running_bam: z.boolean().nullish().catch(null),
    }),
  ),
});

/**
 * The MEV vendor's list of the validators that run its client: the latest one, of which a row may be of this epoch or of
 * the one before, or that of a closed epoch.
 * @param epoch closed epoch to ask for; null: the latest list
 * @param deadline reading of the options' `now`, in milliseconds
 * @throws {RpcError} also `body` for an empty list: that is how the vendor's failures look, and nobody's MEV is off by it
 */
export async function readMev(
  options: MevOptions,
  { epoch, deadline }: { epoch: number | null; deadline: number },
): Promise<MevRow[]> {
  const { url, now, sleep, random } = options;
  try {
    return await retry({ attempts: ATTEMPTS, deadline, now, sleep, random }, () => ask(options, epoch, deadline));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw toReworded(error, url.redact(`${url.origin} MEV list: ${error.message}`));
  }
}

async function ask(options: MevOptions, epoch: number | null, deadline: number): Promise<MevRow[]> {
  const { url, dispatcher, now, signal: stop } = options;
  const { headers } = url;
  const target = new URL(url.target);
  target.pathname = `${target.pathname.replace(/\/$/, "")}/api/v1/validators`;
  const method = epoch === null ? "GET" : "POST";
  const body = epoch === null ? null : JSON.stringify({ epoch });
  const text = await readText(
    await openBody({ target, method, headers, body, dispatcher, now, deadline, stop, maxBytes: ANSWER_BYTES_MAX }),
  );
  const { validators } = parseShape(answerSchema, parseBody(text), "MEV list");
  const rows = new Map<string, MevRow>();
  for (const row of validators) {
    if (row.running_jito === false || rows.has(row.vote_account)) continue;
    rows.set(row.vote_account, {
      vote: row.vote_account,
      mevBasisPoints: row.mev_commission_bps ?? null,
      priorityFeeBasisPoints: row.priority_fee_commission_bps ?? null,
      runningBam: row.running_bam ?? null,
    });
  }
  if (rows.size === 0) throw new RpcError({ kind: "body", message: "the list is empty" });
  return [...rows.values()].sort((a, b) => (a.vote < b.vote ? -1 : 1));
}
