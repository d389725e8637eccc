import type { Network } from "../contract/networks.ts";
import { ENTRY_FORMAT, type PanelConfirmEntry, type AccountRow, type AccountsAnswer } from "../entries/entry.ts";
import type { Dating } from "../rpc/clock.ts";
import type { Witness, UsableEndpoint } from "../rpc/ranking.ts";
import { hasTipProgram, readTipShares } from "./mev/distribution-accounts.ts";
import { assertNotBehind } from "./session.ts";
import { readAccounts, decodeVoteAccount, VOTE_ACCOUNT_SLICE_BYTES } from "./accounts.ts";
import { withFailover } from "../rpc/retry.ts";
import { toRawText } from "./section.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { RpcError } from "../rpc/error.ts";

export interface ConfirmRequest {
  votes: string[];
  /** Vote accounts and epochs whose tip accounts to read. */
  tips: { vote: string; epoch: number }[];
}

/** What a second reading needs of an observation. */
interface ConfirmSession {
  network: Network;
  witnesses: Witness[];
  dating: Dating;
  /** As the readers' own. */
  deadline: number;
}

/**
 * The second reading: the accounts by every witness, at the lowest slot of its calls.
 * @throws {RpcError} when none of the witnesses answers
 */
export async function takeConfirmation(session: ConfirmSession, request: ConfirmRequest): Promise<PanelConfirmEntry> {
  const { network, witnesses, dating, deadline } = session;
  // Where the network has no tip-distribution program nothing is read, and nothing said.
  const tips = hasTipProgram(network) ? request.tips : [];
  const answers = await askWitnesses(witnesses, deadline, async (reader, endpoint) => {
    const votes = await readVoteRows(reader, endpoint, request.votes);
    const { slot, shares } = await readTipShares(reader, network, tips);
    if (slot !== null) assertNotBehind(endpoint, slot, "getMultipleAccounts");
    return { slot: Math.min(votes.slot, slot ?? votes.slot), rows: votes.rows, shares };
  });
  assertAnswered(answers);
  const time = new Date(dating.startedAt).toISOString();
  return { kind: "confirm", format: ENTRY_FORMAT, network, time, votes: request.votes, tips, answers };
}

/** Why a witness has no answer. */
type FailedAnswer = Extract<AccountsAnswer, { state: "failed" }>;

/** What of a witness's answer there is besides who gave it. */
interface Told {
  slot: number;
}

/**
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
 * In the order asked for, at the lowest slot of the answers.
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
