import { describe, expect, it } from "vitest";
import { FIRST_EPOCH, keyOf, snapshot, tell, timeAt, validatorOf, withA } from "./story.ts";

const facts = withA({ stake: 2_000_000_000n });
const scan = (minute: number, activating: bigint) =>
  snapshot(minute, facts, {
    stakeAccounts: {
      state: "ok",
      value: { epoch: FIRST_EPOCH, asOf: timeAt(minute), rows: [[keyOf("A"), activating, 9n, 3]] },
    },
  });
const failed = (minute: number) =>
  snapshot(minute, facts, { stakeAccounts: { state: "failed", reason: "whole: refused; by page: refused" } });

describe("a scan of the stake accounts that failed", () => {
  it("leaves what is known of this epoch, and the source degraded", () => {
    const told = tell(scan(0, 7n), failed(60));
    expect(validatorOf(told, "A")).toMatchObject({
      activatingStake: 7n,
      deactivatingStake: 9n,
      stakeAccountCount: 3,
      stakeAccountsAsOf: timeAt(0),
    });
    expect(told.ledger.sources.stakeAccounts).toMatchObject({
      state: "degraded",
      lastSuccessAt: timeAt(0),
      reason: "whole: refused; by page: refused",
    });
  });

  it("in a later epoch leaves nothing of an earlier one, which is said by the missing time of the scan", () => {
    const told = tell(scan(0, 7n), failed(60), failed(121));
    expect(validatorOf(told, "A")).toMatchObject({
      activatingStake: 0n,
      stakeAccountCount: 0,
      stakeAccountsAsOf: null,
    });
    expect(told.ledger.sources.stakeAccounts).toMatchObject({ state: "degraded", lastSuccessAt: timeAt(0) });
  });

  it("with none before it leaves the source failed and nothing known", () => {
    const told = tell(failed(0));
    expect(validatorOf(told, "A").stakeAccountsAsOf).toBeNull();
    expect(told.ledger.sources.stakeAccounts).toMatchObject({ state: "failed", lastSuccessAt: null });
  });

  it("is made good by the next that succeeds", () => {
    const told = tell(scan(0, 7n), failed(60), scan(70, 8n));
    expect(validatorOf(told, "A")).toMatchObject({ activatingStake: 8n, stakeAccountsAsOf: timeAt(70) });
    expect(told.ledger.sources.stakeAccounts).toMatchObject({ state: "ok", reason: null });
  });
});
