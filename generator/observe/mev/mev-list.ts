import { z } from "zod";
import { publicKeySchema } from "../../chain/public-key.ts";
import type { SnapshotEntry } from "../../entries/entry.ts";
import { parseShape } from "../../rpc/answer.ts";
import { RpcError } from "../../rpc/error.ts";
import { askVendor, type MevOptions } from "./vendor-api.ts";

type MevRow = Extract<SnapshotEntry["mev"], { state: "ok" }>["value"]["rows"][number];

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
export function readMev(
  options: MevOptions,
  { deadline }: { deadline: number },
): Promise<MevRow[]> {
  return askVendor(options, {
    path: "validators",
    what: "MEV list",
    attempts: ATTEMPTS,
    bytesMax: ANSWER_BYTES_MAX,
    deadline,
    parse: (answer) => toRows(parseShape(answerSchema, answer, "MEV list").validators),
  });
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
