import { describe, expect, it } from "vitest";
import type { PlannedChange } from "./chain/planned-changes.ts";
import type { Cluster, ClusterState, ValidatorState } from "./cluster.ts";
import { answerMevValidators } from "./rpc/mev-api.ts";
import { FIRST_EPOCH, ENDPOINTS } from "./options.ts";
import { EPOCH_MILLISECONDS, MINUTE, SIZES, STARTS_AT } from "./_cluster.ts";
import { call, findVote, makeCluster, ofSize, statesOf, timeAt } from "./_cluster.ts";

const EPOCHS = 5;
const PLANNED_EPOCHS = 8;

const cluster = makeCluster();
const states = statesOf(cluster, EPOCHS);
const planOf = (of: Cluster) => of.plannedChanges(FIRST_EPOCH + PLANNED_EPOCHS - 1);

describe("the story", () => {
  const POSITIONS = [0, 0.07, 0.35, 0.4405, 0.6205, 0.99, 1.3, 2.5, 6.72];
  const CALLS: [method: string, params: (of: Cluster) => unknown[]][] = [
    ...[
      "getVoteAccounts",
      "getClusterNodes",
      "getBlockProduction",
      "getEpochInfo",
      "getRecentPerformanceSamples",
    ].map((method): [string, () => unknown[]] => [method, () => []]),
    [
      "getProgramAccounts",
      () => ["Stake11111111111111111111111111111111111111", { encoding: "base64" }],
    ],
    [
      "getMultipleAccounts",
      ({ members }) => [members.map(({ vote }) => vote.address), { encoding: "base64" }],
    ],
  ];

  /** Everything a cluster answers at a time. */
  function answersAt(of: Cluster, position: number): unknown[] {
    const at = timeAt(position);
    const rpc = ENDPOINTS.flatMap((endpoint) =>
      CALLS.map(([method, params]) => call(of, method, params(of), { at, endpoint })),
    );
    return [...rpc, answerMevValidators(of, of.at(at).moment, null).body];
  }

  it("answers the same whatever was asked before", () => {
    const [forwards, backwards] = [makeCluster(), makeCluster()];
    const inOrder = POSITIONS.map((position) => answersAt(forwards, position));
    const inReverse = POSITIONS.toReversed().map((position) => answersAt(backwards, position));
    expect(inReverse.toReversed()).toEqual(inOrder);
    expect(answersAt(makeCluster(), 6.72)).toEqual(inOrder.at(-1));
  });

  it("has rugs in every epoch alike, or where they are uneven many in one and next to none in another", () => {
    const countRugs = (unevenRugs: boolean) => {
      const of = makeCluster({
        validators: 200,
        stakeAccounts: 1200,
        hiddenFlips: true,
        unevenRugs,
      });
      const counts = Array.from({ length: 30 }, () => 0);
      for (const { kind, epoch } of of.plannedChanges(FIRST_EPOCH + 29))
        if (kind === "RUG") counts[epoch - FIRST_EPOCH]! += 1;
      return counts;
    };
    const [even, uneven] = [countRugs(false), countRugs(true)];
    expect(Math.min(...even)).toBeGreaterThan(5);
    expect(Math.min(...uneven)).toBeLessThan(3);
    expect(Math.max(...uneven)).toBeGreaterThan(3 * (1 + Math.min(...uneven)));
    expect(new Set(uneven).size).toBeGreaterThan(5);
    expect(countRugs(true)).toEqual(uneven);
  });

  it("stands at its first slot before it starts", () => {
    const first = { epoch: FIRST_EPOCH, slotIndex: 0, slot: FIRST_EPOCH * 432_000 };
    expect(cluster.at(STARTS_AT - 5_000_000).moment).toMatchObject(first);
  });

  it("numbers testnet's slots after its short first epochs", () => {
    const testnet = makeCluster({ network: "testnet" });
    expect(testnet.calendar.schedule).toMatchObject({
      warmup: true,
      firstNormalEpoch: 14,
      firstNormalSlot: 524_256,
    });
    expect(testnet.at(STARTS_AT).moment.slot).toBe(524_256 + (FIRST_EPOCH - 14) * 432_000);
  });

  it.each([
    [{ validators: 11 }, /validators/],
    [{ stakeAccounts: 40 * 6 - 1 }, /stakeAccounts/],
  ])("refuses %o", (options, message) => {
    expect(() => makeCluster(options)).toThrow(message);
  });
});

describe("commission changes", () => {
  it.each(SIZES)(
    "of %i validators are of every severity, some down, with a rug in every quarter epoch",
    (size) => {
      const plan = planOf(ofSize(size));
      const of = (wanted: string) => plan.filter(({ source }) => source === wanted);
      const kindsOf = (some: PlannedChange[]) => new Set(some.map(({ kind }) => kind));
      const kinds = new Set(["RUG", "CAUTION", "INFO"]);
      expect([kindsOf(of("COMMISSION")), kindsOf(of("MEV"))]).toEqual([kinds, kinds]);
      const rise = ({ fromBasisPoints, toBasisPoints }: PlannedChange) =>
        (toBasisPoints ?? 0) - (fromBasisPoints ?? 0);
      expect(plan.some((change) => rise(change) < 0)).toBe(true);
      expect(of("COMMISSION").some((change) => change.kind === "INFO" && rise(change) > 0)).toBe(
        true,
      );
      const rugs = of("COMMISSION").filter(({ kind }) => kind === "RUG");
      const quarterOf = ({ atMilliseconds }: PlannedChange) =>
        Math.floor(((atMilliseconds - STARTS_AT) / EPOCH_MILLISECONDS) * 4);
      expect(new Set(rugs.map(quarterOf)).size).toBe(PLANNED_EPOCHS * 4);
    },
  );

  it("show from the planned millisecond on, and there are no others", () => {
    const changes = planOf(cluster).filter(({ source }) => source === "COMMISSION");
    expect(changes.length).toBeGreaterThan(PLANNED_EPOCHS * 8);
    for (const { vote, atMilliseconds, fromBasisPoints, toBasisPoints } of changes) {
      expect(findVote(cluster.at(atMilliseconds - 1), vote)?.basisPoints).toBe(fromBasisPoints);
      expect(findVote(cluster.at(atMilliseconds), vote)?.basisPoints).toBe(toBasisPoints);
    }
    const seen = new Map<string, number>();
    let changed = 0;
    for (let minute = 0; minute < PLANNED_EPOCHS * 1440; minute++)
      for (const { votePubkey, basisPoints } of cluster.at(STARTS_AT + minute * MINUTE)
        .validators) {
        if ((seen.get(votePubkey) ?? basisPoints) !== basisPoints) changed++;
        seen.set(votePubkey, basisPoints);
      }
    expect(changed).toBe(changes.length);
  });

  it("of flippers take everything just before each epoch ends and nothing soon after", () => {
    const flippers = cluster.members.filter(({ commission }) => commission.role === "flipper");
    expect(flippers.length).toBeGreaterThan(0);
    for (const { vote } of flippers)
      for (let epoch = 0; epoch < PLANNED_EPOCHS; epoch++) {
        const positions = [0.5, 0.999, 1.02].map((fraction) =>
          cluster.at(timeAt(epoch + fraction)),
        );
        expect(positions.map((state) => findVote(state, vote.address)?.basisPoints)).toEqual([
          0, 10_000, 0,
        ]);
      }
  });

  it("lie between whole percents too, and above the whole", () => {
    const all = cluster.at(STARTS_AT).validators.map(({ basisPoints }) => basisPoints);
    expect([all.some((basisPoints) => basisPoints % 100 !== 0), all.includes(15_000)]).toEqual([
      true,
      true,
    ]);
  });

  it("of MEV are one an epoch at most, switch it off and on, and are none on alpenglow", () => {
    const plan = planOf(cluster).filter(({ source }) => source === "MEV");
    expect(new Set(plan.map(({ vote, epoch }) => `${vote} ${epoch}`)).size).toBe(plan.length);
    expect(plan.some(({ toBasisPoints }) => toBasisPoints === null)).toBe(true);
    expect(
      plan.some(({ fromBasisPoints, kind }) => fromBasisPoints === null && kind === "CAUTION"),
    ).toBe(true);
    expect(new Set(plan.filter(({ kind }) => kind === "RUG").map(({ epoch }) => epoch)).size).toBe(
      PLANNED_EPOCHS,
    );
    expect(
      planOf(makeCluster({ network: "alpenglow" })).some(({ source }) => source === "MEV"),
    ).toBe(false);
  });
});

describe("the story has", () => {
  const { validators } = cluster.at(timeAt(0.1));
  const nodes = states.flatMap((state) => state.nodes);
  const seenOfEach = (of: (row: (typeof nodes)[number]) => string) =>
    [...Map.groupBy(nodes, ({ member }) => member.index).values()].map(
      (own) => new Set(own.map(of)),
    );
  const versions = seenOfEach(({ version }) => version);
  const all = states.flatMap((state) => state.validators);
  const identities = Map.groupBy(all, ({ votePubkey }) => votePubkey).values();
  const countIdentities = (of: readonly ValidatorState[]) =>
    new Set(of.map(({ identity }) => identity)).size;
  const missing = states.map((state) => countIdentities(state.validators) - state.nodes.length);
  const largest = cluster.members[0]!.vote.address;

  it.each([
    [
      "voters without stake",
      validators.some(({ activatedStake, delinquent }) => activatedStake === 0n && !delinquent),
    ],
    [
      "stake outside the set",
      validators.some((one) => one.activatedStake > 0n && !one.inValidatorSet),
    ],
    [
      "stakes that move",
      new Set(states.map((state) => findVote(state, largest)?.activatedStake)).size > 1,
    ],
    ["who changes identity", identities.some((own) => countIdentities(own) > 1)],
    [
      "who moves to another place",
      seenOfEach(({ ip }) => ip.split(".")[1] ?? "").some(({ size }) => size > 2),
    ],
    ["nodes at IPv6 addresses", nodes.some(({ ip }) => ip.includes(":"))],
    ["new versions of many nodes", versions.filter(({ size }) => size > 1).length > 10],
    ["versions that are not told", versions.some((own) => own.has("unknown"))],
    ["one that gossip never tells of", Math.min(...missing) === 1],
    ["others that gossip misses for a while", Math.max(...missing) > 1],
  ])("%s", (_, isThere) => expect(isThere).toBe(true));

  it("single validators that do not vote for some minutes, in every epoch", () => {
    for (let ordinal = 0; ordinal < EPOCHS; ordinal++) {
      const failures = cluster.outages.delinquenciesOf(ordinal);
      expect(failures.length).toBeGreaterThanOrEqual(2);
      for (const { member, window } of failures) {
        const from = cluster.calendar.timeOf(ordinal, window.fromSlotIndex);
        expect(cluster.calendar.timeOf(ordinal, window.toSlotIndex) - from).toBeGreaterThanOrEqual(
          4 * MINUTE,
        );
        expect(findVote(cluster.at(from), member.vote.address)?.delinquent ?? true).toBe(true);
      }
    }
  });

  it.each(SIZES)("one incident alone among %i validators", (size) => {
    const outside = statesOf(ofSize(size), 2).filter(
      ({ moment }) => moment.ordinal !== 0 || Math.abs(moment.position - 0.62) > 0.002,
    );
    expect(Math.max(...outside.map(delinquentShare))).toBeLessThan(1 / 3);
  });

  it("delinquency by votes, which only ever advance", () => {
    const newest = new Map<string, number>();
    for (const { validators, moment } of states)
      for (const { votePubkey, lastVote, delinquent } of validators) {
        expect(lastVote).toBeGreaterThanOrEqual(newest.get(votePubkey) ?? 0);
        expect(delinquent).toBe(lastVote <= moment.slot - 128);
        newest.set(votePubkey, lastVote);
      }
  });

  const voteOf = (role: string) =>
    cluster.members.find(({ life }) => life.role === role)!.vote.address;

  it("one that vanishes with its account, and is back within two epochs and a half", () => {
    const vote = voteOf("vanisher");
    const present = states.map((state) => findVote(state, vote) !== undefined);
    const gone = present.indexOf(false);
    const back = present.indexOf(true, gone);
    expect([gone > 0, back - gone > 0.9 * 144, back - gone < 2.5 * 144]).toEqual([
      true,
      true,
      true,
    ]);
    const accounts = [gone, back].map(
      (look) => cluster.accounts.at(vote, states[look]!.moment, null) !== null,
    );
    expect(accounts).toEqual([false, true]);
  });

  it("one that is created later, without stake until the next epoch", () => {
    const stakes = states.map((state) => ({
      epoch: state.moment.epoch,
      row: findVote(state, voteOf("newborn")),
    }));
    const first = stakes.find(({ row }) => row !== undefined)!;
    expect([first.epoch, first.row?.activatedStake]).toEqual([FIRST_EPOCH + 1, 0n]);
    expect(
      stakes.find(({ epoch }) => epoch === FIRST_EPOCH + 2)?.row?.activatedStake,
    ).toBeGreaterThan(0n);
  });
});

function delinquentShare({ validators }: ClusterState): number {
  const sum = (some: readonly ValidatorState[]) =>
    some.reduce((total, { activatedStake }) => total + Number(activatedStake), 0);
  return sum(validators.filter(({ delinquent }) => delinquent)) / sum(validators);
}
