import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { FIRST_EPOCH, slotAt, SLOTS_IN_EPOCH, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { history } from "../story/history.ts";
import { issuanceOf, SUPPLY } from "../story/issuance.ts";
import { check, snapshot } from "../story/observations.ts";
import { crowd } from "../story/validators.ts";
import { read } from "./read.ts";
import { expectTouchedToSuffice } from "./rendered.ts";

const SOL = 1_000_000_000n;
const ten = crowd(10, { stake: 40_000_000n * SOL });
const stake = (sol: bigint) => ({ lamports: String(sol * SOL), sol: Number(sol) });

const tell = (...items: Entry[]) => read(foldStory(...items).ledger, "epochs", {});
const with385 = (minute: number) => snapshot(minute, ten, { issuance: issuanceOf(minute, {}) });

describe("the list of epochs", () => {
  it("has slots, times and what the staking rewards of each are computed from", () => {
    const { data, meta } = tell(with385(5), check(119, ten), check(121, ten), with385(125));
    const known = {
      inflationRate: 0.0385,
      supply: { lamports: String(SUPPLY), sol: 620_000_000 },
      activeStake: stake(400_000_000n),
      epochsPerYear: 365.242199 * 12,
      nakamotoCoefficient: 4,
    };
    const first = FIRST_EPOCH * SLOTS_IN_EPOCH;
    const [startedAt] = [timeAt(120)];
    expect(data).toEqual([
      {
        epoch: FIRST_EPOCH,
        firstSlot: first,
        lastSlot: first + SLOTS_IN_EPOCH - 1,
        startedAt: null,
        endedAt: startedAt,
        ...known,
      },
      {
        epoch: FIRST_EPOCH + 1,
        firstSlot: first + SLOTS_IN_EPOCH,
        lastSlot: first + 2 * SLOTS_IN_EPOCH - 1,
        startedAt,
        endedAt: null,
        ...known,
      },
    ]);
    expect(meta).toEqual({ network: "mainnet", total: 2, latestEpoch: FIRST_EPOCH + 1 });
  });

  it("dates a start between the observations around it, if they are within an hour", () => {
    const startOf = (before: number, after: number) =>
      tell(check(before, ten), check(after, ten)).data[1]?.startedAt;
    expect(startOf(119.5, 121)).toBe(timeAt(120));
    expect(startOf(61, 121)).toBe(timeAt(120));
    expect(startOf(60, 121)).toBeNull();
  });

  it("counts the fewest validators that held a third of the stake recorded in each epoch", () => {
    const [first, ...others] = crowd(10, { stake: 10n * SOL });
    const grown = [{ ...first!, stake: 25n * SOL }, ...others];
    const { data } = tell(snapshot(5, [first!, ...others]), snapshot(125, grown));
    expect(data.map(({ nakamotoCoefficient }) => nakamotoCoefficient)).toEqual([4, 3]);
  });

  it("has the stake of a public history where nothing else is known", () => {
    const points = [7n, 8n].map((sol, index) => ({ at: index - 3, percent: 5, stake: sol * SOL }));
    const { data } = tell(with385(5), history(6, { "crowd 0": points, "crowd 1": points }));
    const past = data.filter(({ epoch }) => epoch < FIRST_EPOCH);
    const unknown = {
      startedAt: null,
      endedAt: null,
      inflationRate: null,
      supply: null,
      epochsPerYear: null,
    };
    expect(past).toMatchObject([
      { epoch: FIRST_EPOCH - 3, activeStake: stake(14n), ...unknown },
      { epoch: FIRST_EPOCH - 2, activeStake: stake(16n), ...unknown },
    ]);
  });

  it("is rendered again when an epoch begins, or its stake or inflation becomes known", () => {
    const more = crowd(10, { stake: 41_000_000n * SOL });
    expectTouchedToSuffice([
      check(5, ten),
      with385(10),
      check(119, ten),
      // Its list is still of the epoch before.
      check(120.1, ten, { slot: slotAt(119.9) }),
      check(121, more),
      with385(125),
    ]);
  });
});
