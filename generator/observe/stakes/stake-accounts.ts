import { RAW_TEXT_MAX, type SnapshotRow } from "../../entries/entry.ts";
import { withFailover } from "../../rpc/retry.ts";
import type { RpcReader } from "../../rpc/reader.ts";
import { RpcError, toReworded } from "../../rpc/error.ts";
import { readStakesByPage, readStakesByVoter, readStakesWhole } from "./stake-answers.ts";
import { indexVoters, toStakeRows, type StakeQuestion, type StakeRow, type StakeSums } from "./stake-tally.ts";

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

/**
 * How far the stake found may lie from the stake expected. The sums take each delegation's change for whole, and so does
 * the cluster while at most 9 % of its stake asks to come or to go in an epoch (the rate of warm-up and cool-down since
 * mainnet's epoch 565): an honest scan differs by what exceeds that. An indexer that lost accounts, or counts some twice,
 * is off for good.
 */
const TOLERANCE_PERCENT = 10n;

const LAMPORTS_PER_SOL = 1_000_000_000n;

/**
 * Holds the effective stake found against what the vote accounts say is delegated to them: a closed bracket shows that an
 * answer was not cut on its way, not that the node had all accounts.
 * @param expected Σ activatedStake of the vote accounts, in lamports
 * @throws {RpcError} `shape`, with both figures
 */
function assertCompleteStake(sums: StakeSums, { expected, label }: { expected: bigint; label: string }): void {
  const found = sums.effective.reduce((sum, stake) => sum + stake, 0n);
  const difference = found > expected ? found - expected : expected - found;
  if (difference * 100n <= expected * TOLERANCE_PERCENT) return;
  const [has, should] = [found, expected].map((lamports) => lamports / LAMPORTS_PER_SOL);
  throw new RpcError({ kind: "shape", message: `${label}: found ${has} of ${should} SOL of active stake` });
}
