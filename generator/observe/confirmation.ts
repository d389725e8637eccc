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
  tips: { vote: string; epoch: number }[];
}

interface ConfirmSession {
  network: Network;
  witnesses: Witness[];
  dating: Dating;
  /** By the readers' clock. */
  deadline: number;
}

/** @throws {RpcError} when no witness answers */
export async function takeConfirmation(session: ConfirmSession, request: ConfirmRequest): Promise<PanelConfirmEntry> {
  const { network, witnesses, dating, deadline } = session;
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

type FailedAnswer = Extract<AccountsAnswer, { state: "failed" }>;

interface Told {
  slot: number;
}

/**
 * One answer per witness, in their order.
 * @param deadline by the readers' clock, for all calls together
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
