import type { CheckEntry, CheckRow } from "../entries/entry.ts";
import { assertSameEpoch, readVotes, toReadingHeader, type Session } from "./reading.ts";

/**
 * The light observation of each minute.
 * @param expected vote accounts whose rows are wanted though they are dead
 * @throws {RpcError}
 */
export async function takeCheck(session: Session, expected: ReadonlySet<string>): Promise<CheckEntry> {
  const votes = await readVotes(session, expected);
  await assertSameEpoch(session, votes.slot);
  return { kind: "check", ...toReadingHeader(session, votes), votes: votes.rows.map(toCheckRow) };
}

function toCheckRow({ vote, basisPoints, percent, delinquent, activeStake }: CheckRow): CheckRow {
  return { vote, basisPoints, percent, delinquent, activeStake };
}
