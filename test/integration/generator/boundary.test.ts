import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EPOCH_MILLISECONDS, FIRST_EPOCH, ENDPOINTS } from "../../cluster/options.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { readDocument } from "../../service/documents.ts";
import { MINUTE, openStage, STARTS_AT, type Stage } from "../../service/harness.ts";
import type { Asked, Change, Upstream } from "../../service/upstream.ts";
import { putManyBetween } from "./staging.ts";

const BASIS_POINTS_OFFSET = 132;

describe("a flip of 35 seconds around an epoch boundary", () => {
  const boundaryAt = STARTS_AT + EPOCH_MILLISECONDS;
  const flip = { from: boundaryAt - 15_000, to: boundaryAt + 20_000 };
  let stage: Stage;
  let upstreams: Upstream[];
  let percent: number;
  let events: CommissionEvent[];

  // Somebody raises just before the epoch ends and lowers just after, between two minutes.
  beforeAll(async () => {
    // No transaction makes it, so that searches would refute it.
    stage = await openStage({ withoutTransactions: [...ENDPOINTS] });
    upstreams = await putManyBetween(stage, 2);
    const { members } = stage.cluster;
    const steady = members.find(
      ({ commission, life }) => commission.role === "steady" && life.role === "normal",
    );
    const vote = steady?.vote.address ?? "";
    const { validators } = stage.cluster.at(STARTS_AT);
    percent = (validators.find(({ votePubkey }) => votePubkey === vote)?.basisPoints ?? -1) / 100;
    const raise = toRaised(vote);
    for (const upstream of upstreams)
      upstream.setFault((asked) =>
        flip.from <= stage.clock.now() && stage.clock.now() < flip.to ? raise(asked) : undefined,
      );
    await stage.play({ until: boundaryAt + 5 * MINUTE });
    events = (await readDocument(stage, "validatorEvents", { votePubkey: vote })).data;
  });
  afterAll(() => Promise.all([...upstreams, stage].map((one) => one.close())));

  it("is seen, and confirmed by two witnesses while it lasts: one event up, one down", () => {
    expect(events).toMatchObject([
      { fromCommission: 100, toCommission: percent, severity: "INFO", confirmed: true },
      { fromCommission: percent, toCommission: 100, severity: "RUG", confirmed: true },
    ]);
  });

  it("says of both from which epoch they would be paid, and between which slots they happened", () => {
    const [down, up] = events;
    expect(up).toMatchObject({ epoch: FIRST_EPOCH, effectiveEpoch: FIRST_EPOCH + 2 });
    expect(down).toMatchObject({ epoch: FIRST_EPOCH + 1, effectiveEpoch: FIRST_EPOCH + 3 });
    for (const event of events) expect(event.previousSlot).toBeLessThan(event.slot);
    expect(Date.parse(up?.createdAt ?? "")).toBeGreaterThanOrEqual(flip.from);
    expect(Date.parse(up?.createdAt ?? "")).toBeLessThan(boundaryAt);
    expect(Date.parse(down?.previousSeenAt ?? "")).toBeLessThan(flip.to);
  });
});

function toRaised(vote: string): (asked: Asked) => Change | undefined {
  return ({ method, params }) => {
    if (method === "getVoteAccounts") return raiseRow(vote);
    if (method === "getMultipleAccounts")
      return raiseAccount((params[0] as string[]).indexOf(vote));
    return undefined;
  };
}

function raiseRow(vote: string): Change {
  const raised = { commission: 100, inflationRewardsCommissionBps: 10_000 };
  return ({ current, ...rest }: { current: { votePubkey: string }[] }) => ({
    ...rest,
    current: current.map((row) => (row.votePubkey === vote ? { ...row, ...raised } : row)),
  });
}

function raiseAccount(index: number): Change {
  return ({ value, ...rest }: { value: ({ data: [string, string] } | null)[] }) => {
    const account = value[index];
    if (!account) return { value, ...rest };
    const bytes = Buffer.from(account.data[0], "base64");
    bytes.writeUInt16LE(10_000, BASIS_POINTS_OFFSET);
    return {
      ...rest,
      value: value.with(index, { ...account, data: [bytes.toString("base64"), "base64"] }),
    };
  };
}
