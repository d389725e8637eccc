import { z } from "zod";
import type { SnapshotRow } from "../entries/entry.ts";
import { COMMITMENT } from "../rpc/epoch.ts";
import { U64_MAX } from "../rpc/json.ts";
import type { RpcReader } from "../rpc/rpc.ts";
import { RpcError } from "../rpc/error.ts";
import { parseVoteRow, type VoteRow } from "./vote-row.ts";

/** What one getVoteAccounts answer says. */
export interface VoteAccounts {
  /** By vote account. */
  rows: SnapshotRow[];
  /** Largest lastVote: the only slot the answer carries. */
  slot: number;
  /** Rows of another shape, which are not among `rows`, and what does not fit in the first of them. */
  unreadable: { count: number; example: string };
}

const CREDITS_MAX = 64;
const EXAMPLE_LENGTH_MAX = 200;

/** Rows are read one by one: a field of another type in one of them must not blind us for all others. */
const answerSchema = z.object({ current: z.array(z.unknown()), delinquent: z.array(z.unknown()) });

/**
 * getVoteAccounts of one endpoint, the distance for «delinquent» left at the cluster's own. An account whose row is left out
 * is not gone: only its own account could tell that.
 * @param votePubkey only this account
 * @param withUnstaked also the delinquent accounts without stake, which the node leaves out otherwise
 * @throws {RpcError} also `shape` when an account is listed twice
 */
export async function readVoteAccounts(
  reader: RpcReader,
  { votePubkey, withUnstaked = false }: { votePubkey?: string; withUnstaked?: boolean } = {},
): Promise<VoteAccounts> {
  const options = {
    commitment: COMMITMENT,
    ...(votePubkey && { votePubkey }),
    ...(withUnstaked && { keepUnstakedDelinquents: true }),
  };
  const answer = await reader.call({ method: "getVoteAccounts", params: [options], schema: answerSchema });
  const [current, delinquent] = [parseRows(answer.current), parseRows(answer.delinquent)];
  const rows = [
    ...current.read.map((row) => toSnapshotRow(row, false)),
    ...delinquent.read.map((row) => toSnapshotRow(row, true)),
  ].sort((a, b) => (a.vote < b.vote ? -1 : 1));
  refuseDuplicates(reader, rows);
  return {
    rows,
    slot: [...current.read, ...delinquent.read].reduce((largest, { lastVote }) => Math.max(largest, lastVote), 0),
    unreadable: {
      count: current.unreadable + delinquent.unreadable,
      example: describe(current.misfit ?? delinquent.misfit),
    },
  };
}

/** Of the rows that cannot be read only the first misfit is kept: there may be any number of them. */
function parseRows(raw: unknown[]): { read: VoteRow[]; unreadable: number; misfit: z.ZodError | null } {
  const read: VoteRow[] = [];
  let misfit: z.ZodError | null = null;
  for (const one of raw) {
    const row = parseVoteRow(one);
    if (row.success) read.push(row.data);
    else misfit ??= row.error;
  }
  return { read, unreadable: raw.length - read.length, misfit };
}

function describe(misfit: z.ZodError | null): string {
  return misfit === null ? "" : z.prettifyError(misfit).replaceAll(/\s+/g, " ").slice(0, EXAMPLE_LENGTH_MAX);
}

function toSnapshotRow(row: VoteRow, delinquent: boolean): SnapshotRow {
  return {
    vote: row.votePubkey,
    basisPoints: row.inflationRewardsCommissionBps ?? null,
    percent: row.commission ?? null,
    delinquent,
    activeStake: row.activatedStake,
    identity: row.nodePubkey,
    inValidatorSet: row.epochVoteAccount,
    credits: row.epochCredits.slice(-CREDITS_MAX).map(toCreditsRow),
  };
}

/** Alpenglow's migration puts one tuple of largest numbers between credits counted in votes and in lamports. */
function toCreditsRow(tuple: VoteRow["epochCredits"][number]): SnapshotRow["credits"][number] {
  const [epoch, credits, previousCredits] = tuple;
  return epoch === U64_MAX ? null : [Number(epoch), credits, previousCredits];
}

function refuseDuplicates(reader: RpcReader, rows: SnapshotRow[]): void {
  const twice = rows.find((row, index) => row.vote === rows[index + 1]?.vote);
  if (twice === undefined) return;
  throw new RpcError({ kind: "shape", message: `${reader.label} getVoteAccounts: ${twice.vote} is listed twice` });
}
