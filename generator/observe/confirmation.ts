import type { Network } from "../contract/networks.ts";
import {
  ENTRY_FORMAT,
  type AccountRow,
  type AccountsAnswer,
  type ListRow,
  type ConfirmEntry,
  confirmEntrySchema,
} from "../entries/entry.ts";
import type { Dating } from "../rpc/clock.ts";
import type { Witness, UsableEndpoint } from "../rpc/ranking.ts";
import { assertNotBehind, readVoteList } from "./session.ts";
import { readAccounts, decodeVoteAccount, VOTE_ACCOUNT_SLICE_BYTES } from "./accounts.ts";
import { withFailover } from "../rpc/retry.ts";
import { toRawText } from "./section.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { RpcError } from "../rpc/error.ts";

export interface ConfirmRequest {
  votes: string[];
}

interface ConfirmSession {
  network: Network;
  witnesses: Witness[];
  dating: Dating;
  /** By the readers' clock. */
  deadline: number;
}

/**
 * Asks every witness for its own list and the vote accounts, each by itself: one that cannot be read leaves the others.
 * @throws {RpcError} when no witness answers
 */
export async function takeConfirmation(session: ConfirmSession, request: ConfirmRequest): Promise<ConfirmEntry> {
  const { network, witnesses, dating, deadline } = session;
  const { votes } = request;
  const isRates = votes.length > 0;
  const [lists, accounts] = await Promise.all([
    isRates ? askWitnesses(witnesses, deadline, (reader, endpoint) => readListRows(reader, endpoint, votes)) : null,
    isRates ? askWitnesses(witnesses, deadline, (reader, endpoint) => readVoteRows(reader, endpoint, votes)) : null,
  ]);
  const parts = [lists, accounts].filter((part) => part !== null);
  if (parts.length > 0) assertAnswered(parts.flat());
  const answers = witnesses.map(({ label }, index) => ({
    endpoint: label,
    list: lists?.[index] ?? null,
    accounts: accounts?.[index] ?? null,
  }));
  const time = new Date(dating.startedAt).toISOString();
  // An answer names its witness once, its parts do not.
  return confirmEntrySchema.parse({ kind: "confirm", format: ENTRY_FORMAT, network, time, votes, answers });
}

/** The rates of a witness's own list, in the order asked for. */
async function readListRows(reader: RpcReader, endpoint: UsableEndpoint, votes: readonly string[]) {
  const { slot, rows } = await readVoteList(reader);
  assertNotBehind(endpoint, slot, "getVoteAccounts");
  const listed = new Map(
    rows.map(({ vote, basisPoints, percent }): [string, ListRow] => [vote, [basisPoints, percent]]),
  );
  return { slot, rows: votes.map((vote) => listed.get(vote) ?? null) };
}

type FailedAnswer = Extract<AccountsAnswer, { state: "failed" }>;

/** One witness's answer. */
type Asked<T> = ({ state: "ok"; endpoint: string } & T) | FailedAnswer;

/**
 * One answer per witness, in their order.
 * @param deadline by the readers' clock, for all calls together
 */
export function askWitnesses<T extends { slot: number }>(
  witnesses: readonly Witness[],
  deadline: number,
  ask: (reader: RpcReader, endpoint: UsableEndpoint) => Promise<T>,
): Promise<Asked<T>[]> {
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
  const { accounts, slot } = await readAccounts(reader, { keys: [...votes], bytes: VOTE_ACCOUNT_SLICE_BYTES });
  if (slot !== null) assertNotBehind(endpoint, slot, "getMultipleAccounts");
  const rows = accounts.map((account): AccountRow => {
    const { exists, basisPoints, percent, withdrawAuthority, blockRevenueBasisPoints } = decodeVoteAccount(account);
    return exists ? [basisPoints, percent, withdrawAuthority, blockRevenueBasisPoints] : null;
  });
  return { slot: slot ?? endpoint.epoch.absoluteSlot, rows };
}
