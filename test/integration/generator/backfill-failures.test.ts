import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { backfill } from "../../../generator/service/backfill.ts";
import { snapshot } from "../../../generator/service/observing.ts";
import { startServer, type TestServer } from "../../rpc/rpc-server.ts";
import { openStage, type Stage } from "../../service/harness.ts";
import { countEntries, keepStores } from "./staging.ts";
import { FIRST_EPOCH } from "../../cluster/options.ts";

let stage: Stage;
let vendor: TestServer;
let asked: { vote: string; at: number }[];
/** A status for the n-th question about a vote account; null: its history. */
let answer: (question: { vote: string; times: number }) => number | null;
let retryAfterSeconds: number;
let toHistory: typeof historyOf;

let putBack: () => Promise<void>;

beforeAll(async () => {
  stage = await openStage({ validators: 30 });
  await snapshot(stage.command);
  putBack = await keepStores(stage);
  return () => stage.close();
});

beforeEach(async () => {
  await putBack();
  asked = [];
  answer = () => null;
  retryAfterSeconds = 0;
  toHistory = historyOf;
  vendor = await startServer(({ path }, response) => {
    const vote = path.split("/").at(-1) ?? "";
    asked.push({ vote, at: stage.clock.now() });
    const status = answer({ vote, times: asked.filter((one) => one.vote === vote).length });
    if (retryAfterSeconds > 0) response.setHeader("retry-after", retryAfterSeconds);
    response
      .writeHead(status ?? 200)
      .end(status === null ? toHistory(vote) : '{"vote_account":"","history":[]}');
  });
  return () => vendor.close();
});

const historyOf = (vote: string) =>
  JSON.stringify({ vote_account: vote, history: [{ epoch: FIRST_EPOCH - 1, commission: 5 }] });

async function backfilling() {
  const settings = {
    ...stage.command.settings,
    mevUrls: { mainnet: vendor.url, testnet: null, alpenglow: null },
  };
  const none = () => undefined;
  const report = await backfill({
    ...stage.command,
    settings,
    epochs: 512,
    onProgress: none,
    onSearch: none,
  });
  return { ...report.backfill, rejected: report.rejected };
}

const votesAsked = () => [...new Set(asked.map(({ vote }) => vote))];

describe("a vendor", () => {
  it("that is down is left alone after ten validators, and nothing is journaled", async () => {
    answer = () => 500;
    const { stopped, ...report } = await backfilling();
    expect(report).toMatchObject({
      asked: 10,
      withHistory: 0,
      failed: 10,
      rejected: [{ reason: stopped }],
    });
    expect(stopped).toMatch(
      /^the source failed 10 times in a row, at last with: http.*HTTP status 500$/,
    );
    expect(votesAsked()).toHaveLength(10);
    expect(await countEntries(stage, "history")).toBe(0);
  });

  it("that goes down on the way keeps what it told, and is asked for the rest the next time", async () => {
    answer = () => (votesAsked().length > 12 ? 502 : null);
    expect(await backfilling()).toMatchObject({ asked: 22, withHistory: 12, failed: 10 });
    const told = votesAsked().slice(0, 12);
    answer = () => null;
    asked = [];
    const second = await backfilling();
    expect(second).toMatchObject({ asked: second.known - 12, failed: 0, stopped: null });
    expect(votesAsked().filter((vote) => told.includes(vote))).toEqual([]);
  });

  it("that knows nothing of many in a row, but still answers about another, is asked on", async () => {
    let firstVote = "";
    answer = ({ vote }) => {
      firstVote ||= vote;
      const place = votesAsked().indexOf(vote);
      return place >= 1 && place <= 24 ? 500 : null;
    };
    const counts = await backfilling();
    expect(counts).toMatchObject({
      asked: counts.known,
      failed: 24,
      withHistory: counts.known - 24,
      stopped: null,
    });
    expect(asked.filter(({ vote }) => vote === firstVote)).toHaveLength(3);
  });

  it("that knows nothing of every second one is asked on without a doubt", async () => {
    answer = ({ vote }) => (votesAsked().indexOf(vote) % 2 === 1 ? 500 : null);
    const counts = await backfilling();
    expect(counts).toMatchObject({
      asked: counts.known,
      failed: Math.floor(counts.known / 2),
      stopped: null,
    });
    expect(asked.filter(({ vote }) => vote === votesAsked()[0])).toHaveLength(1);
  });

  it("is left alone for as long as it asks", async () => {
    retryAfterSeconds = 7;
    answer = ({ times }) => (times === 1 && votesAsked().length === 1 ? 429 : null);
    expect(await backfilling()).toMatchObject({ failed: 0, stopped: null });
    expect((asked[1]?.at ?? 0) - (asked[0]?.at ?? 0)).toBeGreaterThanOrEqual(7_000);
    expect(asked[1]?.vote).toBe(asked[0]?.vote);
  });

  it("is asked about one validator after the other in the order of their keys, three a second", async () => {
    await backfilling();
    const votes = asked.map(({ vote }) => vote);
    expect(votes).toEqual([...votes].sort());
    const pauses = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(300);
  });

  it("that answers about another validator has failed for this one", async () => {
    toHistory = () => historyOf("another");
    expect(await backfilling()).toMatchObject({ withHistory: 0, failed: 10 });
  });
});
