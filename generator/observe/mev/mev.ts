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

export type MevRow = Extract<SnapshotEntry["mev"], { state: "ok" }>["value"]["rows"][number];

/** What the vendor answered. */
export interface MevList {
  rows: MevRow[];
  /** By vote account what differs between two records of it: stake and rewards. Never kept. */
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
/** More unreadable rows than this share: it is the answer that is broken, not a row. */
const UNREADABLE_MAX_PERCENT = 5;
/** From this share of equal records on, two lists are the same one. */
const SAME_LIST_PERCENT = 50;

/**
 * A dropped row would look like a validator that switched MEV off. What else a row says may be odd, and is then not
 * known.
 */
const answerSchema = z.object({ validators: z.array(z.looseObject({ vote_account: publicKeySchema })) });

const recordSchema = z.object({
  mev_commission_bps: z.int().min(0).max(65_535).nullish(),
  priority_fee_commission_bps: z.int().min(0).max(65_535).nullish().catch(null),
  running_jito: z.boolean().optional(),
  running_bam: z.boolean().nullish().catch(null),
});

type AnsweredRow = z.output<typeof answerSchema>["validators"][number];

/**
 * A row may be a record of the epoch or, where there is none, of the one before: the list does not tell.
 * @param epoch closed epoch to ask for; null: the latest list
 * @param deadline reading of the options' `now`, in milliseconds
 * @throws {RpcError} also `body` for an empty list: that is how the vendor's failures look
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
 * Makes sure that the list of a closed epoch is not the latest one: the request's body may have been dropped on the
 * way. Records of another epoch have other stakes and rewards; while most of the latest are still of the closed epoch,
 * nobody can tell.
 * @throws {RpcError} `body`
 */
export function assertNotLatest(closed: MevList, latest: MevList): void {
  const shared = [...closed.marks].filter(([vote]) => latest.marks.has(vote));
  const same = shared.filter(([vote, mark]) => latest.marks.get(vote) === mark);
  if (same.length * 100 < shared.length * SAME_LIST_PERCENT) return;
  throw new RpcError({ kind: "body", message: "the list of the closed epoch cannot be told from the latest one" });
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
    // Of two rows that disagree none is believed: which comes first is chance.
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

/** Amounts as text; what is none, and may be no text either, marks nothing. */
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
