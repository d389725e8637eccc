import type { Network } from "../contract/networks.ts";
import { ENTRY_FORMAT, type PanelConfirmEntry } from "../ledger/entry.ts";
import type { Dating } from "./dating.ts";
import type { Witness } from "./endpoints.ts";
import { readDistributionAccounts, TIP_PROGRAMS } from "./mev/distribution-accounts.ts";
import { assertNotBehind } from "./reading.ts";
import type { RpcReader } from "./rpc.ts";
import { RpcError } from "./transport/rpc-error.ts";
import { askWitnesses, readVoteRows } from "./witness-accounts.ts";

export interface ConfirmRequest {
  votes: string[];
  /** Vote accounts and epochs whose tip accounts to read. */
  tips: { vote: string; epoch: number }[];
}

/** What a second reading needs of an observation. */
export interface ConfirmSession {
  network: Network;
  witnesses: Witness[];
  dating: Dating;
  /** As the readers' own. */
  deadline: number;
}

/**
 * The second reading: the accounts themselves, by every witness, each at one slot or, of many calls, at the lowest of them.
 * @throws {RpcError} when none of the witnesses answers
 */
export async function takeConfirmation(session: ConfirmSession, request: ConfirmRequest): Promise<PanelConfirmEntry> {
  const { network, witnesses, dating, deadline } = session;
  const program = TIP_PROGRAMS[network];
  // Where the network has no tip-distribution program nothing is read, and nothing said.
  const tips = program === null ? [] : request.tips;
  const answers = await askWitnesses(witnesses, deadline, async (reader, endpoint) => {
    const votes = await readVoteRows(reader, endpoint, request.votes);
    const { slot, shares } = await readShares(reader, network, tips);
    if (slot !== null) assertNotBehind(endpoint, slot, "getMultipleAccounts");
    return { slot: Math.min(votes.slot, slot ?? votes.slot), rows: votes.rows, shares };
  });
  if (answers.every(({ state }) => state === "failed")) {
    const reasons = answers.flatMap((answer) => (answer.state === "failed" ? [answer.reason] : []));
    throw new RpcError({ kind: "network", message: reasons.join("; ") });
  }
  const time = new Date(dating.startedAt).toISOString();
  return { kind: "confirm", format: ENTRY_FORMAT, network, time, votes: request.votes, tips, answers };
}

async function readShares(
  reader: RpcReader,
  network: Network,
  wanted: ConfirmRequest["tips"],
): Promise<{ slot: number | null; shares: ([number | null] | null)[] }> {
  const program = TIP_PROGRAMS[network];
  if (program === null) return { slot: null, shares: [] };
  const { found, slot } = await readDistributionAccounts(reader, { program, wanted });
  return { slot, shares: found.map(({ exists, basisPoints }) => (exists ? [basisPoints] : null)) };
}
