import { describe, expect, it } from "vitest";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import type {
  AccountChange,
  BlockRevenueChange,
  KeyChange,
} from "../../generator/ledger/records.ts";
import {
  EPOCH,
  ledgerOf,
  location,
  MOMENT,
  signatureOf,
  voteOf,
  type ValidatorFacts,
} from "./fixtures.ts";
import { read } from "./read.ts";

const one = { votePubkey: voteOf("one") };
const ledgerWith = (facts: Partial<ValidatorFacts>) =>
  ledgerOf({ validators: [{ name: "one", ...facts }] });
const profileOf = (facts: Partial<ValidatorFacts>) =>
  read(ledgerWith(facts), "validator", one).data;

describe("the list", () => {
  it("has a version that changes with any row, and with nothing else", () => {
    const versionOf = (name: string, more: Partial<Ledger> = {}) => {
      const ledger = ledgerOf({ validators: [{ name, activeStake: 1n }] });
      return read({ ...ledger, ...more }, "validators", {}).meta.listVersion;
    };
    expect(versionOf("one")).toBe(versionOf("one", { dropped: 5 }));
    expect(versionOf("one")).not.toBe(versionOf("two"));
  });

  it("is by rank, its first page the 50 largest, its totals of all", () => {
    const validators = Array.from({ length: 101 }, (_, at) => ({
      name: `${at}`,
      activeStake: BigInt(at + 1),
    }));
    const { data, meta } = read(ledgerOf({ validators }), "validators", {});
    expect(data.map(({ rank }) => rank)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    expect(data[0]).toMatchObject({
      name: "100",
      activeStake: { lamports: "101" },
      stakePercent: 1.9608,
    });
    const networkStake = { lamports: "5151", sol: 0.000005151 };
    const page = { page: 1, limit: 50, total: 101, totalPages: 3 };
    expect(meta).toEqual({
      network: "mainnet",
      ...page,
      networkStake,
      listVersion: expect.stringMatching(/^[\w-]{16}$/) as string,
      snapshotAt: MOMENT.time,
    });
  });

  it("has the rows with which the profiles begin", () => {
    const ledger = ledgerWith({
      location: location(),
      clientId: 3,
      delinquent: true,
      delinquentSince: MOMENT.time,
    });
    const row = Object.entries(read(ledger, "validators", {}).data[0] ?? {});
    expect(row.length).toBeGreaterThan(10);
    const profile = read(ledger, "validator", one).data;
    const { level } = profile.verdict;
    expect(Object.entries({ ...profile, verdict: level }).slice(0, row.length)).toEqual(row);
  });
});

describe("the index", () => {
  it("has every listed validator by rank, and the others as a search shows them", () => {
    const left = { listed: false, activeStake: 0n, delinquent: true };
    const validators = [
      ...[{ name: "small" }, { name: "large", activeStake: 9_000_000_000n }],
      ...[
        { name: "second", ...left, rank: 9 },
        { name: "first", ...left, rank: 3 },
        { name: "never", ...left, rank: 0 },
      ],
    ];
    const index = read(ledgerOf({ validators }), "index", {});
    expect(index.validators.map(({ name }) => name)).toEqual(["large", "small"]);
    expect(index.unlisted.map(({ name, rank }) => `${name} ${rank}`)).toEqual([
      "first 3",
      "second 9",
      "never null",
    ]);
  });

  it("carries the reading of the epoch with the measured time of a slot", () => {
    const ledger = ledgerOf();
    expect(read(ledger, "index", {}).epoch?.slotMilliseconds).toBeNull();
    const now = { time: MOMENT.time, epoch: EPOCH, absoluteSlot: MOMENT.slot, sampled: null };
    ledger.slotTimeAnchors = [
      { ...now, time: "2026-11-20T09:00:00.000Z", absoluteSlot: MOMENT.slot - 18_000 },
      now,
    ];
    const reading = {
      epoch: EPOCH,
      slotIndex: 9_000,
      slotsInEpoch: 432_000,
      absoluteSlot: MOMENT.slot,
    };
    expect(read(ledger, "index", {}).epoch).toEqual({
      ...reading,
      observedAt: MOMENT.time,
      slotMilliseconds: 200,
    });
  });
});

it.each([
  {
    clientId: 1,
    version: "4.2.1",
    shown: { clientId: 1, client: "Jito Labs", clientType: "agave" },
  },
  {
    clientId: 12,
    version: null,
    shown: { clientId: 12, client: "FireBAM", clientType: "frankendancer" },
  },
  {
    clientId: 9,
    version: null,
    shown: { clientId: 9, client: "HarmonicFiredancer", clientType: "firedancer" },
  },
  { clientId: 7, version: null, shown: { clientId: 7, client: "Sig", clientType: "unknown" } },
  {
    clientId: 86,
    version: "4.2.1",
    shown: { clientId: null, client: null, clientType: "unknown" },
  },
  {
    clientId: null,
    version: "4.2.1",
    shown: { clientId: null, client: null, clientType: "unknown" },
  },
  { clientId: null, version: null, shown: { clientId: null, client: null, clientType: null } },
])(
  "client id $clientId of version $version is $shown.client, $shown.clientType",
  ({ clientId, version, shown }) => {
    expect(profileOf({ clientId, version })).toMatchObject({ version, ...shown });
  },
);

describe("a profile", () => {
  const epoch = EPOCH;
  const performance = {
    ...{ epoch, unit: "credits" as const, asOf: MOMENT.time },
    ...{ voteCredits: 6_911_984n, leaderSlots: 300, blocksProduced: 299 },
  };
  const ofHour = (facts: Partial<typeof performance>) => ({
    performanceOfHour: { ...performance, ...facts },
  });
  const absurd = { ...performance, unit: "lamports" as const, voteCredits: 2n ** 64n - 1n };
  const seen = { ...MOMENT, time: "2026-11-19T00:00:00.000Z" };
  const noMev = { mevCommission: null, priorityFeeCommission: null };
  const authorities = ["old", "new"].map((name) => ({
    key: voteOf(name),
    from: 0,
    to: 0,
    covered: [],
  }));

  it.each<[string, Partial<ValidatorFacts>, object]>([
    ["no commission that is not known", { commissionBasisPoints: null }, { commission: null }],
    ["a commission of zero", { commissionBasisPoints: 0 }, { commission: 0 }],
    ["a commission in percent", { commissionBasisPoints: 725 }, { commission: 7.25 }],
    [
      "MEV and priority fee of the record shown",
      { mev: 800, mevEpoch: epoch - 1, priorityFeeBasisPoints: 5000 },
      { mev: { epoch: epoch - 1, mevCommission: 8, priorityFeeCommission: 50 } },
    ],
    ["none where MEV is disabled", { mev: "disabled" }, { mev: { epoch, ...noMev } }],
    ["none where it is not known", { mev: null }, { mev: { epoch, ...noMev } }],
    [
      "the performance of the last full hour",
      { performance: { ...performance, leaderSlots: 999 }, ...ofHour({}) },
      {
        performance: {
          ...{ epoch, skipRate: 0.33, voteCredits: 6_911_984, voteCreditsUnit: "credits" },
          ...{ leaderSlots: 300, blocksProduced: 299, asOf: MOMENT.time },
        },
      },
    ],
    [
      "nothing skipped without slots",
      ofHour({ leaderSlots: 0, blocksProduced: 0 }),
      { performance: { skipRate: 0 } },
    ],
    [
      "no more blocks than slots",
      ofHour({ leaderSlots: 4, blocksProduced: 8 }),
      { performance: { skipRate: 0, blocksProduced: 4 } },
    ],
    [
      "a performance never read by its missing time",
      {},
      { performance: { epoch, voteCredits: 0, leaderSlots: 0, skipRate: 0, asOf: null } },
    ],
    [
      "a counter that no number holds",
      { performanceOfHour: absurd },
      { performance: { voteCredits: Number.MAX_SAFE_INTEGER, voteCreditsUnit: "lamports" } },
    ],
    ["no last time while it is listed", { seen }, { listed: true, lastSeenAt: null }],
    [
      "the last time of one that left, and its last rank",
      { seen, listed: false, rank: 4, activeStake: 0n },
      { listed: false, lastSeenAt: seen.time, rank: 4, stakePercent: 0 },
    ],
    ["the newest withdraw authority", { authorities }, { withdrawAuthority: voteOf("new") }],
    [
      "nothing of what no transaction told",
      {},
      {
        withdrawAuthority: null,
        commissionCollector: null,
        blockRevenueCommission: null,
        accountChanges: [],
      },
    ],
  ])("shows %s", (_, facts, shown) => {
    expect(profileOf(facts)).toMatchObject(shown);
  });

  const change = (
    index: number,
    facts: Partial<KeyChange> | Pick<BlockRevenueChange, "of" | "to"> = {},
  ): AccountChange => ({
    ...{
      of: "withdrawAuthority",
      to: voteOf(`authority ${index}`),
      signature: signatureOf(`change ${index}`),
    },
    ...{
      slot: MOMENT.slot + index,
      epoch,
      blockTime: MOMENT.time,
      signer: voteOf("authority"),
      verified: "signature",
    },
    ...facts,
  });

  it("tells what transactions set last, and each change with its proof, newest first", () => {
    const accountChanges = [
      change(1, { of: "blockRevenueCommission", to: 2_500 }),
      change(2, {
        of: "inflationCollector",
        to: voteOf("collector"),
        blockTime: null,
        verified: "witnesses",
      }),
      change(3, { of: "blockRevenueCollector", to: voteOf("other collector") }),
      change(4, { of: "blockRevenueCommission", to: 60_000 }),
    ];
    const profile = profileOf({ accountChanges, blockRevenueBasisPoints: 10_000 });
    expect(profile).toMatchObject({
      blockRevenueCommission: 100,
      commissionCollector: voteOf("collector"),
    });
    expect(
      profile.accountChanges.map((each) => [each.of, each.toKey ?? each.toCommission]),
    ).toEqual([
      ["blockRevenueCommission", 100],
      ["blockRevenueCollector", voteOf("other collector")],
      ["inflationCollector", voteOf("collector")],
      ["blockRevenueCommission", 25],
    ]);
    expect(profile.accountChanges[2]).toEqual({
      ...{
        of: "inflationCollector",
        toKey: voteOf("collector"),
        toCommission: null,
        slot: MOMENT.slot + 2,
        epoch,
      },
      ...{
        blockTime: null,
        signature: signatureOf("change 2"),
        signer: voteOf("authority"),
        verified: "witnesses",
        verifiedBy: "witnesses",
      },
      ...{ fromCommission: null, firstSeenAt: null },
    });
  });

  it("shows the newest fifty of many changes", () => {
    const { accountChanges } = profileOf({
      accountChanges: Array.from({ length: 60 }, (_, index) => change(index)),
    });
    const slots = Array.from({ length: 50 }, (_, index) => MOMENT.slot + 59 - index);
    expect(accountChanges.map(({ slot }) => slot)).toEqual(slots);
  });
});

describe("a location", () => {
  const dayOf = (day: number) => new Date(Date.UTC(2026, 0, day + 1)).toISOString();

  it("shows where the node is, and its moves newest first", () => {
    const to = location({ city: "Helsinki", country: "Finland", countryCode: "FI" });
    const moves = [
      { at: dayOf(1), from: location(), to },
      { at: dayOf(2), from: location({ city: "Berlin", dataCenter: null }), to },
    ];
    const now = { dataCenter: "Hetzner", city: "Helsinki" };
    expect(read(ledgerWith({ location: to, moves }), "location", one)).toEqual({
      data: {
        current: to,
        changes: [
          { ...now, previousDataCenter: null, previousCity: "Berlin", detectedAt: dayOf(2) },
          {
            ...now,
            previousDataCenter: "Hetzner",
            previousCity: "Frankfurt",
            detectedAt: dayOf(1),
          },
        ],
      },
      meta: { network: "mainnet", votePubkey: one.votePubkey },
    });
  });

  it("shows the newest fifty of many moves", () => {
    const moves = Array.from({ length: 60 }, (_, day) => ({
      at: dayOf(day),
      from: location(),
      to: location(),
    }));
    const { changes } = read(ledgerWith({ location: location(), moves }), "location", one).data;
    expect(changes.map(({ detectedAt }) => detectedAt)).toEqual(
      Array.from({ length: 50 }, (_, day) => dayOf(59 - day)),
    );
  });
});
