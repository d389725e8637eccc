import type { Dispatcher } from "undici";
import { z } from "zod";
import type { SnapshotEntry } from "../../entries/entry.ts";
import type { EndpointUrl } from "../../rpc/endpoint-address.ts";
import { openBody, readText } from "../../rpc/http.ts";
import { publicKeySchema } from "../../chain/public-key.ts";
import { retry } from "../../rpc/retry.ts";
import type { Sleep } from "../../rpc/throttle.ts";
import { parseBody, parseShape } from "../../rpc/answer.ts";
import { RpcError, toReworded } from "../../rpc/error.ts";

type MevRow = Extract<SnapshotEntry["mev"], { state: "ok" }>["value"]["rows"][number];

/**
 * How the MEV vendor's API is called. `now` is in milliseconds since 1970; aborting `signal`
 * ends the call.
 */
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
/** Above this share the answer is broken, not a row. */
const UNREADABLE_MAX_PERCENT = 5;

/** Entries keep every row; a cluster has a tenth. */
const ROWS_MAX = 10_000;

/** A dropped row would look like MEV switched off, so only the vote account must be readable. */
const rowsSchema = z.array(z.looseObject({ vote_account: publicKeySchema }));
const answerSchema = z.object({ validators: z.array(z.unknown()).max(ROWS_MAX).pipe(rowsSchema) });

const recordSchema = z.object({
  mev_commission_bps: z.int().min(0).max(65_535).nullish(),
  priority_fee_commission_bps: z.int().min(0).max(65_535).nullish().catch(null),
  running_jito: z.boolean().optional(),
  running_bam: z.boolean().nullish().catch(null),
});

type AnsweredRow = z.output<typeof answerSchema>["validators"][number];

/**
 * The latest list. A row may be of the epoch or the one before; the list does not say which.
 * @param deadline by the options' `now`, in milliseconds
 * @throws {RpcError} also `body` for an empty list, which is how the vendor fails
 */
export async function readMev(
  options: MevOptions,
  { deadline }: { deadline: number },
): Promise<MevRow[]> {
  const { url, now, sleep, random } = options;
  try {
    return await retry({ attempts: ATTEMPTS, deadline, now, sleep, random }, () =>
      ask(options, deadline),
    );
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw toReworded(error, url.redact(`${url.origin} MEV list: ${error.message}`));
  }
}

async function ask(options: MevOptions, deadline: number): Promise<MevRow[]> {
  const { url, dispatcher, now, signal: stop } = options;
  const { headers } = url;
  const target = new URL(url.target);
  target.pathname = `${target.pathname.replace(/\/$/, "")}/api/v1/validators`;
  const call = {
    target,
    method: "GET",
    headers,
    body: null,
    dispatcher,
    now,
    deadline,
    stop,
  } as const;
  const text = await readText(await openBody({ ...call, maxBytes: ANSWER_BYTES_MAX }));
  return toRows(parseShape(answerSchema, parseBody(text), "MEV list").validators);
}

function toRows(validators: AnsweredRow[]): MevRow[] {
  const rows = new Map<string, MevRow>();
  const unreadable = new Set<string>();
  for (const answered of validators) {
    if (answered["running_jito"] === false) continue;
    const vote = answered.vote_account;
    const row = toRow(answered);
    const other = rows.get(vote);
    // If two rows disagree, neither counts, because their order is arbitrary.
    if (row === null || (other !== undefined && other.mevBasisPoints !== row.mevBasisPoints))
      unreadable.add(vote);
    rows.set(vote, row === null || unreadable.has(vote) ? unknownRow(vote) : row);
  }
  if (rows.size === 0) throw new RpcError({ kind: "body", message: "the list is empty" });
  if (unreadable.size * 100 > rows.size * UNREADABLE_MAX_PERCENT) {
    const message = `MEV list: unexpected shape of ${unreadable.size} among ${rows.size} rows`;
    throw new RpcError({ kind: "shape", message });
  }
  return [...rows.values()].sort((a, b) => (a.vote < b.vote ? -1 : 1));
}

/** null: unreadable. */
function toRow(answered: AnsweredRow): MevRow | null {
  const record = recordSchema.safeParse(answered);
  if (!record.success) return null;
  return {
    vote: answered.vote_account,
    mevBasisPoints: record.data.mev_commission_bps ?? null,
    priorityFeeBasisPoints: record.data.priority_fee_commission_bps ?? null,
    runningBam: record.data.running_bam ?? null,
  };
}

function unknownRow(vote: string): MevRow {
  return { vote, mevBasisPoints: null, priorityFeeBasisPoints: null, runningBam: null };
}
