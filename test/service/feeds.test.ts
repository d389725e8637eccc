import { parseAtomFeed } from "feedsmith";
import { beforeAll, describe, expect, it } from "vitest";
import { publish } from "../../generator/service/publishing.ts";
import type { CommandOptions } from "../../generator/service/for-each-network.ts";
import { FEED_SEVERITIES, FEEDS } from "../../generator/contract/feed.ts";
import { findDifferences } from "../integration/generator/staging.ts";
import { readDocument, readSite } from "./documents.ts";
import { MINUTE, openStage, timeAt, type Stage } from "./harness.ts";

const FEED_KEYS = FEEDS.flatMap((feed) => [`feeds/mainnet/${feed}.atom`, `feeds/mainnet/${feed}.json`]).sort();

let stage: Stage;
/** With those of each validator that has events. */
let feedKeys: string[];

beforeAll(async () => {
  stage = await openStage({ validators: 20, seed: 3 });
  await stage.play({
    until: timeAt(1.3),
    cadence: { checkMilliseconds: 5 * MINUTE, snapshotMilliseconds: 20 * MINUTE },
  });
  const { data } = await readDocument(stage, "events", {});
  const votes = new Set(data.filter(({ confirmed }) => confirmed).map(({ votePubkey }) => votePubkey));
  const ofValidators = [...votes].flatMap((vote) =>
    ["atom", "json"].map((end) => `feeds/mainnet/validators/${vote}.${end}`),
  );
  feedKeys = [...FEED_KEYS, ...ofValidators].sort();
  return () => stage.close();
});

const at = (siteUrl: string): CommandOptions => ({
  ...stage.command,
  settings: { ...stage.command.settings, siteUrl },
});

const keysOf = (site: Map<string, string>, folders: RegExp) =>
  [...site.keys()].filter((key) => folders.test(key)).sort();
/** Documents that name the site: feeds, and pages with their sitemap. */
const LINKING = /^(?:feeds|pages)\//;

describe("the feeds of a played story", () => {
  it("are published, and tell the events that the API tells", async () => {
    const site = await readSite(stage);
    expect(keysOf(site, /^feeds\//)).toEqual(feedKeys);
    expect(feedKeys.length).toBeLessThan(2 * 20);
    const { data } = await readDocument(stage, "events", {});
    const shown = data.filter(({ confirmed }) => confirmed).slice(0, 100);
    expect(shown.length).toBeGreaterThan(3);
    for (const feed of FEEDS) {
      const severities: readonly string[] = FEED_SEVERITIES[feed];
      const { entries = [] } = parseAtomFeed(site.get(`feeds/mainnet/${feed}.atom`) ?? "");
      const expected = shown.filter(({ severity }) => severities.includes(severity));
      expect(entries.map(({ id }) => id)).toEqual(expected.map(({ id }) => `urn:rugwatch:${id}`));
    }
  });

  it("are put anew, and nothing else, when the site moves; then they are left alone", async () => {
    const before = await readSite(stage);
    const moved = at("https://rugwatch.example/see");
    const report = await publish(moved);
    expect(report.skipped).toBeNull();
    const linking = keysOf(before, LINKING);
    expect(linking.length).toBeGreaterThan(feedKeys.length);
    expect(report.documents.written).toBe(linking.length);
    const after = await readSite(stage);
    const status = "api/v1/mainnet/status.json";
    const changed = [...after].filter(([key, text]) => key !== status && before.get(key) !== text).map(([key]) => key);
    expect(changed.sort()).toEqual(linking);
    expect(after.get("feeds/mainnet/rug.atom")).toContain('href="https://rugwatch.example/see/feeds/mainnet/rug.atom"');
    expect((await publish(moved)).documents.written).toBe(0);
  });

  it("are made to the byte from the journal, by who says the same address", async () => {
    const differencesAt = (siteUrl: string) => findDifferences({ ...stage, command: at(siteUrl) });
    expect(await differencesAt("https://rugwatch.example/see")).toEqual([]);
    const linking = keysOf(await readSite(stage), LINKING).map((key) => `different: ${key}`);
    expect((await differencesAt("https://elsewhere.example")).toSorted()).toEqual(linking);
  });
});
