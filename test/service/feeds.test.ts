import { beforeAll, expect, it } from "vitest";
import { publish } from "../../generator/service/publishing.ts";
import type { CommandOptions } from "../../generator/service/for-each-network.ts";
import { findDifferences } from "../integration/generator/staging.ts";
import { readSite } from "./documents.ts";
import { MINUTE, openStage, timeAt, type Stage } from "./harness.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ validators: 20, seed: 3 });
  const cadence = { checkMilliseconds: 5 * MINUTE, snapshotMilliseconds: 20 * MINUTE };
  await stage.play({ until: timeAt(1.3), cadence });
  return () => stage.close();
});

const at = (siteUrl: string): CommandOptions => ({
  ...stage.command,
  settings: { ...stage.command.settings, siteUrl },
});

/** Documents that name the site: feeds, and pages with their sitemap. */
const linkingIn = (site: Map<string, string>) =>
  [...site.keys()].filter((key) => /^(?:feeds|pages)\//.test(key)).sort();

it("feeds and pages are put anew, and nothing else, when the site moves; then they are left alone", async () => {
  const before = await readSite(stage);
  const moved = at("https://rugwatch.example/see");
  const report = await publish(moved);
  expect(report.skipped).toBeNull();
  const linking = linkingIn(before);
  expect(report.documents.written).toBe(linking.length);
  const after = await readSite(stage);
  const status = "api/v1/mainnet/status.json";
  const changed = [...after]
    .filter(([key, text]) => key !== status && before.get(key) !== text)
    .map(([key]) => key);
  expect(changed.sort()).toEqual(linking);
  expect(after.get("feeds/mainnet/rug.atom")).toContain(
    'href="https://rugwatch.example/see/feeds/mainnet/rug.atom"',
  );
  expect((await publish(moved)).documents.written).toBe(0);
});

it("feeds and pages are made to the byte from the journal, by who says the same address", async () => {
  const differencesAt = (siteUrl: string) => findDifferences({ ...stage, command: at(siteUrl) });
  expect(await differencesAt("https://rugwatch.example/see")).toEqual([]);
  const linking = linkingIn(await readSite(stage)).map((key) => `different: ${key}`);
  expect((await differencesAt("https://elsewhere.example")).toSorted()).toEqual(linking);
});
