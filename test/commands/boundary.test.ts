import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import { readDocument } from "./documents.ts";
import { EPOCH_MILLISECONDS, FIRST_EPOCH, MINUTE, openStage, STARTS_AT, type Stage } from "./harness.ts";
import { startUpstream, type Asked, type Change } from "./upstream.ts";

/** The old trick: raised just before the epoch ends, and back just after, between two checks on the minute. */
const FLIP = { from: STARTS_AT + EPOCH_MILLISECONDS - 15_000, to: STARTS_AT + EPOCH_MILLISECONDS + 20_000 };
const BASIS_POINTS_OFFSET = 132;

describe("a flip of 35 seconds around an epoch boundary", () => {
  let stage: Stage;
  let vote: string;
  let before: number;
  let events: CommissionEvent[];
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    stage = await openStage();
    const { config } = stage.command;
    const [, honest = ""] = config.rpcUrls.mainnet;
    const upstream = await startUpstream({ rpcUrl: honest, mevUrl: config.mevUrls.mainnet ?? "" });
    closing.push(
      () => upstream.close(),
      () => stage.close(),
    );
    stage.command.config = { ...config, rpcUrls: { ...config.rpcUrls, mainnet: upstream.rpcUrls } };
    const steady = stage.cluster.members.find(
      ({ commission, life }) => commission.role === "steady" && life.role === "normal",
    );
    vote = steady?.vote.address ?? "";
    before = stage.cluster.at(STARTS_AT).validators.find(({ votePubkey }) => votePubkey === vote)?.basisPoints ?? -1;
    upstream.setFault((asked) => (isFlipped(stage.clock.now()) ? toRaised(vote)(asked) : undefined));
    await stage.play({ until: STARTS_AT + EPOCH_MILLISECONDS + 5 * MINUTE });
    events = (await readDocument(stage, "validatorEvents", { votePubkey: vote })).data;
  });
  afterAll(() => Promise.all(closing.map((close) => close())));

  it("is seen, and confirmed by the vote account while it lasts: one event up, one down", () => {
    expect(
      events.map(({ fromCommission, toCommission, severity }) => [fromCommission, toCommission, severity]),
    ).toEqual([
      [100, before / 100, "INFO"],
      [before / 100, 100, "RUG"],
    ]);
    expect(events.every(({ confirmed }) => confirmed)).toBe(true);
  });

  it("says of both from which epoch they would be paid, and between which slots they happened", () => {
    const [down, up] = events;
    expect(up).toMatchObject({ epoch: FIRST_EPOCH, effectiveEpoch: FIRST_EPOCH + 2 });
    expect(down).toMatchObject({ epoch: FIRST_EPOCH + 1, effectiveEpoch: FIRST_EPOCH + 3 });
    for (const event of events) expect(event.previousSlot).toBeLessThan(event.slot);
    expect(Date.parse(up?.createdAt ?? "")).toBeGreaterThanOrEqual(FLIP.from);
    expect(Date.parse(up?.createdAt ?? "")).toBeLessThan(STARTS_AT + EPOCH_MILLISECONDS);
    expect(Date.parse(down?.previousSeenAt ?? "")).toBeLessThan(FLIP.to);
  });
});

function isFlipped(now: number): boolean {
  return FLIP.from <= now && now < FLIP.to;
}

/** The list and the account itself both say 100 %: it is true while it lasts. */
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
