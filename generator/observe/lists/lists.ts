import { RpcError } from "../../rpc/error.ts";
import type { UsableEndpoint, Witness } from "../../rpc/ranking.ts";
import type { RpcReader } from "../../rpc/reader.ts";
import { assertNotBehind, type Session } from "../session.ts";
import { readVoteAccounts, type VoteAccounts } from "../vote-accounts.ts";
import { askEachWitness } from "../witnesses.ts";
import { chooseBase, type GivenList } from "./base.ts";
import { isCounted } from "./comparison.ts";

type ListAnswer = GivenList | { witness: Witness; failure: RpcError };

/**
 * Lists of all witnesses, in their order, of which
 * one is the base that the others are compared with.
 */
export interface Lists<T> {
  all: readonly ListAnswer[];
  base: GivenList;
  /** What the examination of the base gave. */
  examined: T;
}

/**
 * Asks every witness for its list at the same time. A base that fails
 * its examination is a failed list, and another one becomes the base.
 * @param expected vote accounts whose rows count even if dead
 * @param examine may use `reader` for its calls
 * @throws {RpcError} with every witness's reason, when
 * none is left; `behind` when that passes by itself
 */
export async function askForLists<T>(
  session: Session,
  expected: ReadonlySet<string>,
  examine: (base: GivenList, reader: RpcReader) => Promise<T>,
): Promise<Lists<T>> {
  const panel = { ...session, deadline: session.witnessDeadline() };
  const answers = await askEachWitness(panel, (reader, endpoint) =>
    readList(reader, endpoint, expected),
  );
  const all = answers.map((one): ListAnswer => {
    return "failure" in one
      ? one
      : { witness: one.witness, endpoint: one.endpoint, votes: one.answer };
  });
  return examineBase(session, all, examine);
}

/**
 * @throws {RpcError} `shape` without accounts, `behind` for a list older than the endpoint's slot
 */
async function readList(
  reader: RpcReader,
  endpoint: UsableEndpoint,
  expected: ReadonlySet<string>,
): Promise<VoteAccounts> {
  const votes = await readVoteList(reader);
  if (!votes.rows.some((row) => isCounted(row, expected))) {
    const { count, example } = votes.unreadable;
    const reason =
      count === 0 ? "no vote account in the list" : `none of ${count} rows is readable: ${example}`;
    throw new RpcError({ kind: "shape", message: `${reader.label} getVoteAccounts: ${reason}` });
  }
  assertNotBehind(endpoint, votes.slot, "getVoteAccounts");
  return votes;
}

/**
 * Nodes hide delinquents without stake unless asked for them. With dead
 * accounts, if they can be read: anybody can make accounts without stake.
 */
async function readVoteList(reader: RpcReader): Promise<VoteAccounts> {
  try {
    return await readVoteAccounts(reader, { withUnstaked: true });
  } catch (error) {
    if (!(error instanceof RpcError) || error.kind !== "oversized") throw error;
    return await readVoteAccounts(reader);
  }
}

async function examineBase<T>(
  session: Session,
  all: readonly ListAnswer[],
  examine: (base: GivenList, reader: RpcReader) => Promise<T>,
): Promise<Lists<T>> {
  const given = all.filter((one) => "votes" in one);
  const base = chooseBase(given, session.clusterSlot);
  if (base === null) throw toFailure(all);
  try {
    return {
      all,
      base,
      examined: await examine(base, base.endpoint.reader.within(1 / given.length)),
    };
  } catch (failure) {
    if (!(failure instanceof RpcError)) throw failure;
    const { witness } = base;
    const left = all.map((one) => (one === base ? { witness, failure } : one));
    return examineBase(session, left, examine);
  }
}

function toFailure(all: readonly ListAnswer[]): RpcError {
  const failures = all.flatMap((one) => ("failure" in one ? [one.failure] : []));
  const kind = failures.find((one) => one.kind === "behind")?.kind ?? "network";
  return new RpcError({ kind, message: failures.map(({ message }) => message).join("; ") });
}
