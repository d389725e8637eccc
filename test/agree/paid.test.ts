import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { type AgreedPaid, agreeOnPaid, MEASURABLE_LAMPORTS } from "../../generator/agree/paid.ts";
import { epochAt } from "../story/clock.ts";
import { CREDITS, rewardsOf, type RewardsReading, type Stake } from "../story/rewards.ts";
import { keyOf } from "../story/validators.ts";
import { all, listsWithout } from "../story/witnesses.ts";

const MINUTE = 140;
const EPOCH = epochAt(MINUTE) - 1;

type Told = Parameters<typeof rewardsOf>[2];

/** Of A, by each witness. */
function agreeOn(readings: readonly RewardsReading[], told?: Told): AgreedPaid["paid"] {
  const agreed = agreeOnPaid({ rewards: rewardsOf(MINUTE, readings, told) }, listsWithout(null));
  expect(agreed).toMatchObject({ epoch: EPOCH, validators: [{ vote: keyOf("A") }] });
  return agreed?.validators[0]?.paid ?? null;
}

type Shown = Stake | "gone" | "missing";

const paid = (...stakes: Shown[]): RewardsReading => ({ A: { stakes } });

/** By one witness. */
const measured = (...stakes: Shown[]) => agreeOn([paid(...stakes)]);

describe("the commission that rewards took", () => {
  it.each([0, 1, 499, 500, 525, 9999, 10_000, 15_000])(
    "is told to the basis point: %i",
    (commission) => {
      expect(measured({ commission })).toBe(Math.min(commission, 10_000));
    },
  );

  it("is told of every reward that is large enough", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 4_000_000_000n, max: 10n ** 17n }),
        fc.integer({ min: 0, max: 10_000 }),
        (stake, commission) => measured({ stake, commission }) === commission,
      ),
    );
  });

  it("is not told of a smaller one", () => {
    const lamports = (MEASURABLE_LAMPORTS * 1000n) / 272n;
    expect(measured({ stake: lamports })).toBe("too_small");
    expect(measured({ stake: lamports }, { commission: 700 })).toBe(700);
  });

  it.each<[string, Shown, AgreedPaid["paid"]]>([
    ["was closed, or moved to another validator", "gone", "no_account"],
    ["is not shown", "missing", null],
    ["is shown as before it was paid", { creditsObserved: CREDITS[1] }, null],
  ])("is not told by an account that %s", (_, stake, expected) => {
    expect(measured(stake)).toBe(expected);
    expect(measured(stake, { commission: 700 })).toBe(700);
  });

  // A part that was split off after the payment has the credits of the whole, and no reward.
  it("is not taken for 100 % by accounts that show no reward, where the validator kept less", () => {
    const split: Stake = { stake: 30_000_000_000_000n, amount: null };
    const kept = 27_107_142_857n;
    expect(agreeOn([{ A: { stakes: [split, split], kept: kept / 20n } }])).toBe(null);
    expect(agreeOn([{ A: { stakes: [split, split], kept: null } }])).toBe(null);
    expect(agreeOn([{ A: { stakes: [split, split], kept } }])).toBe(10_000);
    expect(agreeOn([{ A: { stakes: [split, { commission: 500 }], kept: kept / 20n } }])).toBe(500);
  });

  it("is not told by an account whose stake was changed after it was paid", () => {
    const amount = 25_000_000_000n;
    expect(measured({ amount })).toBe(null);
    expect(measured({ amount }, { commission: 700 })).toBe(700);
  });

  it("is not told by accounts that contradict each other", () => {
    expect(measured({ commission: 500 }, { commission: 501 })).toBe(null);
  });

  it("is not told without credits", () => {
    expect(agreeOn([{ A: { credits: [7n, 7n] } }])).toBe("no_rewards");
    expect(agreeOn([{ A: { credits: null } }])).toBe(null);
  });

  // The runtime pays nobody whose stake has more credits than the reopened account.
  it("is not taken for 100 % where an account that began in the epoch paid nothing", () => {
    const begun = (amount: bigint | null | undefined): RewardsReading => ({
      A: { credits: [6_900_000n, 0n], stakes: [{ ...(amount !== undefined && { amount }) }] },
    });
    expect(agreeOn([begun(null)])).toBe("no_rewards");
    expect(agreeOn([begun(undefined)])).toBe(500);
  });

  it("is not told without an account", () => {
    expect(measured()).toBe("no_account");
  });
});

describe("a stake that warms up", () => {
  const stakeHistory = (...activating: bigint[]): Told => ({
    stakeHistory: activating.map((each, age) => [EPOCH - 1 - age, 1000n, each]),
  });
  const activated = (age: number) => [paid({ activationEpoch: EPOCH - age })];

  it.each<[string, number, bigint[], AgreedPaid["paid"]]>([
    ["counts where all that was activating became effective", 1, [90n], 500],
    ["does not count where more was activating", 1, [91n], "no_account"],
    ["counts once the rest became effective", 2, [10n, 300n], 500],
    ["does not count before", 2, [210n, 300n], "no_account"],
    ["counts if it is older than what is kept", 9, [300n, 300n], 500],
    ["does not count in the epoch that activates it", 0, [0n], "no_account"],
  ])("%s", (_, age, activating, expected) => {
    expect(agreeOn(activated(age), stakeHistory(...activating))).toBe(expected);
  });

  it("always counts if it is of the genesis", () => {
    expect(agreeOn([paid({ activationEpoch: null })], stakeHistory(999n))).toBe(500);
  });
});

describe("of what an epoch paid a panel agrees on", () => {
  const five = paid({ commission: 500 });
  const all100 = paid({ commission: 10_000 });

  it.each<[string, RewardsReading[], AgreedPaid["paid"]]>([
    ["what two of three read", [five, all100, five], 500],
    ["what two of three read while one is silent", [five, "silent", five], 500],
    ["nothing where one of three is silent, and two differ", [five, "silent", all100], null],
    ["nothing where two differ", [five, all100], null],
    ["nothing where four are even", [five, five, all100, all100], null],
    ["a reason that a majority gives", all(3, paid("gone")), "no_account"],
  ])("%s", (_, readings, expected) => {
    expect(agreeOn(readings)).toBe(expected);
  });

  it.each<
    [string, RewardsReading[], silent: number | null, expected: [AgreedPaid["paid"], boolean]]
  >([
    ["what one of two reads, who alone gives a list", [five, "silent"], 1, [500, true]],
    [
      "nothing by one of two, the other only without this answer",
      [five, "silent"],
      null,
      [null, false],
    ],
    ["nothing by the one of two that gives no list", [five, "silent"], 0, [null, false]],
    ["what both read", [five, five], null, [500, false]],
  ])("%s", (_, readings, silent, [value, isAlone]) => {
    const agreed = agreeOnPaid({ rewards: rewardsOf(MINUTE, readings) }, listsWithout(silent));
    expect(agreed).toMatchObject({ isAlone, validators: [{ paid: value }] });
  });

  it("nothing where it was not read", () => {
    expect(agreeOnPaid({ rewards: { state: "skipped", off: false } }, listsWithout(null))).toBe(
      null,
    );
  });
});
