import { expect, it } from "vitest";
import { NETWORKS } from "../../generator/contract/networks.ts";
import { createCluster } from "../../infra/demo/cluster/cluster.ts";
import { writeGeoDatabases } from "../../infra/demo/cluster/chain/geo-databases.ts";
import { startSimulator } from "../../infra/demo/cluster/simulator.ts";
import { snapshotEntrySchema } from "../../generator/entries/entry.ts";
import { openLocations } from "../../generator/observe/locations.ts";
import { SLOT_TIME_FEATURES } from "../../generator/observe/issuance.ts";
import { tell } from "../ledger/story.ts";
import { makeDirectory } from "../store/directory.ts";
import { servers, snapshotOf, WHOLE } from "./observing.ts";

const STARTS_AT = Date.UTC(2026, 9, 1);
const EPOCH_MILLISECONDS = 2 * 3_600_000;
const SLOTS_A_MINUTE = 300;
const SIZE = { validators: 60, stakeAccounts: 900, firstEpoch: 1060, slotsPerEpoch: EPOCH_MILLISECONDS / 200 };

it.each(NETWORKS)("the simulated %s is read whole, and as it is", async (network) => {
  const time = STARTS_AT + 1.2 * EPOCH_MILLISECONDS;
  const timing = { startsAt: STARTS_AT, epochMilliseconds: EPOCH_MILLISECONDS };
  const cluster = createCluster({ network, seed: 7, ...SIZE, ...timing });
  const simulator = await startSimulator({ clusters: [cluster], now: () => time });
  servers.push(simulator);
  const made = await makeDirectory();
  const { city, asn } = await writeGeoDatabases(made.directory);
  const locations = await openLocations({ cityFile: city, asnFile: asn }).finally(() => made.remove());
  const entry = await snapshotOf(
    [],
    { ...WHOLE, closedMev: (epoch) => ({ epoch: epoch - 1, votes: [] }) },
    {
      ...{ network, endpoints: simulator.rpcUrls(network), mevUrl: simulator.mevUrl(network), locations },
      ...{ genesis: null, now: () => time },
    },
  );
  expect(snapshotEntrySchema.parse(entry)).toEqual(entry);

  const { moment, validators } = cluster.at(time);
  expect(entry).toMatchObject({ epoch: moment.epoch, slotIndex: moment.slotIndex, absoluteSlot: moment.slot });
  const read = new Map(entry.votes.map((row) => [row.vote, row]));
  const truth = validators.filter(({ votePubkey }) => read.has(votePubkey));
  expect(truth.length).toBeGreaterThan(validators.length - 5);
  for (const { votePubkey, basisPoints, activatedStake, identity, delinquent } of truth)
    expect(read.get(votePubkey)).toMatchObject({ basisPoints, activeStake: activatedStake, identity, delinquent });

  const { nodes, info, production, stakeAccounts, slotSamples, mev, closedMev } = entry;
  expect([nodes, info, production].map(({ state }) => state)).toEqual(["ok", "ok", "ok"]);
  const ofMev = network === "alpenglow" ? "skipped" : "ok";
  expect([mev.state, closedMev.state]).toEqual([ofMev, ofMev]);
  expect(stakeAccounts.state === "ok" && stakeAccounts.value.rows.some(([, activating]) => activating > 0n)).toBe(true);
  expect(entry.locations.state === "ok" && entry.locations.value.length).toBeGreaterThan(20);
  const [newest] = slotSamples.state === "ok" ? slotSamples.value : [];
  expect(newest?.slice(1)).toEqual([SLOTS_A_MINUTE, 60]);
  expect(moment.slot - (newest?.[0] ?? 0)).toBeLessThan(SLOTS_A_MINUTE);

  const issuance = tell(entry).ledger.issuance.get(moment.epoch)!;
  const inSet = validators.filter(({ inValidatorSet }) => inValidatorSet);
  const staked = inSet.reduce((sum, { activatedStake }) => sum + activatedStake, 0n);
  expect([issuance.supply > staked, issuance.supply < staked * 2n]).toEqual([true, true]);
  expect(issuance.slotMilliseconds).toBe(SLOT_TIME_FEATURES.at(-1)?.[1]);
  expect(Number(issuance.validatorRate) / 1e12).toBeCloseTo(0.0385, 5);
});
