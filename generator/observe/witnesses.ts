import type { AccountRow, AccountsAnswer } from "../entries/entry.ts";
import { RpcError } from "../rpc/error.ts";
import type { Grace, WithGrace } from "../rpc/grace.ts";
import type { UsableEndpoint, Witness } from "../rpc/ranking.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { withFailover } from "../rpc/retry.ts";
import { decodeVoteAccount, readAccounts, VOTE_ACCOUNT_SLICE_BYTES } from "./accounts.ts";
import { toRawText } from "./section.ts";
import { assertNotBehind } from "./session.ts";

type FailedAnswer = Extract<AccountsAnswer, { state: "failed" }>;

/** Who is asked, and how long each may take. */
export interface Panel {
  witnesses: readonly Witness[];
  /** By the readers' clock, for all calls together. */
  deadline: number;
  withGrace: WithGrace;
}

/** One witness's answer. */
type Asked<T> = ({ state: "ok"; endpoint: string } & T) | FailedAnswer;

/** One answer per witness, in their order, as an entry keeps it. */
export async function askWitnesses<T extends { slot: number }>(
  panel: Panel,
  ask: (reader: RpcReader, endpoint: UsableEndpoint) => Promise<T>,
): Promise<Asked<T>[]> {
  const answers = await askEachWitness(panel, ask);
  return answers.map((one) => {
    if ("answer" in one) return { state: "ok", endpoint: one.endpoint.reader.label, ...one.answer };
    return { state: "failed", endpoint: one.witness.label, reason: toRawText(one.failure.message) };
  });
}

type FromWitness<T> =
  | { witness: Witness; endpoint: UsableEndpoint; answer: T }
  | { witness: Witness; failure: RpcError };

/**
 * All at the same time, each by itself: one that cannot be read leaves the others, and one that
 * hangs keeps them no longer than its grace. In their order.
 */
export function askEachWitness<T>(
  { witnesses, deadline, withGrace }: Panel,
  ask: (reader: RpcReader, endpoint: UsableEndpoint) => Promise<T>,
): Promise<FromWitness<T>[]> {
  const askOne = async (witness: Witness, grace: Grace): Promise<FromWitness<T>> => {
    const { endpoints, reason } = witness;
    if (reason !== null)
      return { witness, failure: new RpcError({ kind: "network", message: reason }) };
    try {
      return await withFailover(endpoints, async (endpoint, left) => {
        const reader = endpoint.until(deadline, grace.cut).within(1 / left);
        const answer = await ask(reader, endpoint);
        grace.answered(witness.label);
        return { witness, endpoint, answer };
      });
    } catch (failure) {
      if (failure instanceof RpcError) return { witness, failure };
      throw failure;
    }
  };
  const labels = witnesses.map(({ label }) => label);
  return withGrace(labels, (grace) => Promise.all(witnesses.map((one) => askOne(one, grace))));
}

/** @throws {RpcError} with every witness's reason, when none answered */
export function assertAnswered(answers: readonly ({ state: "ok" } | FailedAnswer)[]): void {
  if (answers.some(({ state }) => state === "ok")) return;
  const reasons = answers.flatMap((answer) => (answer.state === "failed" ? [answer.reason] : []));
  throw new RpcError({ kind: "network", message: reasons.join("; ") });
}

/** In the order asked for; `slot` is the lowest of the answers. */
export async function readVoteRows(
  reader: RpcReader,
  endpoint: UsableEndpoint,
  votes: readonly string[],
): Promise<{ slot: number; rows: AccountRow[] }> {
  const { accounts, slot } = await readAccounts(reader, {
    keys: [...votes],
    bytes: VOTE_ACCOUNT_SLICE_BYTES,
  });
  if (slot !== null) assertNotBehind(endpoint, slot, "getMultipleAccounts");
  const rows = accounts.map((account): AccountRow => {
    const { exists, basisPoints, percent, withdrawAuthority, blockRevenueBasisPoints } =
      decodeVoteAccount(account);
    return exists ? [basisPoints, percent, withdrawAuthority, blockRevenueBasisPoints] : null;
  });
  return { slot: slot ?? endpoint.epoch.absoluteSlot, rows };
}
