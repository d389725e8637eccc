import { expect, test } from "vitest";
import { renderStatus } from "../../generator/documents/status.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import { readDocument } from "./fixtures.ts";

/** A ruling said so many seconds after the first one. */
const ruling = (second: number) => ({
  name: `2026-11-20/100000000-ruling-${String(second).padStart(16, "0")}`,
  verdict: "ignore" as const,
  reason: `reason ${second}`,
  ruledAt: new Date(Date.UTC(2026, 10, 20) + second * 1000).toISOString(),
});

test("the status shows the newest hundred rulings on events and observations, newest first, and counts them all", () => {
  const ledger = createLedger("mainnet");
  for (let second = 0; second < 130; second += 1) {
    const of = second % 2 === 0 ? "events" : "observations";
    ledger.rulings[of].set(`subject ${second}`, ruling(second));
  }
  const bytes = renderStatus(ledger, { generatedAt: "2026-11-20T10:00:00.000Z", quarantined: [] });
  const { data } = readDocument("status", bytes) as { data: { rulings: unknown[]; rulingsTotal: number } };
  expect(data.rulingsTotal).toBe(130);
  expect(data.rulings).toHaveLength(100);
  const { verdict, reason, ruledAt } = ruling(129);
  expect(data.rulings[0]).toEqual({ subject: "subject 129", of: "observation", verdict, reason, ruledAt });
  expect(data.rulings.at(-1)).toMatchObject({ subject: "subject 30", of: "event" });
});
