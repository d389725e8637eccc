import { RAW_TEXT_MAX, type SnapshotRow } from "../../entries/entry.ts";
import type { RewardsQuestion } from "../../entries/rewards.ts";
import { isPublicKey } from "../../chain/public-key.ts";
import { withFailover } from "../../rpc/retry.ts";
import type { RpcReader } from "../../rpc/reader.ts";
import { RpcError, toReworded } from "../../rpc/error.ts";
import { readStakesByPage, readStakesByVoter, readStakesWhole } from "./stake-answers.ts";
import type { StakeRecords } from "./stake-records.ts";
import {
  indexVoters,
  toStakeRows,
  type StakeQuestion,
  type StakeRow,
  type StakeSums,
} from "./stake-tally.ts";

interface Method {
  name: string;
  read: (reader: RpcReader, question: StakeQuestion) => Promise<StakeSums>;
}

/** Least burden on a node first. */
const METHODS: readonly Method[] = [
  { name: "whole", read: readStakesWhole },
  { name: "by page", read: readStakesByPage },
  { name: "by voter", read: readStakesByVoter },
];

/** Leaves time for the next method when a call hangs. */
const PART_OF_A_CALL = 2 / 3;

/**
 * Many endpoints refuse the one large answer: each method is tried
 * on all endpoints before the next. A refusal holds for a day.
 * @throws {RpcError} with each method's failure on each endpoint, cut to the length an entry keeps
 */
export async function readStakeAccounts(
  readers: RpcReader[],
  {
    rows,
    epoch,
    withRecords = false,
    withLargest = false,
  }: Omit<StakeQuestion, "voters"> & { rows: readonly Pick<SnapshotRow, "vote" | "activeStake">[] },
): Promise<{
  rows: StakeRow[];
  records: StakeRecords | null;
  largest: RewardsQuestion["validators"] | null;
}> {
  const votes = rows.map(({ vote }) => vote);
  const expected = rows.reduce((sum, { activeStake }) => sum + activeStake, 0n);
  const question = { voters: indexVoters(votes), epoch, withRecords, withLargest };
  const tries = METHODS.flatMap((method) => readers.map((reader) => ({ method, reader })));
  const messageLength = Math.floor(RAW_TEXT_MAX / tries.length) - "; ".length;

  return withFailover(tries, async ({ method, reader }) => {
    try {
      const sums = await method.read(withPatience(reader), question);
      assertCompleteStake(sums, { expected, label: reader.label });
      const { records, largest } = sums;
      return {
        rows: toStakeRows(votes, sums),
        records,
        largest: largest && votes.map((vote, index) => [vote, toKeys(largest.of(index))]),
      };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw toReworded(error, `${method.name}: ${error.message}`.slice(0, messageLength));
    }
  });
}

/** Nodes refuse a whole request for one text that is no key. */
function toKeys(stakes: readonly { stakeAccount: string }[]): string[] {
  return stakes.map(({ stakeAccount }) => stakeAccount).filter(isPublicKey);
}

function withPatience(reader: RpcReader): RpcReader {
  return { ...reader, stream: (call) => reader.within(PART_OF_A_CALL).stream(call) };
}

const TOLERANCE_PERCENT = 10n;

const LAMPORTS_PER_SOL = 1_000_000_000n;

/**
 * Every change of stake counts at once, as the cluster does up to 9 % of its stake an epoch
 * (mainnet, since epoch 565). The sum of an indexer that lost accounts differs by more than this.
 */
function assertCompleteStake(
  sums: StakeSums,
  { expected, label }: { expected: bigint; label: string },
): void {
  const found = sums.effective.reduce((sum, stake) => sum + stake, 0n);
  const difference = found > expected ? found - expected : expected - found;
  if (difference * 100n <= expected * TOLERANCE_PERCENT) return;
  const [has, should] = [found, expected].map((lamports) => lamports / LAMPORTS_PER_SOL);
  throw new RpcError({
    kind: "shape",
    message: `${label}: found ${has} of ${should} SOL of active stake`,
  });
}
