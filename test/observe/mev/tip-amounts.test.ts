import { describe, expect, it } from "vitest";
import { snapshotEntrySchema, type SnapshotEntry } from "../../../generator/entries/entry.ts";
import { deriveDistributionAddress } from "../../../generator/observe/mev/distribution-accounts.ts";
import { readTipAmounts } from "../../../generator/observe/mev/tip-amounts.ts";
import type { Methods } from "../../rpc/rpc-server.ts";
import { EPOCH, SLOT } from "../cluster.ts";
import { key, readFrom } from "../fixtures.ts";
import { asking, failed, fails, snapshotOf } from "../observing.ts";
import {
  distributionAccount,
  TIP_PROGRAM,
  type DistributionFacts,
} from "./distribution-account.ts";

/** 128 bytes at 5,080 lamports each (SIMD-0437); 168 bytes of data then cost 1,503,680. */
const RENT: Methods = { getMinimumBalanceForRentExemption: 650_240 };
const MINE = { vote: key(1), basisPoints: 800 };
const TIPS = [{ vote: key(1), epoch: EPOCH }];

const node = (account: object | null, rent: Methods = RENT): Methods => ({
  ...rent,
  getMultipleAccounts: { context: { slot: SLOT }, value: [account] },
});

const read = (facts: Partial<DistributionFacts> | null, rent?: Methods) =>
  readFrom(node(facts && distributionAccount({ ...MINE, ...facts }), rent), (reader) =>
    readTipAmounts(reader, "mainnet", TIPS),
  );

const SUM = 18_446_744_073_709_551_615n;

describe("the tips of an epoch", () => {
  it.each<[string, Partial<DistributionFacts> | null, [bigint | null, boolean] | null]>([
    [
      "are all that is above today's rent",
      { lamports: 9_007_199_254_740_993n },
      [9_007_199_253_237_313n, false],
    ],
    ["are none while there is only the rent", { lamports: 1_503_680n }, [0n, false]],
    [
      "are none below the rent, which is lower for accounts of the past",
      { lamports: 1n },
      [0n, false],
    ],
    ["follow the size of the account", { lamports: 2_000_000n, space: 200 }, [333_760n, false]],
    ["are unknown where the node does not give the size", { space: null }, [null, false]],
    [
      "are what the root shares out",
      { withRoot: true, maxTotalClaim: SUM, lamports: 5n },
      [SUM, true],
    ],
    [
      "are what the root shares out, size or not",
      { withRoot: true, maxTotalClaim: 7n, space: null },
      [7n, true],
    ],
    [
      "are unknown where the account is cut before their sum",
      { withRoot: true, bytes: 112 },
      [null, true],
    ],
    ["are none of a missing account", null, null],
    ["are none of another validator's account", { vote: key(2) }, null],
    ["are none of another program's account", { owner: key(9) }, null],
  ])("%s", async (_, facts, amount) => {
    expect(await read(facts)).toEqual({ slot: SLOT, amounts: [amount] });
  });

  it("are unknown while the rent is, once they are counted not", async () => {
    const refuses = { getMinimumBalanceForRentExemption: fails(-32_601, "Method not found") };
    expect((await read({}, refuses)).amounts).toEqual([[null, false]]);
    expect((await read({ withRoot: true, maxTotalClaim: 7n }, refuses)).amounts).toEqual([
      [7n, true],
    ]);
  });
});

describe("a snapshot", () => {
  const look = async (
    nodes: Methods[],
    tips: typeof TIPS,
    options = {},
  ): Promise<SnapshotEntry["tipAmounts"]> => {
    const entry = await snapshotOf(nodes, asking({ tipAmounts: tips }), options);
    const inJournal: unknown = JSON.parse(
      JSON.stringify(entry, (_, value: unknown) =>
        typeof value === "bigint" ? value.toString() : value,
      ),
    );
    expect(snapshotEntrySchema.parse(inJournal)).toEqual(entry);
    return entry.tipAmounts;
  };

  const holding = (
    facts: Partial<DistributionFacts>,
    { epoch = EPOCH, slot = SLOT } = {},
  ): Methods => {
    const address = deriveDistributionAddress({ program: TIP_PROGRAM, vote: key(1), epoch });
    const valueOf = (one: string) =>
      one === address ? distributionAccount({ ...MINE, ...facts }) : null;
    return {
      ...RENT,
      getMultipleAccounts: ([keys]: [string[]]) => ({
        context: { slot },
        value: keys.map(valueOf),
      }),
    };
  };

  it("holds every witness's answer about the accounts asked for, or why there is none", async () => {
    const refused = { getMultipleAccounts: fails(-32_601, "Method not found") };
    const late = holding({ lamports: 9n ** 9n }, { slot: SLOT - 151 });
    const amounts = await look(
      [holding({ lamports: 1_503_687n }), holding({}, { slot: SLOT - 150 }), refused, late],
      TIPS,
    );
    expect(amounts).toMatchObject({
      state: "ok",
      value: {
        tips: TIPS,
        answers: [
          { state: "ok", slot: SLOT, amounts: [[7n, false]] },
          { state: "ok", slot: SLOT - 150, amounts: [[556_480n, false]] },
          failed("Method not found"),
          failed("over 150 slots before"),
        ],
      },
    });
  });

  it("asks for the account of that epoch", async () => {
    const amounts = await look(
      [holding({}, { epoch: EPOCH - 3 })],
      [{ vote: key(1), epoch: EPOCH - 3 }, ...TIPS],
    );
    expect(amounts).toMatchObject({ value: { answers: [{ amounts: [[556_480n, false], null] }] } });
  });

  it("asks nothing where no change needs it, or the network has no tips", async () => {
    expect(await look([{}], [])).toEqual({ state: "skipped", off: false });
    expect(await look([{}], TIPS, { network: "alpenglow" })).toEqual({
      state: "skipped",
      off: true,
    });
  });
});
