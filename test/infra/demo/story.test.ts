import { describe, expect, it } from "vitest";
import type { Cluster, ClusterState } from "../../../infra/demo/cluster/cluster.ts";
import { FIRST_EPOCH, makeCluster, MINUTE, STARTS_AT, timeAt } from "./story.ts";

const EPOCHS = 5;

/** A look every ten minutes, as snapshots take it. */
function statesOf(cluster: Cluster, epochs = EPOCHS): ClusterState[] {
  return Array.from({ length: epochs * 144 }, (_, look) => cluster.at(STARTS_AT + look * 10 * MINUTE));
}

const cluster = makeCluster();
const states = statesOf(cluster);

/** Every value something of a validator had, by vote account. */
function valuesOf<Value>(pick: (validator: ClusterState["validators"][number]) => Value): Map<string, Set<Value>> {
  const values = new Map<string, Set<Value>>();
  for (const validator of states.flatMap((state) => state.validators)) {
    values.set(validator.votePubkey, (values.get(validator.votePubkey) ?? new Set()).add(pick(validator)));
  }
  return values;
}

function delinquentShare({ validators }: ClusterState): number {
  const sum = (some: typeof validators) =>
    some.reduce((total, { activatedStake }) => total + Number(activatedStake), 0);
  return sum(validators.filter(({ delinquent }) => delinquent)) / sum(validators);
}

describe("stakes", () => {
  it("move from epoch to epoch and stay within one", () => {
    const [vote] = cluster.members.map((member) => member.vote.address);
    const perEpoch = Map.groupBy(states, ({ moment }) => moment.epoch);
    const values = [...perEpoch.values()].map(
      (looks) =>
        new Set(
          looks.map(({ validators }) => validators.find(({ votePubkey }) => votePubkey === vote)?.activatedStake),
        ),
    );
    expect(values.map(({ size }) => size)).toEqual(values.map(() => 1));
    expect(new Set(values.flatMap((set) => [...set])).size).toBeGreaterThan(1);
  });

  it("include voters without stake, and stake outside the set", () => {
    const { validators } = cluster.at(timeAt(0.1));
    expect(validators.some(({ activatedStake, delinquent }) => activatedStake === 0n && !delinquent)).toBe(true);
    expect(validators.some(({ activatedStake, inValidatorSet }) => activatedStake > 0n && !inValidatorSet)).toBe(true);
  });
});

describe("delinquency", () => {
  it("hits single validators for some minutes in every epoch", () => {
    for (let ordinal = 0; ordinal < EPOCHS; ordinal++) {
      const failures = cluster.outages.delinquenciesOf(ordinal);
      expect(failures.length).toBeGreaterThanOrEqual(2);
      for (const { member, window } of failures) {
        const from = cluster.calendar.timeOf(ordinal, window.fromSlotIndex);
        const to = cluster.calendar.timeOf(ordinal, window.toSlotIndex);
        expect(to - from).toBeGreaterThanOrEqual(4 * MINUTE);
        const shown = cluster.at(from).validators.find(({ votePubkey }) => votePubkey === member.vote.address);
        if (shown !== undefined) expect(shown.delinquent).toBe(true);
      }
    }
  });

  it("hits over a third of the stake at once for a minute and a half, in every second epoch", () => {
    for (let ordinal = 0; ordinal < EPOCHS; ordinal++) {
      const window = cluster.outages.massDelinquencyOf(ordinal);
      if (ordinal % 2 === 1) expect(window).toBeNull();
      if (window === null) continue;
      const from = cluster.calendar.timeOf(ordinal, window.fromSlotIndex);
      expect(delinquentShare(cluster.at(from - 1))).toBeLessThan(1 / 3);
      expect(delinquentShare(cluster.at(from))).toBeGreaterThan(1 / 3);
      expect(delinquentShare(cluster.at(from + MINUTE))).toBeGreaterThan(1 / 3);
      expect(delinquentShare(cluster.at(from + 2 * MINUTE))).toBeLessThan(1 / 3);
    }
  });

  it("is an incident at no other time, whatever the number of validators", () => {
    for (const validators of [12, 40, 200]) {
      const other = makeCluster({ validators, stakeAccounts: 6 * validators });
      const shares = statesOf(other, 2).map((state) => ({ share: delinquentShare(state), moment: state.moment }));
      const outside = shares.filter(({ moment }) => moment.ordinal !== 0 || Math.abs(moment.position - 0.62) > 0.002);
      expect(Math.max(...outside.map(({ share }) => share))).toBeLessThan(1 / 3);
    }
  });

  it("follows from votes that only ever advance", () => {
    const newest = new Map<string, number>();
    for (const { validators, moment } of states) {
      for (const { votePubkey, lastVote, delinquent } of validators) {
        expect(lastVote).toBeGreaterThanOrEqual(newest.get(votePubkey) ?? 0);
        expect(delinquent).toBe(lastVote <= moment.slot - 128);
        newest.set(votePubkey, lastVote);
      }
    }
  });
});

describe("coming and going", () => {
  it("one validator vanishes with its account and returns within two epochs and a half", () => {
    const vanisher = cluster.members.find(({ life }) => life.role === "vanisher");
    const address = vanisher?.vote.address ?? "";
    const present = states.map(({ validators }) => validators.some(({ votePubkey }) => votePubkey === address));
    const gone = present.indexOf(false);
    const back = present.indexOf(true, gone);
    expect(present[0]).toBe(true);
    expect(gone).toBeGreaterThan(0);
    expect((back - gone) / 144).toBeGreaterThan(0.9);
    expect((back - gone) / 144).toBeLessThan(2.5);
    expect(cluster.accounts.at(address, states[gone]!.moment, null)).toBeNull();
    expect(cluster.accounts.at(address, states[back]!.moment, null)).not.toBeNull();
  });

  it("one validator is created in a later epoch, without stake until the next", () => {
    const newborn = cluster.members.find(({ life }) => life.role === "newborn")?.vote.address;
    const looks = states.map(({ validators, moment }) => ({
      row: validators.find(({ votePubkey }) => votePubkey === newborn),
      moment,
    }));
    const first = looks.find(({ row }) => row !== undefined);
    expect(first?.moment.epoch).toBe(FIRST_EPOCH + 1);
    expect(first?.row?.activatedStake).toBe(0n);
    const later = looks.find(({ moment }) => moment.epoch === FIRST_EPOCH + 2);
    expect(later?.row?.activatedStake).toBeGreaterThan(0n);
  });
});

describe("nodes", () => {
  it("change identity, place and version", () => {
    expect([...valuesOf(({ identity }) => identity).values()].some((identities) => identities.size > 1)).toBe(true);
    const ips = new Map<number, Set<string>>();
    const versions = new Map<number, Set<string>>();
    for (const { member, ip, version } of states.flatMap(({ nodes }) => nodes)) {
      ips.set(member.index, (ips.get(member.index) ?? new Set()).add(ip));
      versions.set(member.index, (versions.get(member.index) ?? new Set()).add(version));
    }
    const network = (ip: string) => ip.split(".")[1];
    expect([...ips.values()].some((seen) => new Set([...seen].map(network)).size > 2)).toBe(true);
    expect([...versions.values()].filter((seen) => seen.size > 1).length).toBeGreaterThan(10);
    expect([...versions.values()].some((seen) => seen.has("unknown"))).toBe(true);
    expect([...ips.values()].some((seen) => [...seen].some((ip) => ip.includes(":")))).toBe(true);
  });

  it("are missing from gossip for a while, and one always", () => {
    const count = states.map(
      ({ nodes, validators }) => new Set(validators.map(({ identity }) => identity)).size - nodes.length,
    );
    expect(Math.min(...count)).toBe(1);
    expect(Math.max(...count)).toBeGreaterThan(1);
  });
});
