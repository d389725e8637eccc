import { afterEach, beforeEach, expect, it } from "vitest";
import { MINUTE, openStage, STARTS_AT, type Stage } from "./harness.ts";

/* What a run asks of the stores' listings, each of a page while the journal is small: they cost as much as puts do. */

let stage: Stage;

beforeEach(async () => {
  stage = await openStage({ validators: 20 });
});

afterEach(() => stage.close());

it("a check lists the journal and its marks before and after it observes, and not again to publish", async () => {
  const reports = await stage.play({ until: STARTS_AT + 5 * MINUTE });
  const checks = reports.filter(({ command, observations }) => command === "check" && observations === 1);
  expect(checks.length).toBeGreaterThan(2);
  for (const { lists } of checks) expect(lists).toBe(4);
});
