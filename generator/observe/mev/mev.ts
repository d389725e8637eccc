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

/** The vendor's list. */
export interface MevList {
  rows: MevRow[];
  /** Stake and rewards by vote account, to tell two lists apart; not journaled. */
  marks: ReadonlyMap<string, string>;
}

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
/** From this share of equal records on, two lists are the same. */
const SAME_LIST_PERCENT = 50;

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
 * A row may be of the epoch or the one before; the list does not say which.
 * @param epoch closed epoch; null: the latest list
 * @param deadline by the options' `now`, in milliseconds
 * @throws {RpcError} also `body` for an empty list, which is how the vendor fails
 */
export async function readMev(
  options: MevOptions,
  { epoch, deadline }: { epoch: number | null; deadline: number },
): Promise<MevList> {
  const { url, now, sleep, random } = options;
  try {
    return await retry({ attempts: ATTEMPTS, deadline, now, sleep, random }, () => ask(options, epoch, deadline));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw toReworded(error, url.redact(`${url.origin} MEV list: ${error.message}`));
  }
}

/**
 * A proxy may drop the request's body, and the vendor then sends its latest list. Records of another epoch differ in
 * stake and rewards; while most of the latest are still of the closed epoch, nobody can tell.
 * @throws {RpcError} `body`
 */
export function assertNotLatest(closed: MevList, latest: MevList): void {
  const shared = [...closed.marks].filter(([vote]) => latest.marks.has(vote));
  const same = shared.filter(([vote, mark]) => latest.marks.get(vote) === mark);
  if (same.length * 100 < shared.length * SAME_LIST_PERCENT) return;
  throw new RpcError({ kind: "body", message: "the list for the closed epoch looks like the latest one" });
}

async function ask(options: MevOptions, epoch: number | null, deadline: number): Promise<MevList> {
  const { url, dispatcher, now, signal: stop } = options;
  const { headers } = url;
  const target = new URL(url.target);
  target.pathname = `${target.pathname.replace(/\/$/, "")}/api/v1/validators`;
  const method = epoch === null ? "GET" : "POST";
  const body = epoch === null ? null : JSON.stringify({ epoch });
  const text = await readText(
    await openBody({ target, method, headers, body, dispatcher, now, deadline, stop, maxBytes: ANSWER_BYTES_MAX }),
  );
  return toList(parseShape(answerSchema, parseBody(text), "MEV list").validators);
}

function toList(validators: AnsweredRow[]): MevList {
  const rows = new Map<string, MevRow>();
  const marks = new Map<string, string>();
  const unreadable = new Set<string>();
  for (const answered of validators) {
    if (answered["running_jito"] === false) continue;
    const vote = answered.vote_account;
    const row = toRow(answered);
    const other = rows.get(vote);
    // Of two rows that disagree neither is believed: their order is chance.
    if (row === null || (other !== undefined && other.mevBasisPoints !== row.mevBasisPoints)) unreadable.add(vote);
    rows.set(vote, row === null || unreadable.has(vote) ? unknownRow(vote) : row);
    marks.set(vote, `${toMark(answered["active_stake"])} ${toMark(answered["mev_rewards"])}`);
  }
  if (rows.size === 0) throw new RpcError({ kind: "body", message: "the list is empty" });
  if (unreadable.size * 100 > rows.size * UNREADABLE_MAX_PERCENT) {
    const message = `MEV list: unexpected shape of ${unreadable.size} among ${rows.size} rows`;
    throw new RpcError({ kind: "shape", message });
  }
  return { rows: [...rows.values()].sort((a, b) => (a.vote < b.vote ? -1 : 1)), marks };
}

function toMark(amount: unknown): string {
  return typeof amount === "number" || typeof amount === "bigint" ? String(amount) : "";
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
