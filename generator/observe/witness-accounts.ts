import type { AccountRow, AccountsAnswer } from "../entries/entry.ts";
import { readAccounts } from "./accounts.ts";
import type { UsableEndpoint, Witness } from "../rpc/ranking.ts";
import { withFailover } from "../rpc/failover.ts";
import { toRawText } from "./raw-text.ts";
import { assertNotBehind } from "./reading.ts";
import type { RpcReader } from "../rpc/rpc.ts";
import { RpcError } from "../rpc/error.ts";
import { decodeVoteAccount, VOTE_ACCOUNT_SLICE_BYTES } from "./vote-account.ts";

/** Why a witness has no answer. */
export type FailedAnswer = Extract<AccountsAnswer, { state: "failed" }>;

/** What of a witness's answer there is besides who gave it. */
interface Told {
  slot: number;
}

/**
 * Asks every witness the same at once, each at the first of its endpoints that answers.
 * @param deadline as the readers' own, for all of it
 * @returns one answer for each witness, in their order
 */
export function askWitnesses<T extends Told>(
  witnesses: readonly Witness[],
  deadline: number,
  ask: (reader: RpcReader, endpoint: UsableEndpoint) => Promise<T>,
): Promise<(({ state: "ok"; endpoint: string } & T) | FailedAnswer)[]> {
  return Promise.all(
    witnesses.map(async ({ label, endpoints, reason }) => {
      if (reason !== null) return { state: "failed" as const, endpoint: label, reason: toRawText(reason) };
      try {
        return await withFailover(endpoints, async (endpoint, left) => {
          const reader = endpoint.until(deadline).within(1 / left);
          return { state: "ok" as const, endpoint: endpoint.reader.label, ...(await ask(reader, endpoint)) };
        });
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        return { state: "failed" as const, endpoint: label, reason: toRawText(error.message) };
      }
    }),
  );
}

/** @throws {RpcError} with what each witness said, when none of them answered */
export function assertAnswered(answers: readonly ({ state: "ok" } | FailedAnswer)[]): void {
  if (answers.some(({ state }) => state === "ok")) return;
  const reasons = answers.flatMap((answer) => (answer.state === "failed" ? [answer.reason] : []));
  throw new RpcError({ kind: "network", message: reasons.join("; ") });
}

/**
 * Vote accounts as an endpoint holds them, in the order asked for, at the lowest slot of its answers.
 * @throws {RpcError}
 */
export async function readVoteRows(
  reader: RpcReader,
  endpoint: UsableEndpoint,
  votes: readonly string[],
): Promise<{ slot: number; rows: AccountRow[] }> {
  const { accounts, slot } = await readAccounts(reader, { keys: [...votes], bytes: VOTE_ACCOUNT_SLICE_BYTES });
  if (slot !== null) assertNotBehind(endpoint, slot, "getMultipleAccounts");
  const rows = accounts.map((account): AccountRow => {
    const { exists, basisPoints, percent, withdrawAuthority } = decodeVoteAccount(account);
    return exists ? [basisPoints, percent, withdrawAuthority] : null;
  });
  return { slot: slot ?? endpoint.epoch.absoluteSlot, rows };
}
