import type { Network } from "../contract/networks.ts";
import { ENTRY_FORMAT, type ConfirmEntry } from "../ledger/entry.ts";
import { readAccounts } from "./accounts.ts";
import { readDistributionAccounts, TIP_PROGRAMS } from "./mev/distribution-accounts.ts";
import { assertNotBehind, assertSameEpoch, type Session } from "./reading.ts";
import { decodeVoteAccount, VOTE_ACCOUNT_SLICE_BYTES } from "./vote-account.ts";

export interface ConfirmRequest {
  votes: string[];
  /** Vote accounts and epochs whose tip accounts to read. */
  tips: { vote: string; epoch: number }[];
  /** Label of the endpoint of the first reading: another is preferred. */
  notFrom: string | null;
}

/**
 * The second reading: the accounts themselves, at one slot or, of many calls, at the lowest of their slots.
 * @throws {RpcError}
 */
export async function takeConfirmation(session: Session, request: ConfirmRequest): Promise<ConfirmEntry> {
  const { network, endpoint, dating } = session;
  const votes = await readAccounts(endpoint.reader, { keys: request.votes, bytes: VOTE_ACCOUNT_SLICE_BYTES });
  const tips = await readTips(session, network, request.tips);
  const slots = [votes.slot, tips.slot].filter((slot) => slot !== null);
  const slot = slots.length === 0 ? endpoint.epoch.absoluteSlot : Math.min(...slots);
  assertNotBehind(endpoint, slot, "getMultipleAccounts");
  await assertSameEpoch(session, slot);
  return {
    kind: "confirm",
    format: ENTRY_FORMAT,
    network,
    time: new Date(dating.startedAt).toISOString(),
    endpoint: endpoint.reader.label,
    slot,
    epoch: endpoint.epoch.epoch,
    accounts: request.votes.map((vote, index) => {
      const { exists, basisPoints, percent } = decodeVoteAccount(votes.accounts[index] ?? null);
      return { vote, exists, basisPoints, percent };
    }),
    tips: tips.rows,
  };
}

/** Where the network has no tip-distribution program nothing is read, and nothing said. */
async function readTips(
  { endpoint }: Session,
  network: Network,
  wanted: ConfirmRequest["tips"],
): Promise<{ rows: ConfirmEntry["tips"]; slot: number | null }> {
  const program = TIP_PROGRAMS[network];
  if (program === null) return { rows: [], slot: null };
  const { found, slot } = await readDistributionAccounts(endpoint.reader, { program, wanted });
  const rows = found.map(({ basisPoints, ...account }) => ({ ...account, mevBasisPoints: basisPoints }));
  return { rows, slot };
}
