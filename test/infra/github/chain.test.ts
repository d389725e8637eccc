import { describe, expect, it } from "vitest";
import { needsSuccessor } from "../../../infra/github/chain.ts";
import { createRandom } from "../../cluster/random.ts";
import { findStep, findWorkflow } from "../workflows/workflows.ts";
import { simulate, type Plan, type Troubles } from "./made-up-github.ts";

const HOUR = 3_600_000;
const { jobs, concurrency } = findWorkflow("generate.yml");

/** What generate.yml says; as it was before, runs of 25 minutes by the ticks alone. */
const CHAIN: Plan = { parts: 6, partMinutes: 50, chains: true };
const TICKS: Plan = { parts: 1, partMinutes: 25, chains: false };

/** As ticks of a public repository were seen to be fired: none for hours. */
const WEEK: Troubles = { days: 7, hoursBetween: [2, 6], lost: 0, refused: 0, broken: null };
const BAD_WEEK: Troubles = { ...WEEK, lost: 0.1, refused: 0.1 };

function playWeeks(plan: Plan, troubles: Troubles) {
  return Array.from({ length: 40 }, (_, week) => {
    const random = createRandom(`week ${week}`);
    let draws = 0;
    return simulate(plan, troubles, () => random.fraction("github", draws++));
  });
}
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length / 2] ?? 0;
const coverageOf = (plan: Plan, troubles: Troubles) =>
  median(playWeeks(plan, troubles).map(({ coverage }) => coverage));

describe("a run that ends", () => {
  const own = { id: 7, isOver: false };
  const over = { id: 6, isOver: true };
  it.each([
    ["starts its successor when nobody waits", [own, over], 5 * HOUR, true],
    ["leaves it to a tick that waits", [own, { id: 8, isOver: false }], 5 * HOUR, false],
    ["starts none when it did no work: that would go round without end", [own], 60_000, false],
    ["starts one after a single part, the others lost", [own], 0.8 * HOUR, true],
  ])("%s", (_, runs, lastedMilliseconds, expected) => {
    expect(needsSuccessor({ id: 7, lastedMilliseconds, runs })).toBe(expected);
  });
});

describe("a week of GitHub with ticks two to six hours apart", () => {
  it("was watched for a tenth of the time by runs of 25 minutes", () => {
    const coverage = coverageOf(TICKS, WEEK);
    expect(coverage).toBeGreaterThan(0.08);
    expect(coverage).toBeLessThan(0.13);
  });

  it("is watched for 97 % of the time by the chain, with gaps of minutes", () => {
    const weeks = playWeeks(CHAIN, WEEK);
    expect(median(weeks.map(({ coverage }) => coverage))).toBeGreaterThan(0.965);
    // But for the first tick, for which everything waits.
    for (const { worked } of weeks) {
      const gaps = worked.slice(1).map(([from], index) => from - (worked[index]?.[1] ?? 0));
      expect(Math.max(...gaps)).toBeLessThan(3);
    }
  });

  it("is watched for over 90 % where every tenth run is lost and every tenth start refused", () => {
    const weeks = playWeeks(CHAIN, BAD_WEEK);
    expect(median(weeks.map(({ coverage }) => coverage))).toBeGreaterThan(0.9);
    for (const { longestGapMinutes } of weeks) expect(longestGapMinutes).toBeLessThan(6 * 60 + 10);
  });

  it("has no loop of runs that fail at once: the ticks alone try again, and the chain goes on", () => {
    for (const { runs, worked } of playWeeks(CHAIN, { ...WEEK, broken: [24, 72] })) {
      const failed = runs.filter(({ startedAt, endsAt }) => endsAt - startedAt < 30);
      expect(failed.length).toBeLessThanOrEqual(26);
      expect(Math.max(...worked.map(([, to]) => to))).toBeGreaterThan(6.9 * 24 * 60);
    }
  });

  it("has never two runs at the same time", () => {
    for (const { runs } of playWeeks(CHAIN, BAD_WEEK)) {
      const overlaps = runs.filter(
        ({ startedAt }, index) => startedAt < (runs[index - 1]?.endsAt ?? 0),
      );
      expect(overlaps).toEqual([]);
    }
  });
});

describe("generate.yml", () => {
  it("has the parts that are played here, within the hour that AWS's keys last", () => {
    const { strategy, "timeout-minutes": minutes } = jobs["generate"] ?? {};
    expect(strategy).toMatchObject({ "max-parallel": 1, "fail-fast": false });
    expect(JSON.stringify(strategy)).toContain("'[1, 2, 3, 4, 5, 6]'");
    expect(findStep(jobs["generate"], "generate").env).not.toHaveProperty("COMMAND");
    expect(jobs["generate"]?.env["COMMAND"]).toContain(`'run --for ${CHAIN.partMinutes}m'`);
    expect(minutes).toBeGreaterThan(CHAIN.partMinutes);
    expect(minutes).toBeLessThan(60);
  });

  it("has one group for what watches, and for every other command a group of its own", () => {
    expect(concurrency).toMatchObject({ "cancel-in-progress": false });
    expect(concurrency.group).toContain("&& 'generate' || format('generate-{0}', github.run_id)");
  });

  it("gives the right to start runs to a job without keys", () => {
    const { permissions, steps = [] } = jobs["next"] ?? {};
    expect(permissions).toEqual({ contents: "read", actions: "write" });
    expect(JSON.stringify(steps)).not.toMatch(/secrets\./);
    expect(jobs["generate"]?.permissions).not.toHaveProperty("actions");
  });
});
