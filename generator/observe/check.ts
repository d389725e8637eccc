import type { CheckEntry, CheckRow } from "../ledger/entry.ts";
import { assertSameEpoch, readVotes, toReadingHeader, type Session } from "./reading.ts";

/** The light observation of each minute. @throws {RpcError} */
export async function takeCheck(session: Session): Promise<CheckEntry> {
  const votes = await readVotes(session);
  await assertSameEpoch(session, votes.slot);
  return { kind: "check", ...toReadingHeader(session, votes), votes: votes.rows.map(toCheckRow) };
}

function toCheckRow({ vote, basisPoints, percent, delinquent, activeStake }: CheckRow): CheckRow {
  return { vote, basisPoints, percent, delinquent, activeStake };
}
