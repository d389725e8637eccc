import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { backfill, type BackfillOptions } from "../../../generator/service/backfill.ts";
import { snapshot } from "../../../generator/service/observing.ts";
import type { SearchProgress } from "../../../generator/service/transactions.ts";
import { readDocument, readStanding, readTimeless } from "../../service/documents.ts";
import { openStage, timeAt, type Stage, openOwnStage } from "../../service/harness.ts";
import { countEntries, findDifferences, keepStores } from "./staging.ts";
import { FIRST_EPOCH } from "../../cluster/options.ts";

const EPOCHS_BEFORE_STORY = 60;
const STOPPED = "stopped by SIGINT";

/** Without exports, of which each run publishes some that earlier ones deferred. */
async function readPages(stage: Stage): Promise<Map<string, string>> {
  return new Map([...(await readTimeless(stage))].filter(([key]) => !key.includes("exports")));
}

function backfilling(stage: Stage, changes: Partial<BackfillOptions> = {}) {
  const none = () => undefined;
  return backfill({ ...stage.command, epochs: 512, onProgress: none, onSearch: none, ...changes });
}

/**
 * Without the list's `updatedAt`, which is the time of reading, and by it its version, its table
 * and the table's hash.
 */
async function readUndated(stage: Stage): Promise<Map<string, string>> {
  const site = await readStanding(stage);
  return new Map(
    [...site]
      .filter(([key]) => !/exports\.json|exports\/\w+\/validators\./.test(key))
      .map(([key, text]) => [
        key,
        text.replaceAll(/"(updatedAt|listVersion)":"[^"]*"/g, '"$1":"…"'),
      ]),
  );
}

describe("backfill", () => {
  let whole: Stage;
  let report: Awaited<ReturnType<typeof backfill>>;
  const searching: SearchProgress[] = [];

  let putBack: () => Promise<void>;
  let published: Map<string, string>;

  beforeAll(async () => {
    whole = await openStage();
    const cadence = { checkMilliseconds: 1_200_000, snapshotMilliseconds: 2_400_000 };
    await whole.play({ until: timeAt(1.3), cadence });
    putBack = await keepStores(whole);
    report = await backfilling(whole, { onSearch: (progress) => void searching.push(progress) });
    published = await readUndated(whole);
    return () => whole.close();
  });

  it("fills the epochs before the first observation, and says how many", () => {
    expect(report).toMatchObject({
      command: "backfill",
      accepted: null,
      rejected: [],
      skipped: null,
    });
    const { known, withHistory } = report.backfill;
    const counts = {
      asked: known,
      failed: known - withHistory,
      stopped: null,
      epochsFilled: EPOCHS_BEFORE_STORY,
    };
    expect(report.backfill).toMatchObject(counts);
    expect(withHistory).toBeGreaterThan(30);
    expect(withHistory).toBeLessThan(known);
    expect(report.events).toBeGreaterThan(20);
  });

  it("searches the chain for the same epochs, and says what it found there", () => {
    const { known, searched, pruned } = report.transactions;
    expect(report.transactions).toMatchObject({ failed: 0, stopped: null });
    expect(known).toBeGreaterThan(30);
    // Endpoints keep 24 epochs of the 512.
    expect(Math.min(searched, pruned)).toBeGreaterThanOrEqual(known);
    expect(searching.at(-1)).toMatchObject({ searched, total: searched, network: "mainnet" });
  });

  it("publishes points of the past beside those that were observed", async () => {
    const member = whole.cluster.members.find(({ commission }) => commission.role === "cautioner")!;
    const names = { votePubkey: member.vote.address };
    const { data } = await readDocument(whole, "commissionHistory", names);
    const from = FIRST_EPOCH - EPOCHS_BEFORE_STORY;
    expect(data.map(({ epoch }) => epoch)).toEqual(data.map((_, index) => from + index));
    expect(data).toHaveLength(EPOCHS_BEFORE_STORY + 2);
    for (const { epoch, commission } of data.slice(0, EPOCHS_BEFORE_STORY))
      expect(commission).toBe(
        whole.cluster.commissions.basisPointsIn(member, epoch - FIRST_EPOCH, 0.9) / 100,
      );
    const stakes = await readDocument(whole, "stakeHistory", names);
    expect(stakes.data).toHaveLength(EPOCHS_BEFORE_STORY + 2);
    const lamports = String(whole.cluster.stakes.of(member, -EPOCHS_BEFORE_STORY).active);
    expect(stakes.data[0]?.activeStake).toMatchObject({ lamports });
    const { data: profile } = await readDocument(whole, "validator", names);
    expect(profile.firstSeenEpoch).toBe(FIRST_EPOCH - EPOCHS_BEFORE_STORY);
    expect(profile.appliedCommission).toBe(data.at(-1)?.appliedCommission);
  });

  it("makes events that say they were not seen, at the first slot of their epoch, and counts their rugs apart", async () => {
    const { data: events } = await readDocument(whole, "events", {});
    const told = events.filter(({ confirmed }) => !confirmed);
    expect(told.length).toBeGreaterThan(0);
    for (const event of told) {
      expect(event.epoch).toBeLessThanOrEqual(FIRST_EPOCH);
      const slot = whole.cluster.calendar.firstSlotOf(event.epoch);
      expect(event).toMatchObject({ slot, createdAt: null, previousSeenAt: null });
    }
    const { data: rugs } = await readDocument(whole, "rugsPerEpoch", {});
    const past = rugs.filter(({ epoch }) => epoch < FIRST_EPOCH);
    expect(past.some(({ totalEvents }) => totalEvents > 0)).toBe(true);
    expect(
      past.filter(({ totalEvents, unconfirmedEvents }) => unconfirmedEvents !== totalEvents),
    ).toEqual([]);
  });

  it("asks again only for those that the source failed for", async () => {
    const before = await readPages(whole);
    const again = await backfilling(whole);
    expect(again.backfill.asked).toBe(report.backfill.failed);
    expect(again.backfill).toMatchObject({
      withHistory: 0,
      failed: report.backfill.failed,
      epochsFilled: 0,
    });
    expect(await readPages(whole)).toEqual(before);
  });

  describe("begun anew", () => {
    beforeEach(() => putBack());

    it("stopped between two batches goes on where it was, to the same documents", async () => {
      const stopping = new AbortController();
      const onProgress = () => stopping.abort(new Error(STOPPED));
      const stopped = await backfilling(whole, { signal: stopping.signal, onProgress });
      expect(stopped.backfill).toMatchObject({
        asked: 25,
        stopped: STOPPED,
        epochsFilled: EPOCHS_BEFORE_STORY,
      });
      expect(stopped).toMatchObject({ skipped: STOPPED, rejected: [], documents: { rendered: 0 } });
      expect(await countEntries(whole, "history")).toBe(1);
      const rest = await backfilling(whole);
      expect(rest.backfill.asked).toBe(report.backfill.known - 25 + stopped.backfill.failed);
      expect(await readUndated(whole)).toEqual(published);
      expect(await findDifferences(whole)).toEqual([]);
    });

    it("stopped in the search of the chain keeps what it read, publishes nothing, and goes on from there", async () => {
      const stopping = new AbortController();
      const onSearch = () => stopping.abort(new Error(STOPPED));
      const stopped = await backfilling(whole, { signal: stopping.signal, onSearch });
      expect(stopped).toMatchObject({ skipped: STOPPED, documents: { rendered: 0 } });
      expect(stopped.transactions).toMatchObject({ searched: 10, stopped: STOPPED });
      const rest = await backfilling(whole);
      expect(rest.transactions.searched).toBeLessThan(report.transactions.searched);
      expect(rest.transactions).toMatchObject({ failed: 0, stopped: null });
      expect(await readUndated(whole)).toEqual(published);
    });

    it("in two spans, the shorter one first, makes the same documents", async () => {
      const short = await backfilling(whole, { epochs: 20 });
      expect(short.backfill.epochsFilled).toBe(19);
      await backfilling(whole);
      expect(await readUndated(whole)).toEqual(published);
    });
  });

  it("before the first snapshot says what to do first", async () => {
    const stage = await openOwnStage();
    await expect(backfilling(stage)).rejects.toThrow('run "snapshot" first');
    await snapshot(stage.command);
    await expect(backfilling(stage)).resolves.toMatchObject({ backfill: { stopped: null } });
  });

  it("says that nobody tells the past of a network without a vendor", async () => {
    const stage = await openOwnStage({ network: "alpenglow", validators: 12 });
    await snapshot(stage.command);
    const { rejected, backfill: counts } = await backfilling(stage);
    expect(rejected).toEqual([
      { reason: "no MEV vendor is set for alpenglow: its MEV history cannot be read" },
    ]);
    expect(counts).toMatchObject({ asked: 0, stopped: null });
  });
});
