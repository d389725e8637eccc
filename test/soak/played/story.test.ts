import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDocument } from "../../service/documents.ts";
import { MINUTE, STARTS_AT, timeAt } from "../../service/harness.ts";
import { END, playStory, type PlayedStory } from "./play.ts";
import { verify } from "../verification.ts";
import { describeCommissions } from "./commissions.ts";
import { describeDelinquency } from "./delinquency.ts";
import { describeMev } from "./mev.ts";
import { describeValidators } from "./validators.ts";

let story: PlayedStory;

beforeAll(async () => {
  story = await playStory();
});

afterAll(() => story.stage.close());

describe("a story watched each minute", () => {
  it("is accepted whole, though one endpoint lies and one lags, and each observation is published", () => {
    const reports = story.looks.map(({ report }) => report);
    expect(reports.filter(({ accepted, puts }) => accepted !== true || puts === 0)).toEqual([]);
    expect(
      reports.flatMap(({ rejected, skipped }) => [
        ...rejected,
        ...(skipped === null ? [] : [skipped]),
      ]),
    ).toEqual([]);
  });

  it("is looked at each minute on the minute, and in a burst around each epoch boundary", () => {
    const times = story.looks.map(({ time }) => time - STARTS_AT);
    const between = times.filter((time) => time % MINUTE !== 0);
    const boundaries = [1, 2, 3, 4].map((validatorIndex) => timeAt(validatorIndex) - STARTS_AT);
    // The boundary falls on a minute: its own check is too early
    // for a vote of the new epoch, and its snapshot waits for one.
    const around = boundaries.flatMap((boundary) =>
      [-10, -8, -6, -4, -2, 2, 4].map((second) => boundary / 1000 + second),
    );
    expect(between.map((time) => Math.round(time / 1000))).toEqual(around);
    const onTheMinute = times.filter((time) => time % MINUTE === 0);
    expect(onTheMinute).toEqual(onTheMinute.map((_, index) => index * MINUTE));
    expect(onTheMinute.length).toBe((timeAt(END) - STARTS_AT) / MINUTE);
  });

  it("is published as the journal tells it, after hours, checkpoints and a restart", async () => {
    expect(await verify(story.stage, story.stage.clock.now())).toMatchObject({
      differences: [],
      quarantined: [],
    });
    expect(await Array.fromAsync(story.stage.stateStore.list("checkpoints/"))).not.toEqual([]);
  });

  it("is said to be fresh", async () => {
    const { data } = await readDocument(story.stage, "status", {});
    const last = new Date(story.looks.at(-1)?.time ?? 0).toISOString();
    expect(data).toMatchObject({ observedAt: last, pending: [], refused: [], quarantined: [] });
    expect(data.generatedAt.slice(0, -"000Z".length)).toBe(last.slice(0, -"000Z".length));
    expect(data.sources.map(({ name, state }) => `${name} ${state}`).join(", ")).toBe(
      "votes ok, nodes ok, info ok, production ok, stakeAccounts ok, mev ok, locations ok, issuance ok, witnesses ok",
    );
  });
});

describeCommissions(() => story);
describeMev(() => story);
describeDelinquency(() => story);
describeValidators(() => story);
