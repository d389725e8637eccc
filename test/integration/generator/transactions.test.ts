import {
  CALLS_PER_SECOND,
  CHAIN_EPOCHS_DEFAULT,
  CHAIN_EPOCHS_MAX,
} from "../../../generator/settings/defaults.ts";
import { toSearchCountsLine, toSearchLine } from "../../../generator/commands/transactions.ts";
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openCheckpoints } from "../../../generator/service/projection/checkpoints.ts";
import { createProjection } from "../../../generator/service/projection/projection.ts";
import { check } from "../../../generator/service/observing.ts";
import { rule } from "../../../generator/service/rule.ts";
import {
  transactions,
  type SearchProgress,
  type TransactionsOptions,
} from "../../../generator/service/transactions.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { toCounted } from "../../../generator/service/report.ts";
import { openJournal } from "../../../generator/journal/journal.ts";
import type { ValidatorRecord } from "../../../generator/ledger/records.ts";
import { readDocument, readStanding, readTimeless } from "../../service/documents.ts";
import { MINUTE, openStage, timeAt, type Stage } from "../../service/harness.ts";
import { countEntries, findDifferences } from "./staging.ts";
import { FIRST_EPOCH } from "../../cluster/options.ts";

const PART = 10;
/** Unobserved time, in epochs since the start. */
const [GAP_BEGINS, GAP_ENDS] = [1.3, 4.4];
const CADENCE = { checkMilliseconds: 20 * MINUTE, snapshotMilliseconds: 40 * MINUTE };
const STOPPED = "stopped by SIGINT";

function searching(stage: Stage, changes: Partial<TransactionsOptions> = {}) {
  return transactions({
    ...stage.command,
    epochs: 5,
    callsPerSecond: 3,
    onProgress: () => undefined,
    ...changes,
  });
}

/** A stage watched until its second epoch and looked at after three more; checks do not sweep. */
async function openGap(): Promise<Stage> {
  const stage = await openStage({ hiddenFlips: true });
  await stage.play({ until: timeAt(GAP_BEGINS), cadence: CADENCE });
  // A mass change needs further observations.
  for (const minute of [0, 1, 2, 3]) {
    await stage.clock.sleepUntil(timeAt(GAP_ENDS) + minute * MINUTE);
    await check(stage.command);
  }
  return stage;
}

async function readEvents(stage: Stage): Promise<CommissionEvent[]> {
  return (await readDocument(stage, "events", {})).data;
}

function plannedInGap({ cluster }: Stage): string[] {
  const [begin, end] = [timeAt(GAP_BEGINS), timeAt(GAP_ENDS)];
  return cluster
    .plannedChanges(FIRST_EPOCH + Math.floor(GAP_ENDS))
    .filter(({ source, atMilliseconds: at }) => source === "COMMISSION" && at > begin && at < end)
    .map(({ vote, atMilliseconds, toBasisPoints }) => {
      const { slot } = cluster.at(atMilliseconds).moment;
      return `${vote} ${slot} ${Math.min(toBasisPoints ?? 0, 10_000) / 100}`;
    });
}

/** What an event's transactions changed: all are steps if no epoch's end saw them. */
function toSteps({ votePubkey, transaction }: CommissionEvent): string[] {
  return (transaction?.steps ?? []).map(
    ({ slot, commission }) => `${votePubkey} ${slot} ${commission}`,
  );
}

async function readUndated(stage: Stage): Promise<Map<string, string>> {
  const documents = [...(await readStanding(stage))].filter(
    ([key]) => key.endsWith(".json") && !key.includes("/feeds/"),
  );
  const toUndated = (text: string) =>
    text.replaceAll(/"(updatedAt|createdAt)":"[^"]*"/g, '"$1":"…"');
  return new Map(documents.map(([key, text]) => [key, toUndated(text)]));
}

/** Validators with two transactions in one slot whose order too few endpoints tell. */
async function findUnordered({ stateStore, clock }: Stage): Promise<string[]> {
  const place = { store: stateStore, network: "mainnet", series: 1 } as const;
  const journal = openJournal(place);
  const checkpoints = openCheckpoints({ place, journal }, { keeps: false });
  const projection = createProjection({ ...place, journal, now: clock.now, checkpoints });
  await projection.refresh();
  const isUnordered = ({ rateProofs }: ValidatorRecord) =>
    rateProofs.some(
      ({ slot, index }) =>
        index === null && rateProofs.filter((one) => one.slot === slot).length > 1,
    );
  return projection
    .ledger()
    .validators.flatMap((validator) => (isUnordered(validator) ? [validator.vote] : []));
}

describe("transactions", () => {
  let whole: Stage;
  let before: { events: CommissionEvent[]; entries: number };
  let report: Awaited<ReturnType<typeof transactions>>;
  const progress: SearchProgress[] = [];

  beforeAll(async () => {
    whole = await openGap();
    before = {
      events: await readEvents(whole),
      entries: await countEntries(whole, "transactions"),
    };
    report = await searching(whole, { onProgress: (one) => void progress.push(one) });
    return () => whole.close();
  });

  it("finds every change that was made while nobody looked, by its transaction", async () => {
    const events = await readEvents(whole);
    const steps = new Set(events.flatMap(toSteps));
    const stepsBefore = new Set(before.events.flatMap(toSteps));
    const planned = plannedInGap(whole);
    expect(planned.length).toBeGreaterThan(50);
    const unordered = await findUnordered(whole);
    expect(unordered.length).toBeLessThanOrEqual(1);
    const isTold = (change: string) =>
      steps.has(change) || unordered.some((vote) => change.startsWith(vote));
    expect(planned.filter((change) => !isTold(change))).toEqual([]);
    expect(planned.filter((change) => !stepsBefore.has(change)).length).toBeGreaterThan(5);
    const known = new Set(before.events.map(({ id }) => id));
    const found = events.filter(({ id }) => !known.has(id));
    expect(found.length).toBeGreaterThan(5);
    for (const event of found)
      expect(event).toMatchObject({ confirmed: true, confirmedBy: "transaction" });
    expect(found.map(({ transaction }) => transaction?.verified)).toContain("signature");
  });

  it("proves changes by transactions of every version", async () => {
    const signed = (await readEvents(whole)).filter(
      ({ transaction }) => transaction?.verified === "signature",
    );
    const made = Array.from({ length: Math.ceil(GAP_ENDS) }, (_, ordinal) =>
      whole.cluster.transactions.ofAuthorities(ordinal),
    ).flat();
    const versions = new Map(made.map(({ signature, version }) => [signature, version]));
    const proving = signed.map(({ transaction }) => versions.get(transaction?.signature ?? ""));
    expect(new Set(proving)).toEqual(new Set(["legacy", 0, 1]));
  });

  it("tells of what is over two epochs old as history, without a time at which it came to be known", async () => {
    const isFound = ({ confirmedBy, previousSlot }: CommissionEvent) =>
      confirmedBy === "transaction" && previousSlot === null;
    const found = (await readEvents(whole)).filter(isFound);
    const [old, late] = [true, false].map((isOld) =>
      found.filter(({ epoch }) => epoch < FIRST_EPOCH + 2 === isOld),
    );
    expect(old!.length).toBeGreaterThan(5);
    expect(new Set(old!.map(({ createdAt }) => createdAt))).toEqual(new Set([null]));
    expect(late!.filter(({ createdAt }) => createdAt === null)).toEqual([]);
  });

  it("reports what was searched, found and proved", async () => {
    const { searched, known, events } = report.transactions;
    expect(report).toMatchObject({
      command: "transactions",
      accepted: null,
      rejected: [],
      skipped: null,
      events,
    });
    expect(report.transactions).toMatchObject({ failed: 0, pruned: 0, stopped: null });
    expect(known).toBe(38);
    expect(events).toBe((await readEvents(whole)).length - before.events.length);
    expect(searched).toBeGreaterThan(known);
    expect(await countEntries(whole, "transactions")).toBe(
      before.entries + Math.ceil(searched / PART),
    );
  });

  it("tells after each part how far it is, and at the end what was found and proved", () => {
    const { searched, known, events, proved } = report.transactions;
    expect(progress.map((one) => one.searched)).toEqual([10, 20, 30, 40, 50, 60, 70, searched]);
    expect(progress.findIndex(({ millisecondsLeft }) => millisecondsLeft === 0)).toBe(
      progress.length - 1,
    );
    const [first] = progress;
    const sofar = `${toCounted(first!.events, "event")} found · ${first!.proved} proved`;
    expect(toSearchLine(first!)).toBe(
      `mainnet: 10 of ${searched} searches made · ${sofar} · about 1 min left`,
    );
    const inAll = `${searched} of ${searched} searches made · ${events} events found · ${proved} proved`;
    expect(toSearchLine(progress.at(-1)!)).toBe(`mainnet: ${inAll}`);
    const found = `${events} events found by transactions alone · ${toCounted(proved, "event")} proved`;
    expect(toSearchCountsLine(report.transactions)).toBe(
      `${searched} searches for ${known} withdraw authorities · ${found}`,
    );
  });

  it("searches nothing again", async () => {
    const site = await readTimeless(whole);
    const entries = await countEntries(whole, "transactions");
    const again = await searching(whole);
    expect(again).toMatchObject({
      events: 0,
      documents: { written: 0 },
      transactions: { searched: 0, events: 0 },
    });
    expect(toSearchCountsLine(again.transactions)).toContain("nothing was left to search");
    expect(await countEntries(whole, "transactions")).toBe(entries);
    expect(await readTimeless(whole)).toEqual(site);
  });

  it("stopped in the midst of a part keeps those before it, and the next run makes the same of the rest", async () => {
    const stage = await openGap();
    onTestFinished(() => stage.close());
    const stopping = new AbortController();
    const stop = () => stopping.abort(new Error(STOPPED));
    // During the second part.
    const stopped = await searching(stage, {
      signal: stopping.signal,
      onProgress: () => void setImmediate(stop),
    });
    expect(stopped).toMatchObject({ skipped: STOPPED, rejected: [], documents: { rendered: 0 } });
    expect(stopped.transactions).toMatchObject({ searched: PART, stopped: STOPPED });
    expect(toSearchCountsLine(stopped.transactions)).toMatch(
      / · stopped; the next run goes on from here$/,
    );
    expect(await countEntries(stage, "transactions")).toBe(before.entries + 1);
    const rest = await searching(stage);
    expect(rest.transactions.searched).toBe(report.transactions.searched - PART);
    expect(stopped.events + rest.events).toBe(report.events);
    expect(await readUndated(stage)).toEqual(await readUndated(whole));
    expect(await findDifferences(stage)).toEqual([]);
  });

  it("of which an event without a time is taken back by a ruling, it stays so when all is made anew", async () => {
    const isOld = ({ createdAt, confirmedBy }: CommissionEvent) =>
      createdAt === null && confirmedBy === "transaction";
    const { id } = (await readEvents(whole)).find(isOld)!;
    const subject = { of: "event" as const, id };
    const options = {
      ...whole.command,
      network: "mainnet" as const,
      subject,
      dryRun: false,
      onProgress: () => undefined,
    };
    const isTold = async () => (await readEvents(whole)).some((event) => event.id === id);
    const { ruling } = await rule({ ...options, verdict: "ignore", reason: "a wrong account" });
    expect(ruling.changes).toMatchObject({ gone: [{ id }], come: [], moved: [] });
    expect(await findDifferences(whole)).toEqual([]);
    expect((await searching(whole)).transactions).toMatchObject({ searched: 0, events: 0 });
    expect(await isTold()).toBe(false);
    await rule({ ...options, verdict: "accept", reason: "it was meant" });
    expect(await isTold()).toBe(true);
    expect(await findDifferences(whole)).toEqual([]);
  });
});

describe("the generator's README", () => {
  it("tells the defaults of the command", async () => {
    const text = (await readFile("generator/README.md", "utf8")).replaceAll(/\s+/g, " ");
    expect(text).toContain(`the last N epochs (${CHAIN_EPOCHS_DEFAULT} by default, at most 1,000)`);
    expect(CHAIN_EPOCHS_MAX).toBe(1_000);
    expect(text).toContain(`\`--calls-per-second\` (${CALLS_PER_SECOND} by default, up to 100)`);
  });
});
