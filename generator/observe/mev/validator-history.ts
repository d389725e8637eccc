import { z } from "zod";
import type { HistoryPoint } from "../../entries/entry.ts";
import { U64_MAX, u64Schema, parseShape } from "../../rpc/answer.ts";
import { RpcError } from "../../rpc/error.ts";
import { askVendor, type MevOptions } from "./vendor-api.ts";

interface HistoryRequest {
  vote: string;
  firstEpoch: number;
  lastEpoch: number;
  /** By the options' `now`, in milliseconds. */
  deadline: number;
}

/** 512 epochs are about 300 KB. */
const ANSWER_BYTES_MAX = 8_000_000;
/** The vendor also fails for a validator without a record. */
const ATTEMPTS = 2;

const answerSchema = z.object({ vote_account: z.string(), history: z.array(z.unknown()) });

/** The program stores the type's maximum for «not set». */
const unlessUnset = (largest: number) =>
  z
    .int()
    .min(0)
    .max(largest - 1)
    .nullable()
    .catch(null);

const rowSchema = z
  .object({
    epoch: z.int().min(0).max(65_534),
    commission: unlessUnset(255),
    mev_commission: unlessUnset(65_535),
    activated_stake_lamports: u64Schema
      .refine((lamports) => lamports < U64_MAX)
      .nullable()
      .catch(null),
    rank: unlessUnset(4_294_967_295),
  })
  .transform((row): HistoryPoint => ({
    epoch: row.epoch,
    percent: row.commission,
    mevBasisPoints: row.mev_commission,
    activeStake: row.activated_stake_lamports,
    rank: row.rank,
  }));

/**
 * The vendor's copy of the validator-history program.
 * Leaves out unreadable rows and epochs with two values.
 * @returns ascending, without empty epochs
 * @throws {RpcError} also for an answer about no validator, which is how the vendor fails
 */
export function readValidatorHistory(
  options: MevOptions,
  { vote, deadline, ...span }: HistoryRequest,
): Promise<HistoryPoint[]> {
  return askVendor(options, {
    path: `validator_history/${vote}`,
    what: `history of ${vote}`,
    attempts: ATTEMPTS,
    bytesMax: ANSWER_BYTES_MAX,
    deadline,
    parse(value) {
      const answer = parseShape(answerSchema, value, "validator history");
      if (answer.vote_account !== vote)
        throw new RpcError({ kind: "shape", message: "the answer is not about this vote account" });
      return toPoints(answer.history, span);
    },
  });
}

function toPoints(
  rows: readonly unknown[],
  { firstEpoch, lastEpoch }: Omit<HistoryRequest, "vote" | "deadline">,
) {
  const points = rows.flatMap((row) => rowSchema.safeParse(row).data ?? []);
  const wanted = points.filter(
    (point) => point.epoch >= firstEpoch && point.epoch <= lastEpoch && hasData(point),
  );
  return [...Map.groupBy(wanted, ({ epoch }) => epoch).values()]
    .flatMap(([point, ...others]) =>
      point && others.every((other) => isSamePoint(point, other)) ? [point] : [],
    )
    .sort((a, b) => a.epoch - b.epoch);
}

function hasData({ percent, mevBasisPoints, activeStake, rank }: HistoryPoint): boolean {
  return [percent, mevBasisPoints, activeStake, rank].some((value) => value !== null);
}

function isSamePoint(one: HistoryPoint, other: HistoryPoint): boolean {
  const names = Object.keys(one) as (keyof HistoryPoint)[];
  return names.every((name) => one[name] === other[name]);
}
