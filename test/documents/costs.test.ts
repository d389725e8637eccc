import { describe, expect, it } from "vitest";
import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { FIRST_EPOCH, slotAt, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { type Issuance, issuanceOf } from "../story/issuance.ts";
import { check, snapshot } from "../story/observations.ts";
import { rewardsOf } from "../story/rewards.ts";
import { crowd, keyOf, type Fact } from "../story/validators.ts";
import { read } from "./read.ts";
import { expectTouchedToSuffice } from "./rendered.ts";

const SOL = 1_000_000_000n;
type Told = Omit<Fact, "name">;

/** Nine with 40 million SOL each and A with 60 million: 420 million in all. */
const all = (bps: number, told: Told = {}): Fact[] => [
  ...crowd(9, { stake: 40_000_000n * SOL, ...(told.credits && { credits: EARNED }) }),
  { name: "A", stake: 60_000_000n * SOL, bps, ...told },
];

const EPOCHS = 6;
/** 1,000 vote credits in each epoch of the story. */
const EARNED = earning(1_000n);

function earning(credits: bigint): NonNullable<Fact["credits"]> {
  return Array.from({ length: EPOCHS }, (_, at): [number, bigint, bigint] => [
    FIRST_EPOCH + at,
    BigInt(at + 1) * credits,
    BigInt(at) * credits,
  ]);
}

const at = (epoch: number, minute: number) => epoch * 120 + minute;

function telling(
  epoch: number,
  bps: number,
  {
    minute = 5,
    told = {},
    sides = {},
    ...issuance
  }: Exclude<Issuance, "silent"> & TellingOptions = {},
) {
  const minuteOfStory = at(epoch, minute);
  return snapshot(minuteOfStory, all(bps, { credits: EARNED, ...told }), {
    issuance: issuanceOf(minuteOfStory, issuance),
    ...sides,
  });
}

interface TellingOptions {
  minute?: number;
  told?: Told;
  sides?: Partial<SnapshotEntry>;
}

const change = (epoch: number, bps: number, minute = 20) => [
  check(at(epoch, minute), all(bps)),
  check(at(epoch, minute + 1), all(bps)),
];

function costsOf(...entries: Parameters<typeof foldStory>) {
  const { data } = read(foldStory(...entries).ledger, "validatorEvents", {
    votePubkey: keyOf("A"),
  });
  return data.toReversed().map(({ cost }) => cost);
}

const lostIn = (epoch: number, ...entries: Parameters<typeof foldStory>) =>
  read(foldStory(...entries).ledger, "rugsPerEpoch", {}).data.find(
    (row) => row.epoch === FIRST_EPOCH + epoch,
  )?.lamportsLost;

/** From 5 to 100 % in epoch 0, paid from epoch 2 on, which has ended. */
const rug = [
  telling(0, 500),
  ...change(0, 10_000),
  telling(1, 10_000),
  telling(2, 10_000, { validatorRate: 0.04 }),
  telling(3, 10_000, { validatorRate: 0.0385 }),
];

describe("what a change costs, worked by hand,", () => {
  // A year has 31,556,925.9936 s, an epoch 36,000 × 0.2 s: 4382.906388 epochs. 620,000,000 SOL ×
  // 3.85 % / 4382.906388 = 5446.157… SOL an epoch; A's 60 of 420 million get a seventh: 778.02254…
  it("is 95 % of the rewards of its delegators from 5 to 100 %", () => {
    const [cost] = costsOf(...rug);
    expect(cost).toEqual({
      lamportsPerEpoch: "739121421546",
      per1000SolLamports: "12318690",
      bounds: null,
      basis: {
        epoch: FIRST_EPOCH + 2,
        fromCommission: 5,
        toCommission: 100,
        inflationRate: 0.0385,
        supply: { lamports: "620000000000000000", sol: 620_000_000 },
        activeStake: { lamports: "60000000000000000", sol: 60_000_000 },
        totalActiveStake: { lamports: "420000000000000000", sol: 420_000_000 },
        epochsPerYear: 4382.906388,
        voteCreditsRatio: 1,
        isSettled: true,
      },
    });
  });

  it("is less than nothing where the commission falls: 10 to 5 % gives 5 % back", () => {
    const entries = [
      telling(0, 1000),
      ...change(0, 500),
      telling(1, 500),
      telling(2, 500),
      telling(3, 500),
    ];
    expect(costsOf(...entries)).toMatchObject([
      { lamportsPerEpoch: "-38901127450", per1000SolLamports: "-648352" },
    ]);
  });

  // Half as many epochs, each worth twice as much:
  // 620,000,000 SOL × 3.84 % / 2191.453194 / 7 × 1 %.
  it("is twice as much an epoch while slots take 400 ms: a point of commission", () => {
    const terms = { validatorRate: 0.0384, slotTimes: [] };
    const later = [1, 2, 3].map((epoch) => telling(epoch, 600, terms));
    const [cost] = costsOf(telling(0, 500, terms), ...change(0, 600), ...later);
    expect(cost).toMatchObject({ lamportsPerEpoch: "15520034224", per1000SolLamports: "258667" });
    expect(cost?.basis.epochsPerYear).toBeCloseTo(2191.453194, 9);
  });
});

describe("once it is measured what an epoch took, what a change costs", () => {
  const measured = (minute: number, commission: number) =>
    telling(3, 10_000, {
      minute,
      validatorRate: 0.0385,
      sides: { rewards: rewardsOf(at(3, minute), [{ A: { stakes: [{ commission }] } }]) },
    });

  // 778.02254… SOL × 85 %.
  it("rests on that", () => {
    const [cost] = costsOf(...rug, measured(15, 9000));
    expect(cost?.basis).toMatchObject({ fromCommission: 5, toCommission: 90, isSettled: true });
    expect(cost?.lamportsPerEpoch).toBe("661319166646");
    expect(costsOf(...rug, measured(15, 10_000))).toEqual(costsOf(...rug));
  });

  it("is told anew wherever it is shown", () => {
    expectTouchedToSuffice([...rug, measured(15, 9000)]);
  });
});

describe("while the epoch that pays it first has not come, what a change costs", () => {
  it("is of the newest epoch that is known, and not settled", () => {
    const [cost] = costsOf(...rug.slice(0, 3));
    expect(cost?.basis).toMatchObject({ epoch: FIRST_EPOCH, isSettled: false });
    expect(cost?.lamportsPerEpoch).toBe("739121421546");
    expect(costsOf(...rug.slice(0, 4))[0]?.basis).toMatchObject({
      epoch: FIRST_EPOCH + 1,
      isSettled: false,
    });
  });

  // A tenth activates, a half deactivates.
  const rows: [string, bigint, bigint, number][] = [
    [keyOf("A"), 6_000_000n * SOL, 30_000_000n * SOL, 4],
  ];
  const stakeAccounts = {
    state: "ok",
    value: { epoch: FIRST_EPOCH, asOf: timeAt(40), rows },
  } as const;
  const moving = [
    telling(0, 500),
    ...change(0, 10_000),
    snapshot(40, all(10_000), { stakeAccounts }),
  ];

  it("is between what it is without the stake that leaves and with the stake that arrives", () => {
    const bounds = { leastLamportsPerEpoch: "369560710773", mostLamportsPerEpoch: "813033563700" };
    expect(costsOf(...moving)[0]?.bounds).toEqual(bounds);
  });

  it("is told anew wherever it is shown, when nothing else of the change is", () => {
    expectTouchedToSuffice([...moving, ...rug.slice(2)]);
  });

  it("is of the epoch before while nothing is told of the one that began", () => {
    expect(costsOf(...rug.slice(0, 4), check(at(2, 0), all(10_000)))[0]?.basis.epoch).toBe(
      FIRST_EPOCH + 1,
    );
  });

  it("is that of the epoch which pays it, at its own rate until the next tells at which it is paid", () => {
    const [cost] = costsOf(...rug.slice(0, 5));
    expect(cost?.basis).toMatchObject({
      epoch: FIRST_EPOCH + 2,
      inflationRate: 0.04,
      isSettled: false,
    });
    expect(costsOf(...rug.slice(0, 5), telling(3, 10_000))[0]?.basis).toMatchObject({
      isSettled: true,
    });
  });
});

describe("what a change costs", () => {
  it("is by the slot time that is set from the epoch after its feature became active", () => {
    const epochsPerYear = (activatedAt: number) =>
      costsOf(
        telling(0, 500, {
          slotTimes: [
            [350, 1],
            [200, activatedAt],
          ],
        }),
        ...change(0, 10_000),
      )[0]?.basis.epochsPerYear;
    expect(epochsPerYear(slotAt(0) - 1)).toBeCloseTo(4382.906388, 6);
    expect(epochsPerYear(slotAt(0))).toBeCloseTo(2504.517936, 6);
  });

  it("is at the rate of its own epoch where rewards are set aside by Alpenglow", () => {
    const sides = { creditsUnit: "lamports" } as const;
    const told = [0, 1, 2, 3].map((epoch) =>
      telling(epoch, epoch === 0 ? 500 : 10_000, { validatorRate: 0.04 - epoch / 1000, sides }),
    );
    const [cost] = costsOf(...told, ...change(0, 10_000));
    expect(cost?.basis).toMatchObject({
      epoch: FIRST_EPOCH + 2,
      inflationRate: 0.038,
      isSettled: true,
    });
  });

  it("is nothing where its validator is in no set by which the epoch is paid, and nobody of those counts to the whole", () => {
    const told = { inSet: false };
    const out = [
      telling(0, 500, { told }),
      ...change(0, 10_000),
      ...[1, 2, 3, 4].map((epoch) => telling(epoch, 10_000, { told })),
    ];
    const [open] = costsOf(...out.slice(0, 5));
    expect(open).toMatchObject({
      bounds: { leastLamportsPerEpoch: "0" },
      basis: { activeStake: { sol: 60_000_000 } },
    });
    const [cost] = costsOf(...out);
    expect(cost).toMatchObject({
      lamportsPerEpoch: "0",
      basis: { isSettled: true, activeStake: { sol: 0 } },
    });
    expect(cost).toMatchObject({
      per1000SolLamports: "14371805",
      basis: { totalActiveStake: { sol: 360_000_000 } },
    });
  });

  it("is nothing where the rate was taken away before it was paid, and of who took it away by the one before", () => {
    const story = [telling(0, 500), ...change(0, 10_000), ...change(0, 700, 40)];
    const costs = costsOf(...story);
    expect(costs).toMatchObject([
      { lamportsPerEpoch: "0", basis: { fromCommission: 5, toCommission: 5 } },
      { lamportsPerEpoch: "15560450980", basis: { fromCommission: 5, toCommission: 7 } },
    ]);
    expect(lostIn(0, ...story)).toBe("0");
  });

  it("is told by epoch for its RUG events, where it is known of all of them", () => {
    expect(lostIn(0, ...rug)).toBe("739121421546");
    expect(lostIn(1, ...rug)).toBe("0");
    const back = [telling(0, 10_000), ...change(0, 700), ...change(0, 9500, 40)];
    expect(costsOf(...back)).toMatchObject([
      {},
      { basis: { fromCommission: 100, toCommission: 95 } },
    ]);
    expect(lostIn(0, ...back)).toBe("0");
    expect(lostIn(0, snapshot(at(0, 5), all(500)), ...change(0, 10_000))).toBeNull();
  });
});

describe("what a change costs follows the vote credits that its validator earned in the epoch", () => {
  const rugOf = (told: Told) => [
    telling(0, 500, { told }),
    ...change(0, 10_000),
    ...[1, 2, 3, 4].map((epoch) => telling(epoch, 10_000, { told })),
  ];

  it("is nothing of one that earned none", () => {
    const dead = rugOf({ delinquent: true, credits: [[FIRST_EPOCH - 3, 100n, 50n]] });
    expect(costsOf(...dead)).toMatchObject([
      {
        lamportsPerEpoch: "0",
        per1000SolLamports: "0",
        bounds: null,
        basis: { isSettled: true, voteCreditsRatio: 0 },
      },
    ]);
    expect(lostIn(0, ...dead)).toBe("0");
  });

  // A seventh of the stake with half of the others' credits: 0.5 ÷ (6/7 +
  // 0.5/7) = 7/13 of the average. 739,121,421,546 × 0.5385 (four decimals)
  it("is less of one that earned half of what the others did", () => {
    expect(costsOf(...rugOf({ credits: earning(500n) }))).toMatchObject([
      { lamportsPerEpoch: "398016885502", basis: { isSettled: true, voteCreditsRatio: 0.5385 } },
    ]);
  });

  it("is more of one that earned more, by lamports alone where they are credits", () => {
    const sides = { creditsUnit: "lamports" } as const;
    const told = { credits: earning(1_000n) };
    const alpenglow = [0, 1, 2, 3].map((epoch) =>
      telling(epoch, epoch === 0 ? 500 : 10_000, { told, sides }),
    );
    // A tenth of the lamports with a seventh of the stake.
    expect(costsOf(...alpenglow, ...change(0, 10_000))[0]?.basis.voteCreditsRatio).toBe(0.7);
  });

  it("is not settled while nobody knows them, and then assumes the average", () => {
    const untold = rugOf({}).map((entry) =>
      entry.kind === "snapshot"
        ? { ...entry, votes: entry.votes.map((row) => ({ ...row, credits: [] })) }
        : entry,
    );
    const [cost] = costsOf(...untold);
    expect(cost).toMatchObject({
      lamportsPerEpoch: "739121421546",
      basis: { isSettled: false, voteCreditsRatio: null },
    });
  });

  it("is told anew by the first snapshot that has them", () => {
    expectTouchedToSuffice([
      ...rug.slice(0, 5),
      check(at(3, 0), all(10_000)),
      telling(3, 10_000),
      telling(4, 10_000),
    ]);
  });
});

describe("nobody knows what a change costs", () => {
  const silent = (epoch: number, bps: number) => snapshot(at(epoch, 5), all(bps));
  it.each<[string, SnapshotEntry[]]>([
    ["without inflation and supply", [silent(0, 500)]],
    ["by a rate of another epoch", [{ ...telling(0, 500), issuance: telling(1, 500).issuance }]],
    ["by a supply below what is staked", [telling(0, 500, { supply: 419_999_999n * SOL })]],
    [
      "by a reading that failed",
      [{ ...silent(0, 500), issuance: { state: "failed", reason: "no supply" } }],
    ],
  ])("%s", (_, first) => {
    expect(costsOf(...first, ...change(0, 10_000))).toEqual([null]);
  });

  it("until a snapshot of its epoch has inflation and supply", () => {
    const entries = [silent(0, 500), ...change(0, 10_000)];
    expect(costsOf(...entries)).toEqual([null]);
    expect(costsOf(...entries, telling(0, 10_000, { minute: 30 }))[0]).not.toBeNull();
  });

  it("in an epoch of which nothing was told, when it is over", () => {
    expect(
      costsOf(
        telling(0, 500),
        ...change(0, 10_000),
        silent(1, ALL),
        silent(2, ALL),
        telling(3, ALL),
      ),
    ).toEqual([null]);
  });
});

const ALL = 10_000;
