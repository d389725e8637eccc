import type { Network } from "../contract/networks.ts";
import { ENTRY_FORMAT, type PanelConfirmEntry } from "../entries/entry.ts";
import type { Dating } from "../rpc/dating.ts";
import type { Witness } from "../rpc/ranking.ts";
import { hasTipProgram, readTipShares } from "./mev/mev-accounts.ts";
import { assertNotBehind } from "./reading.ts";
import { askWitnesses, assertAnswered, readVoteRows } from "./witness-accounts.ts";

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
