import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { readDocument } from "../../service/documents.ts";
import { EPOCH_MILLISECONDS, FIRST_EPOCH, MINUTE, openStage, STARTS_AT, type Stage } from "../../service/harness.ts";
import type { Asked, Change, Upstream } from "../../service/upstream.ts";
import { putBetween } from "./staging.ts";

const BASIS_POINTS_OFFSET = 132;

/** Somebody raises just before the epoch ends and lowers just after, between two minutes. */
interface Flipping {
  stage: Stage;
  upstream: Upstream;
  vote: string;
  percent: number;
  flip: { from: number; to: number };
}

async function openFlipping(boundaryAt: number): Promise<Flipping> {
  const startsAt = boundaryAt - EPOCH_MILLISECONDS;
  const stage = await openStage({ story: { startsAt } });
  const upstream = await putBetween(stage);
  const { members } = stage.cluster;
  const steady = members.find(({ commission, life }) => commission.role === "steady" && life.role === "normal");
  const vote = steady?.vote.address ?? "";
  const { validators } = stage.cluster.at(STARTS_AT);
  const basisPoints = validators.find(({ votePubkey }) => votePubkey === vote)?.basisPoints ?? -1;
  const flip = { from: boundaryAt - 15_000, to: boundaryAt + 20_000 };
  upstream.setFault((asked) => (isWithin(flip, stage.clock.now()) ? toRaised(vote)(asked) : undefined));
  return { stage, upstream, vote, percent: basisPoints / 100, flip };
}

async function closeFlipping({ stage, upstream }: Flipping): Promise<void> {
  await upstream.close();
  await stage.close();
}

describe("a flip of 35 seconds around an epoch boundary", () => {
  const boundaryAt = STARTS_AT + EPOCH_MILLISECONDS;
  let flipping: Flipping;
  let events: CommissionEvent[];

  beforeAll(async () => {
    flipping = await openFlipping(boundaryAt);
    await flipping.stage.play({ until: boundaryAt + 5 * MINUTE });
    events = (await readDocument(flipping.stage, "validatorEvents", { votePubkey: flipping.vote })).data;
  });
  afterAll(() => closeFlipping(flipping));

  it("is seen, and confirmed by the vote account while it lasts: one event up, one down", () => {
    const { percent } = flipping;
    expect(
      events.map(({ fromCommission, toCommission, severity }) => [fromCommission, toCommission, severity]),
    ).toEqual([
      [100, percent, "INFO"],
      [percent, 100, "RUG"],
    ]);
    expect(events.every(({ confirmed }) => confirmed)).toBe(true);
  });

  it("says of both from which epoch they would be paid, and between which slots they happened", () => {
    const [down, up] = events;
    expect(up).toMatchObject({ epoch: FIRST_EPOCH, effectiveEpoch: FIRST_EPOCH + 2 });
    expect(down).toMatchObject({ epoch: FIRST_EPOCH + 1, effectiveEpoch: FIRST_EPOCH + 3 });
    for (const event of events) expect(event.previousSlot).toBeLessThan(event.slot);
    expect(Date.parse(up?.createdAt ?? "")).toBeGreaterThanOrEqual(flipping.flip.from);
    expect(Date.parse(up?.createdAt ?? "")).toBeLessThan(boundaryAt);
    expect(Date.parse(down?.previousSeenAt ?? "")).toBeLessThan(flipping.flip.to);
  });
});

function isWithin({ from, to }: Flipping["flip"], time: number): boolean {
  return from <= time && time < to;
}

function toRaised(vote: string): (asked: Asked) => Change | undefined {
  return ({ method, params }) => {
    if (method === "getVoteAccounts") return raiseRow(vote);
    if (method === "getMultipleAccounts") return raiseAccount((params[0] as string[]).indexOf(vote));
    return undefined;
  };
}

function raiseRow(vote: string): Change {
  return ({ current, ...rest }: { current: { votePubkey: string }[] }) => ({
    ...rest,
    current: current.map((row) =>
      row.votePubkey === vote ? { ...row, commission: 100, inflationRewardsCommissionBps: 10_000 } : row,
    ),
  });
}

function raiseAccount(index: number): Change {
  return ({ value, ...rest }: { value: ({ data: [string, string] } | null)[] }) => ({
    ...rest,
    value: value.map((account, position) => {
      if (position !== index || account === null) return account;
      const bytes = Buffer.from(account.data[0], "base64");
      bytes.writeUInt16LE(10_000, BASIS_POINTS_OFFSET);
      return { ...account, data: [bytes.toString("base64"), "base64"] };
    }),
  });
}
