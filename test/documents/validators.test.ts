import { expect, test } from "vitest";
import type { Location } from "../../generator/ledger/records.ts";
import { documentOf, EPOCH, ledgerOf, location, MOMENT, type ValidatorFacts, voteOf } from "./fixtures.ts";

const one = { votePubkey: voteOf("one") };
const profileOf = (facts: Partial<ValidatorFacts>) =>
  documentOf(ledgerOf({ validators: [{ name: "one", ...facts }] }), "validator", one)?.data;

test("the list is by rank, its first page the 50 largest, its totals of all", () => {
  const validators = Array.from({ length: 101 }, (_, index) => ({ name: `${index}`, activeStake: BigInt(index + 1) }));
  const document = documentOf(ledgerOf({ validators }), "validators", {});
  expect(document?.data.map(({ rank }) => rank)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(document?.data[0]).toMatchObject({ name: "100", activeStake: { lamports: "101" }, stakePercent: 1.9608 });
  expect(document?.meta).toEqual({
    network: "mainnet",
    page: 1,
    limit: 50,
    total: 101,
    totalPages: 3,
    networkStake: { lamports: "5151", sol: 0.000005151 },
    snapshotAt: MOMENT.time,
  });
});

test("the index has every listed validator by rank, and the others as a search shows them", () => {
  const validators = [
    { name: "small" },
    { name: "large", activeStake: 9_000_000_000n },
    { name: "left second", listed: false, rank: 9, activeStake: 0n, delinquent: true },
    { name: "left first", listed: false, rank: 3, activeStake: 0n, delinquent: true },
    { name: "never ranked", listed: false, rank: 0, activeStake: 0n },
  ];
  const ledger = ledgerOf({ validators });
  const index = documentOf(ledger, "index", {});
  expect(index?.validators.map(({ name }) => name)).toEqual(["large", "small"]);
  expect(index?.unlisted.map(({ name, rank }) => [name, rank])).toEqual([
    ["left first", 3],
    ["left second", 9],
    ["never ranked", null],
  ]);
});

test("the index carries the reading of the epoch with the measured time of a slot", () => {
  const ledger = ledgerOf();
  expect(documentOf(ledger, "index", {})?.epoch?.slotMilliseconds).toBeNull();
  ledger.slotTimeAnchors = [
    { time: "2026-11-20T09:00:00.000Z", epoch: EPOCH, absoluteSlot: MOMENT.slot - 18_000, sampled: null },
    { time: MOMENT.time, epoch: EPOCH, absoluteSlot: MOMENT.slot, sampled: null },
  ];
  expect(documentOf(ledger, "index", {})?.epoch).toEqual({
    epoch: EPOCH,
    slotIndex: 9_000,
    slotsInEpoch: 432_000,
    absoluteSlot: MOMENT.slot,
    observedAt: MOMENT.time,
    slotMilliseconds: 200,
  });
});

test.each([
  { clientId: 1, version: "4.2.1", shown: { clientId: 1, client: "Jito Labs", clientType: "agave" } },
  { clientId: 12, version: null, shown: { clientId: 12, client: "FireBAM", clientType: "frankendancer" } },
  { clientId: 9, version: null, shown: { clientId: 9, client: "HarmonicFiredancer", clientType: "firedancer" } },
  { clientId: 7, version: null, shown: { clientId: 7, client: "Sig", clientType: "unknown" } },
  { clientId: 86, version: "4.2.1", shown: { clientId: null, client: null, clientType: "unknown" } },
  { clientId: null, version: "4.2.1", shown: { clientId: null, client: null, clientType: "unknown" } },
  { clientId: null, version: null, shown: { clientId: null, client: null, clientType: null } },
])("client id $clientId of version $version is $shown.client, $shown.clientType", ({ clientId, version, shown }) => {
  expect(profileOf({ clientId, version })).toMatchObject({ version, ...shown });
});

test("a commission not known is null, and one of zero is zero", () => {
  expect(profileOf({ commissionBasisPoints: null })?.commission).toBeNull();
  expect(profileOf({ commissionBasisPoints: 0 })?.commission).toBe(0);
  expect(profileOf({ commissionBasisPoints: 725 })?.commission).toBe(7.25);
});

test("the profile begins with the row of the list", () => {
  const ledger = ledgerOf({
    validators: [{ name: "one", location: location(), clientId: 3, delinquent: true, delinquentSince: MOMENT.time }],
  });
  const row = documentOf(ledger, "validators", {})?.data[0];
  const profile = documentOf(ledger, "validator", one)?.data ?? {};
  expect(Object.entries(profile).slice(0, Object.keys(row ?? {}).length)).toEqual(Object.entries(row ?? {}));
});

test("MEV and priority fee are of the record shown, and null where disabled or not known", () => {
  expect(profileOf({ mev: 800, mevEpoch: EPOCH - 1, priorityFeeBasisPoints: 5000 })?.mev).toEqual({
    epoch: EPOCH - 1,
    mevCommission: 8,
    priorityFeeCommission: 50,
  });
  expect(profileOf({ mev: "disabled" })?.mev).toEqual({
    epoch: EPOCH,
    mevCommission: null,
    priorityFeeCommission: null,
  });
  expect(profileOf({ mev: null })?.mev.mevCommission).toBeNull();
});

const performance = {
  epoch: EPOCH,
  unit: "credits" as const,
  asOf: MOMENT.time,
  voteCredits: 6_911_984n,
  leaderSlots: 300,
  blocksProduced: 299,
};

test("performance is of the last full hour", () => {
  const newer = { ...performance, leaderSlots: 999 };
  expect(profileOf({ performance: newer, performanceOfHour: performance })?.performance).toEqual({
    epoch: EPOCH,
    skipRate: 0.33,
    voteCredits: 6_911_984,
    voteCreditsUnit: "credits",
    leaderSlots: 300,
    blocksProduced: 299,
    asOf: MOMENT.time,
  });
});

test("without leader slots nothing was skipped, and more blocks than slots are not published", () => {
  const none = { ...performance, leaderSlots: 0, blocksProduced: 0 };
  expect(profileOf({ performanceOfHour: none })?.performance.skipRate).toBe(0);
  const ahead = { ...performance, leaderSlots: 4, blocksProduced: 8 };
  expect(profileOf({ performanceOfHour: ahead })?.performance).toMatchObject({ skipRate: 0, blocksProduced: 4 });
});

test("a performance never read is none of the newest epoch, and says so by its missing time", () => {
  expect(profileOf({})?.performance).toMatchObject({
    epoch: EPOCH,
    voteCredits: 0,
    leaderSlots: 0,
    skipRate: 0,
    asOf: null,
  });
});

test("a counter that no number holds does not stop the document", () => {
  const absurd = { ...performance, unit: "lamports" as const, voteCredits: 2n ** 64n - 1n };
  expect(profileOf({ performanceOfHour: absurd })?.performance).toMatchObject({
    voteCredits: Number.MAX_SAFE_INTEGER,
    voteCreditsUnit: "lamports",
  });
});

test("a validator that left keeps its profile, with the time it was last seen", () => {
  const seen = { ...MOMENT, time: "2026-11-19T00:00:00.000Z" };
  expect(profileOf({ seen })).toMatchObject({ listed: true, lastSeenAt: null });
  const left = profileOf({ seen, listed: false, rank: 4, activeStake: 0n });
  expect(left).toMatchObject({ listed: false, lastSeenAt: seen.time, rank: 4, stakePercent: 0 });
});

test("a location shows where the node is, and its moves newest first", () => {
  const to = location({ city: "Helsinki", country: "Finland", countryCode: "FI" });
  const move = (at: string, from: Location) => ({ at, from, to });
  const moves = [
    move("2026-11-01T00:00:00.000Z", location()),
    move("2026-11-02T00:00:00.000Z", location({ city: "Berlin", dataCenter: null })),
  ];
  const document = documentOf(ledgerOf({ validators: [{ name: "one", location: to, moves }] }), "location", one);
  expect(document).toEqual({
    data: {
      current: {
        country: "Finland",
        countryCode: "FI",
        city: "Helsinki",
        dataCenter: "Hetzner",
        asn: 24940,
        asnOrganization: "Hetzner Online GmbH",
      },
      changes: [
        {
          dataCenter: "Hetzner",
          city: "Helsinki",
          previousDataCenter: null,
          previousCity: "Berlin",
          detectedAt: "2026-11-02T00:00:00.000Z",
        },
        {
          dataCenter: "Hetzner",
          city: "Helsinki",
          previousDataCenter: "Hetzner",
          previousCity: "Frankfurt",
          detectedAt: "2026-11-01T00:00:00.000Z",
        },
      ],
    },
    meta: { network: "mainnet", votePubkey: one.votePubkey },
  });
});

test("of many moves the 50 newest are shown", () => {
  const moves = Array.from({ length: 60 }, (_, day) => ({
    at: new Date(Date.UTC(2026, 0, day + 1)).toISOString(),
    from: location(),
    to: location(),
  }));
  const changes = documentOf(ledgerOf({ validators: [{ name: "one", location: location(), moves }] }), "location", one)
    ?.data.changes;
  expect(changes?.map(({ detectedAt }) => detectedAt)).toEqual(
    moves
      .map(({ at }) => at)
      .reverse()
      .slice(0, 50),
  );
});
