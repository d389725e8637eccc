import { describe, expect, it } from "vitest";
import type { PlannedChange } from "../../../infra/demo/cluster/chain/planned-changes.ts";
import type { Cluster } from "../../../infra/demo/cluster/cluster.ts";
import { answerMevValidators } from "../../../infra/demo/cluster/rpc/mev-api.ts";
import { ENDPOINTS } from "../../../infra/demo/cluster/options.ts";
import {
  EPOCH_MILLISECONDS,
  findVote,
  FIRST_EPOCH,
  makeCluster,
  MINUTE,
  ofSize,
  send,
  SIZES,
  STARTS_AT,
  statesOf,
  timeAt,
} from "./_cluster.ts";

const EPOCHS = 5;
const PLANNED_EPOCHS = 8;

const cluster = makeCluster();
const states = statesOf(cluster, EPOCHS);
const planOf = (of: Cluster) => of.plannedChanges(FIRST_EPOCH + PLANNED_EPOCHS - 1);

describe("the story", () => {
  const POSITIONS = [0, 0.07, 0.35, 0.4405, 0.6205, 0.99, 1.3, 2.5, 6.72];
  const CALLS: [method: string, params: (of: Cluster) => unknown[]][] = [
    ...["getVoteAccounts", "getClusterNodes", "getBlockProduction", "getEpochInfo", "getRecentPerformanceSamples"].map(
      (method): [string, () => unknown[]] => [method, () => []],
    ),
    ["getProgramAccounts", () => ["Stake11111111111111111111111111111111111111", { encoding: "base64" }]],
    ["getMultipleAccounts", ({ members }) => [members.map(({ vote }) => vote.address), { encoding: "base64" }]],
  ];

  /** Everything a cluster answers at a time, as text. */
  function answersAt(of: Cluster, position: number): string[] {
    const bodies = CALLS.map(([method, params]) =>
      JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: params(of) }),
    );
    const at = timeAt(position);
    const rpc = ENDPOINTS.flatMap((endpoint) => bodies.map((body) => send(of, body, { at, endpoint })));
    return [...rpc, answerMevValidators(of, of.at(at).moment, null).body];
  }

  it("answers the same whatever was asked before", () => {
    const [forwards, backwards] = [makeCluster(), makeCluster()];
    const inOrder = POSITIONS.map((position) => answersAt(forwards, position));
    const inReverse = POSITIONS.toReversed().map((position) => answersAt(backwards, position));
    expect(inReverse.toReversed()).toEqual(inOrder);
    expect(answersAt(makeCluster(), 6.72)).toEqual(inOrder.at(-1));
  });

  it("is another one with another seed, and on another network", () => {
    const others = [cluster, makeCluster({ seed: 12 }), makeCluster({ network: "testnet" })];
    const votes = others.flatMap(({ members }) => members.map(({ vote }) => vote.address));
    expect(new Set(votes).size).toBe(votes.length);
  });

  it("has rugs in every epoch alike, or where they are uneven many in one and next to none in another", () => {
    const countRugs = (unevenRugs: boolean) => {
      const of = makeCluster({ validators: 200, stakeAccounts: 1200, hiddenFlips: true, unevenRugs });
      const rugs = of.plannedChanges(FIRST_EPOCH + 29).filter(({ kind }) => kind === "RUG");
      return Array.from(
        { length: 30 },
        (_, ordinal) => rugs.filter(({ epoch }) => epoch === FIRST_EPOCH + ordinal).length,
      );
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
    expect(testnet.calendar.schedule).toMatchObject({ warmup: true, firstNormalEpoch: 14, firstNormalSlot: 524_256 });
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
    "of %i validators are of every severity, some down, with a rug in every quarter of an epoch",
    (size) => {
      const plan = planOf(ofSize(size));
      const of = (wanted: string) => plan.filter(({ source }) => source === wanted);
      const kindsOf = (some: PlannedChange[]) => new Set(some.map(({ kind }) => kind));
      const kinds = new Set(["RUG", "CAUTION", "INFO"]);
      expect([kindsOf(of("COMMISSION")), kindsOf(of("MEV"))]).toEqual([kinds, kinds]);
      const rise = ({ fromBasisPoints, toBasisPoints }: PlannedChange) => (toBasisPoints ?? 0) - (fromBasisPoints ?? 0);
      expect(plan.some((change) => rise(change) < 0)).toBe(true);
      expect(of("COMMISSION").some((change) => change.kind === "INFO" && rise(change) > 0)).toBe(true);
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
      for (const { votePubkey, basisPoints } of cluster.at(STARTS_AT + minute * MINUTE).validators) {
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
        const positions = [0.5, 0.999, 1.02].map((fraction) => cluster.at(timeAt(epoch + fraction)));
        expect(positions.map((state) => findVote(state, vote.address)?.basisPoints)).toEqual([0, 10_000, 0]);
      }
  });

  it("lie between whole percents too, and above the whole", () => {
    const all = cluster.at(STARTS_AT).validators.map(({ basisPoints }) => basisPoints);
    expect([all.some((basisPoints) => basisPoints % 100 !== 0), all.includes(15_000)]).toEqual([true, true]);
  });

  it("of MEV are one an epoch at most, switch it off and on, and are none on alpenglow", () => {
    const plan = planOf(cluster).filter(({ source }) => source === "MEV");
    expect(new Set(plan.map(({ vote, epoch }) => `${vote} ${epoch}`)).size).toBe(plan.length);
    expect(plan.some(({ toBasisPoints }) => toBasisPoints === null)).toBe(true);
    expect(plan.some(({ fromBasisPoints, kind }) => fromBasisPoints === null && kind === "CAUTION")).toBe(true);
    expect(new Set(plan.filter(({ kind }) => kind === "RUG").map(({ epoch }) => epoch)).size).toBe(PLANNED_EPOCHS);
    expect(planOf(makeCluster({ network: "alpenglow" })).some(({ source }) => source === "MEV")).toBe(false);
  });
});

describe("stakes", () => {
  it("move from epoch to epoch and stay within one", () => {
    const vote = cluster.members[0]!.vote.address;
    const stakes = Map.groupBy(states, ({ moment }) => moment.epoch)
      .values()
      .map((looks) => [...new Set(looks.map((state) => findVote(state, vote)?.activatedStake))])
      .toArray();
    expect(stakes.filter((ofEpoch) => ofEpoch.length !== 1)).toEqual([]);
    expect(new Set(stakes.flat()).size).toBeGreaterThan(1);
  });

  it("include voters without stake, and stake outside the set", () => {
    const { validators } = cluster.at(timeAt(0.1));
    expect(validators.some(({ activatedStake, delinquent }) => activatedStake === 0n && !delinquent)).toBe(true);
    expect(validators.some(({ activatedStake, inValidatorSet }) => activatedStake > 0n && !inValidatorSet)).toBe(true);
  });
});

describe("nodes", () => {
  it("change identity, place, family of addresses and version", () => {
    const rows = states.flatMap(({ nodes }) => nodes);
    const seen = (of: (row: (typeof rows)[number]) => string) =>
      [...Map.groupBy(rows, ({ member }) => member.index).values()].map((own) => new Set(own.map(of)));
    const identities = Map.groupBy(
      states.flatMap(({ validators }) => validators),
      ({ votePubkey }) => votePubkey,
    ).values();
    expect(identities.some((own) => new Set(own.map(({ identity }) => identity)).size > 1)).toBe(true);
    expect(seen(({ ip }) => ip.split(".")[1] ?? "").some(({ size }) => size > 2)).toBe(true);
    expect(rows.some(({ ip }) => ip.includes(":"))).toBe(true);
    const versions = seen(({ version }) => version);
    expect(versions.filter(({ size }) => size > 1).length).toBeGreaterThan(10);
    expect(versions.some((own) => own.has("unknown"))).toBe(true);
  });

  it("are missing from gossip for a while, and one always", () => {
    const missing = states.map(
      ({ nodes, validators }) => new Set(validators.map(({ identity }) => identity)).size - nodes.length,
    );
    expect([Math.min(...missing), Math.max(...missing) > 1]).toEqual([1, true]);
  });
});
