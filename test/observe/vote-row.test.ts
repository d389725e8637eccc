import fc from "fast-check";
import { expect, it } from "vitest";
import { parseVoteRow, voteRowSchema } from "../../generator/observe/vote-row.ts";
import { U64_MAX } from "../../generator/rpc/json.ts";

const KEY = "Vote111111111111111111111111111111111111111";

const row = (more: object = {}) => ({
  votePubkey: KEY,
  nodePubkey: "11111111111111111111111111111111",
  activatedStake: 38_263_229_364_446_901n,
  commission: 5,
  inflationRewardsCommissionBps: 500,
  epochVoteAccount: true,
  epochCredits: [
    [1059, 10, 0],
    [1060, 2n ** 60n, 10],
  ],
  lastVote: 7,
  rootSlot: 6,
  ...more,
});

/** What a field may hold that is right, nearly right, or of another type. */
const odd = fc.constantFrom<unknown>(
  ...[undefined, null, true, "5", "", KEY, `${KEY}1`, 0, -0, 1, -1, 0.5, 255, 256, 65_535, 65_536, NaN],
  ...[2 ** 53, -1n, 0n, 10n, U64_MAX, U64_MAX + 1n, {}, [], [null], [[1, 2, 3]], [[1, 2]], [[1, 2, 3, 4]]],
  ...[[[U64_MAX, U64_MAX, U64_MAX]], [[1060, "1", 0]], [[-1, 2, 3]], [[0.5, 2, 3]], [[1n, 2, 3]], [[1, U64_MAX, 3n]]],
);

it("a row is read by hand as the schema reads it, whatever stands in it", () => {
  const fields = fc.constantFrom(...Object.keys(row()));
  const changes = fc.array(fc.tuple(fields, odd), { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs));
  let [read, refused] = [0, 0];
  fc.assert(
    fc.property(fc.oneof(changes.map(row), odd), (value) => {
      const [mine, law] = [parseVoteRow(value), voteRowSchema.safeParse(value)];
      expect(mine.success).toBe(law.success);
      if (mine.success) expect(mine.data).toEqual(law.data);
      if (mine.success) read += 1;
      else refused += 1;
    }),
    { numRuns: 1_000 },
  );
  expect(Math.min(read, refused)).toBeGreaterThan(100);
});

it("amounts beyond 2^53 stay exact, and are bigint whether large or small", () => {
  const parsed = parseVoteRow(row());
  expect(parsed).toMatchObject({
    data: {
      activatedStake: 38_263_229_364_446_901n,
      epochCredits: [
        [1059, 10n, 0n],
        [1060, 2n ** 60n, 10n],
      ],
    },
  });
});
