import { describe, expect, it } from "vitest";
import { toSearchCountsLine } from "../../../generator/commands/transactions.ts";
import { snapshot } from "../../../generator/service/observing.ts";
import { transactions } from "../../../generator/service/transactions.ts";
import { timeAt, type Stage, type StageOptions, openOwnStage } from "../../service/harness.ts";
import { countEntries } from "./staging.ts";

const searching = (stage: Stage) =>
  transactions({ ...stage.command, epochs: 5, callsPerSecond: 3, onProgress: () => undefined });

async function openLate(options: StageOptions): Promise<Stage> {
  const stage = await openOwnStage(options);
  await stage.clock.sleepUntil(timeAt(2.4));
  await snapshot(stage.command);
  return stage;
}

describe("what stands in the way of transactions", () => {
  it("are endpoints of which no majority keeps them: it stops at once, and says what to do", async () => {
    const stage = await openLate({ validators: 20, withoutTransactions: ["first", "lagging"] });
    const entries = await countEntries(stage, "transactions");
    const { rejected, transactions: counts } = await searching(stage);
    expect(counts).toMatchObject({ searched: 0, events: 0, stopped: rejected[0]?.reason });
    expect(rejected).toEqual([{ reason: counts.stopped }]);
    expect(counts.stopped).toMatch(
      /^no majority of 3 witnesses keeps a history of transactions \(.*#0 getSignaturesForAddress: error -32011: .*#2 .*\): give MAINNET_RPC_URLS endpoints that do: "doctor" shows/,
    );
    expect(toSearchCountsLine(counts)).toMatch(/ · stopped$/);
    expect(await countEntries(stage, "transactions")).toBe(entries + 1);
  });

  it("is not one of three that keeps none", async () => {
    const stage = await openLate({ validators: 20, withoutTransactions: ["first"] });
    const { rejected, transactions: counts } = await searching(stage);
    expect(rejected).toEqual([]);
    expect(counts).toMatchObject({ failed: 0, stopped: null });
    expect(counts.events).toBeGreaterThan(0);
  });

  it("is what the endpoints have pruned: it is said of how many, and asked for again the next time", async () => {
    const stage = await openLate({ transactionSlots: 20_000 });
    const { transactions: counts } = await searching(stage);
    const { known, events } = counts;
    const asFarAsKept = { searched: known, failed: 0, pruned: known, stopped: null };
    expect(counts).toMatchObject(asFarAsKept);
    expect(events).toBeGreaterThan(0);
    expect(toSearchCountsLine(counts)).toContain(
      ` · ${known} only as far back as the endpoints keep them`,
    );
    const again = await searching(stage);
    expect(again.rejected).toEqual([]);
    expect(again.transactions).toMatchObject({ ...asFarAsKept, events: 0 });
  });
});
