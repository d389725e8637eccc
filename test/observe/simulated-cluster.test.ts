import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { createCluster, type Cluster } from "../../infra/demo/cluster/cluster.ts";
import { writeGeoDatabases } from "../../infra/demo/cluster/chain/geo-databases.ts";
import { startSimulator, type Simulator } from "../../infra/demo/cluster/simulator.ts";
import { snapshotEntrySchema } from "../../generator/entries/entry.ts";
import { openLocations, type Locations } from "../../generator/observe/locations.ts";
import { SLOT_TIME_FEATURES } from "../../generator/observe/issuance.ts";
import { createObserver, type Observer } from "../../generator/observe/observation.ts";
import { tell } from "../ledger/story.ts";
import { makeDirectory } from "../store/directory.ts";
import { entryOf, SMALL, WHOLE } from "./observing.ts";

const STARTS_AT = Date.UTC(2026, 9, 1);
const EPOCH_MILLISECONDS = 2 * 3_600_000;
let time = STARTS_AT;
let clusters: Record<Network, Cluster>;
let simulator: Simulator;
let made: Awaited<ReturnType<typeof makeDirectory>>;
let locations: Locations;

beforeAll(async () => {
  const entries = NETWORKS.map((network) => [network, createSmallCluster(network)] as const);
  clusters = Object.fromEntries(entries) as Record<Network, Cluster>;
  simulator = await startSimulator({ clusters: Object.values(clusters), now: () => time });
  made = await makeDirectory();
  const { city, asn } = await writeGeoDatabases(made.directory);
  locations = await openLocations({ cityFile: city, asnFile: asn });
});

afterAll(async () => {
  await simulator.close();
  await made.remove();
});

function createSmallCluster(network: Network): Cluster {
  const size = { validators: 60, stakeAccounts: 900, firstEpoch: 1060, slotsPerEpoch: EPOCH_MILLISECONDS / 200 };
  return createCluster({ network, seed: 7, ...size, startsAt: STARTS_AT, epochMilliseconds: EPOCH_MILLISECONDS });
}

async function observing<T>(network: Network, task: (observer: Observer) => Promise<T>): Promise<T> {
  const [endpoints, mevUrl] = [simulator.rpcUrls(network), simulator.mevUrl(network)];
  const observer = createObserver({ network, endpoints, mevUrl, locations, genesis: null, now: () => time });
  return task(observer).finally(() => observer.close());
}

const at = (epochs: number) => STARTS_AT + Math.floor(epochs * EPOCH_MILLISECONDS);

describe.each(NETWORKS)("the simulated %s", (network) => {
  it("is read whole, and as it is", async () => {
    time = at(1.2);
    const cluster = clusters[network];
    const request = { ...WHOLE, closedMev: (epoch: number) => ({ epoch: epoch - 1, votes: [] }) };
    const entry = entryOf(await observing(network, (observer) => observer.snapshot(request)));
    const { moment, validators } = cluster.at(time);
    expect(snapshotEntrySchema.parse(entry)).toEqual(entry);
    expect(entry).toMatchObject({ epoch: moment.epoch, slotIndex: moment.slotIndex, absoluteSlot: moment.slot });
    const read = new Map(entry.votes.map((row) => [row.vote, row]));
    const truth = validators.filter(({ votePubkey }) => read.has(votePubkey));
    expect(truth.length).toBeGreaterThan(validators.length - 5);
    for (const { votePubkey, basisPoints, activatedStake, identity, delinquent } of truth) {
      expect(read.get(votePubkey)).toMatchObject({ basisPoints, activeStake: activatedStake, identity, delinquent });
    }
    const sections = [entry.nodes, entry.info, entry.production, entry.stakeAccounts, entry.locations];
    expect(sections.map(({ state }) => state)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
    const [newest] = entry.slotSamples.state === "ok" ? entry.slotSamples.value : [];
    expect(newest?.slice(1)).toEqual([60_000 / 200, 60]);
    expect(moment.slot - (newest?.[0] ?? 0)).toBeLessThan(60_000 / 200);
    const inSet = validators.filter(({ inValidatorSet }) => inValidatorSet);
    const staked = inSet.reduce((sum, { activatedStake }) => sum + activatedStake, 0n);
    const { ledger } = tell(entry);
    const issuance = ledger.issuance.get(moment.epoch);
    expect(issuance?.slotMilliseconds).toBe(SLOT_TIME_FEATURES.at(-1)?.[1]);
    expect([issuance!.supply > staked, issuance!.supply < staked * 2n]).toEqual([true, true]);
    expect(Number(issuance!.validatorRate) / 1e12).toBeCloseTo(0.0385, 5);
    expect([entry.mev.state, entry.closedMev.state]).toEqual(
      network === "alpenglow" ? ["skipped", "skipped"] : ["ok", "ok"],
    );
    expect(
      entry.stakeAccounts.state === "ok" && entry.stakeAccounts.value.rows.some(([, activating]) => activating > 0n),
    ).toBe(true);
    expect(entry.locations.state === "ok" && entry.locations.value.length).toBeGreaterThan(20);
  });
});

it("the simulated endpoints hold the tips so far of the running epoch, and all of a counted one", async () => {
  time = at(2.5);
  const { epoch } = clusters.mainnet.at(time).moment;
  const amounts = await observing("mainnet", async (observer) => {
    const { votes } = entryOf(await observer.snapshot(SMALL));
    const tips = votes.flatMap(({ vote }) => [epoch, epoch - 1].map((of) => ({ vote, epoch: of })));
    const { tipAmounts } = entryOf(await observer.snapshot({ ...SMALL, tipAmounts: () => tips }));
    const [answer] = tipAmounts?.state === "ok" ? tipAmounts.value.answers : [];
    return answer?.state === "ok" ? answer.amounts : [];
  });
  const [running, ended] = [0, 1].map((ago) => amounts.filter((_, index) => index % 2 === ago).filter((one) => one));
  expect(running!.length).toBeGreaterThan(10);
  expect(new Set(running!.map((one) => one?.[1]))).toEqual(new Set([false]));
  expect(new Set(ended!.map((one) => one?.[1]))).toEqual(new Set([true]));
  const sum = (told: typeof amounts) => told.reduce((total, one) => total + (one?.[0] ?? 0n), 0n);
  expect(sum(running!) > 0n && sum(running!) < sum(ended!)).toBe(true);
});

it("the simulated endpoints hold the tip accounts that the MEV list was made from", async () => {
  time = at(2.9);
  const { epoch } = clusters.mainnet.at(time).moment;
  const [snapshot, confirmation] = await observing("mainnet", async (observer) => {
    const one = entryOf(await observer.snapshot(SMALL));
    const tips = one.votes.map(({ vote }) => ({ vote, epoch }));
    return [one, entryOf(await observer.confirm({ votes: [], tips }))];
  });
  const [first] = confirmation.answers;
  const shares = first?.state === "ok" ? first.shares : [];
  const held = new Map(
    confirmation.tips.flatMap(({ vote }, index) => (shares[index] ? [[vote, shares[index][0]]] : [])),
  );
  const listed = snapshot.mev.state === "ok" ? snapshot.mev.value.rows : [];
  const both = listed.filter(({ vote }) => held.has(vote));
  expect(both.length).toBeGreaterThan(10);
  expect(both.map(({ vote }) => held.get(vote))).toEqual(both.map(({ mevBasisPoints }) => mevBasisPoints));
});
