import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDocument } from "./documents.ts";
import { playStory, type PlayedStory } from "./played-story.ts";
import { describeCommissions } from "./story-commissions.ts";
import { describeDelinquency } from "./story-delinquency.ts";
import { describeMev } from "./story-mev.ts";
import { describeValidators } from "./story-validators.ts";

// The whole way over real HTTP: a simulated cluster is watched for four epochs and more, and what is published of it is
// held against what the story says. It is played once; the files beside this one say what must be true of it.

let story: PlayedStory;

beforeAll(async () => {
  story = await playStory();
}, 180_000);

afterAll(() => story.stage.close());

describe("a story watched each minute", () => {
  it("is accepted whole, though one endpoint lies and one lags", () => {
    expect(story.looks.filter(({ report }) => report.accepted !== true)).toEqual([]);
    expect(story.looks.flatMap(({ report }) => report.rejected)).toEqual([]);
    expect(story.looks.length).toBeGreaterThan(500);
  });

  it("is published by every observation", () => {
    expect(story.looks.flatMap(({ report }) => report.skipped ?? [])).toEqual([]);
    expect(story.looks.filter(({ report }) => report.puts === 0)).toEqual([]);
  });

  it("is said to be fresh", async () => {
    const { data } = await readDocument(story.stage, "status", {});
    const last = new Date(story.looks.at(-1)?.time ?? 0).toISOString();
    expect(data).toMatchObject({ observedAt: last, pending: [], refused: [], quarantined: [] });
    expect(data.generatedAt.slice(0, -"000Z".length)).toBe(last.slice(0, -"000Z".length));
    expect(data.sources.map(({ name, state }) => `${name} ${state}`)).toEqual([
      "votes ok",
      "nodes ok",
      "info ok",
      "production ok",
      "stakeAccounts ok",
      "mev ok",
      "locations ok",
    ]);
  });
});

describeCommissions(() => story);
describeMev(() => story);
describeDelinquency(() => story);
describeValidators(() => story);
