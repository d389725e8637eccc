import { RAW_TEXT_MAX, type SnapshotRow } from "../../entries/entry.ts";
import { withFailover } from "../../rpc/failover.ts";
import type { RpcReader } from "../../rpc/rpc.ts";
import { RpcError, toReworded } from "../../rpc/error.ts";
import { assertCompleteStake } from "./stake-completeness.ts";
import { readStakesByPage } from "./stake-pages.ts";
import { readStakesByVoter } from "./stake-split.ts";
import { indexVoters, toStakeRows, type StakeQuestion, type StakeRow, type StakeSums } from "./stake-sums.ts";
import { readStakesWhole } from "./stake-whole.ts";

interface Way {
  name: string;
  read: (reader: RpcReader, question: StakeQuestion) => Promise<StakeSums>;
}

/** In the order in which they burden a node, least first. */
const WAYS: readonly Way[] = [
  { name: "whole", read: readStakesWhole },
  { name: "by page", read: readStakesByPage },
  { name: "by voter", read: readStakesByVoter },
];

/** Of the time left, what one call may take: one that hangs leaves time for the next way. */
const PART_OF_A_CALL = 2 / 3;

/**
 * What is being delegated to and taken from each vote account in an epoch, summed over every stake account of the cluster.
 *
 * Many endpoints refuse the one large answer. So each way is tried on every endpoint before the next way is tried on any:
 * a preferred endpoint that refuses does not keep a lesser one from giving the best answer, one slot in one call, and the
 * many small calls are made only where nobody offers better. What an endpoint refused it is not asked again for a day.
 * @throws {RpcError} with what each way came to on each endpoint, in at most as many characters as an entry keeps
 */
export async function readStakeAccounts(
  readers: RpcReader[],
  { rows, epoch }: { rows: readonly Pick<SnapshotRow, "vote" | "activeStake">[]; epoch: number },
): Promise<StakeRow[]> {
  const votes = rows.map(({ vote }) => vote);
  const expected = rows.reduce((sum, { activeStake }) => sum + activeStake, 0n);
  const question = { voters: indexVoters(votes), epoch };
  const tries = WAYS.flatMap((way) => readers.map((reader) => ({ way, reader })));
  const messageLength = Math.floor(RAW_TEXT_MAX / tries.length) - "; ".length;

  return withFailover(tries, async ({ way, reader }) => {
    try {
      const sums = await way.read(withPatience(reader), question);
      assertCompleteStake(sums, { expected, label: reader.label });
      return toStakeRows(votes, sums);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw toReworded(error, `${way.name}: ${error.message}`.slice(0, messageLength));
    }
  });
}

function withPatience(reader: RpcReader): RpcReader {
  return { ...reader, stream: (call) => reader.within(PART_OF_A_CALL).stream(call) };
}
