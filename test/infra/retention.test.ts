import { describe, expect, it } from "vitest";
import { read } from "./_files.ts";

const [, section = ""] = /^## What is kept, and how long\n([^]*?)^## /m.exec(read("infra/README.md")) ?? [];

describe("how long something is kept, by the operator's page", () => {
  it.each([
    [
      "loose entries 48 hours",
      "generator/journal/compaction.ts",
      /^const KEPT_MILLISECONDS = 48 \* HOUR_MILLISECONDS/m,
    ],
    ["all for 3 days", "generator/journal/checkpoints.ts", /^const DAYS_OF_ALL = 3;/m],
    ["of each day for 31 days", "generator/journal/checkpoints.ts", /^const DAYS_OF_DAILY = 31;/m],
    ["older versions 14 days", "infra/aws/buckets.ts", /^const DERIVED_VERSIONS_KEPT = Duration\.days\(14\)/m],
    ["a month; no address", "infra/aws/logs.ts", /retention: RetentionDays\.ONE_MONTH/],
    ["the newest 30 MB of each service", "infra/compose.yaml", /max-size: 10m, max-file: "3"/],
    ["14 days, 2 GB at most", "infra/compose.prometheus.yaml", /retention\.time=14d\n.*retention\.size=2GB/],
  ])("is as the code has it: %s", (said, file, has) => {
    expect(section).toContain(said);
    expect(read(file)).toMatch(has);
  });
});
