import { expect } from "vitest";
import type { Report } from "../../../generator/service/report.ts";
import type { Ledger, StatusSource } from "../../../generator/ledger/ledger.ts";
import type { ValidatorRecord } from "../../../generator/ledger/records.ts";
import { FIRST_EPOCH, MINUTE, openStage, STARTS_AT, type Stage } from "../../service/harness.ts";
import { readEvents, tellEvent, tellPlanned } from "../../service/planned-events.ts";
import { startUpstream, type Fault, type Upstream } from "../../service/upstream.ts";

/** One observation, and what was known when it was done. */
export interface Look {
  /** Since the story began. */
  minute: number;
  report: Report;
  sources: Ledger["sources"];
  /** How many validators have a fact of each source. */
  known: Record<StatusSource, number>;
  listed: number;
  delinquent: number;
  pending: number;
  dropped: number;
}

/** A story that goes well at first, then suffers a fault for a while, then goes well again. */
export interface Suffering {
  stage: Stage;
  /** While the fault lasted. */
  asked: Upstream["asked"];
  before: Look[];
  during: Look[];
  after: Look[];
  close: () => Promise<void>;
}

export interface SufferingOptions {
  fault: Fault;
  /** When it begins, in minutes since the story began. */
  from?: number;
  /** How long it lasts. */
  minutes: number;
  /** How long the story goes on after it. */
  heals?: number;
}

/** Plays it, with a check each minute, and looks after each observation whether anything false is known. */
export async function suffer({ fault, from = 10, minutes, heals = 12 }: SufferingOptions): Promise<Suffering> {
  const stage = await openStage();
  const { settings } = stage.command;
  const upstream = await startUpstream({
    rpcUrl: settings.rpcUrls.mainnet[1] ?? "",
    mevUrl: settings.mevUrls.mainnet ?? "",
  });
  // What is down at the moment of a scan shall be seen at every snapshot.
  stage.command.settings = {
    ...settings,
    checkSeconds: 60,
    stakeScanMinutes: 0,
    rpcUrls: { ...settings.rpcUrls, mainnet: upstream.rpcUrls },
    mevUrls: { ...settings.mevUrls, mainnet: upstream.mevUrl },
  };
  const play = createPlay(stage);
  const before = await play(from);
  const askedBefore = upstream.asked.length;
  upstream.setFault(fault);
  const during = await play(from + minutes);
  const asked = upstream.asked.slice(askedBefore);
  upstream.setFault(undefined);
  const after = await play(from + minutes + heals);
  const close = async () => {
    await upstream.close();
    await stage.close();
  };
  return { stage, asked, before, during, after, close };
}

/**
 * Every change that the story showed, ten minutes before the end or earlier, is an event, once, and nothing else is.
 * @param options.ofTheirEpochs false: the chain was made to tell other epochs than those of the story
 */
export async function expectTrueEvents(
  { stage, after }: Suffering,
  { ofTheirEpochs = true }: { ofTheirEpochs?: boolean } = {},
): Promise<void> {
  const toText = (event: string) => (ofTheirEpochs ? event : event.replace(/ in \d+:/, ":"));
  const end = STARTS_AT + (after.at(-1)?.minute ?? 0) * MINUTE;
  const told = [...(await readEvents(stage, "COMMISSION")), ...(await readEvents(stage, "MEV"))].map(tellEvent);
  const planned = stage.cluster.plannedChanges(FIRST_EPOCH + 2).filter(({ atMilliseconds: at }) => at > STARTS_AT);
  const all = new Set(planned.map(tellPlanned).map(toText));
  const due = planned
    .filter(({ atMilliseconds }) => atMilliseconds < end - 10 * MINUTE)
    .map(tellPlanned)
    .map(toText);
  const texts = told.map(toText);
  expect(texts.filter((event) => !all.has(event))).toEqual([]);
  expect(due.filter((event) => !texts.includes(event))).toEqual([]);
  expect(new Set(told).size).toBe(told.length);
}

function createPlay(stage: Stage): (untilMinute: number) => Promise<Look[]> {
  const truth = createTruth(stage);
  return async (untilMinute) => {
    const looks: Look[] = [];
    await stage.play({
      until: STARTS_AT + untilMinute * MINUTE,
      onReport: (report, { projection }) => {
        const ledger = projection.ledger();
        looks.push(toLook(stage, structuredClone(report), ledger));
        truth.expectNothingFalse(ledger);
      },
    });
    return looks;
  };
}

function toLook({ clock }: Stage, report: Report, ledger: Ledger): Look {
  const listed = ledger.validators.filter((validator) => validator.listed);
  return {
    minute: Math.floor((clock.now() - STARTS_AT) / MINUTE),
    report,
    sources: structuredClone(ledger.sources),
    known: countKnown(ledger),
    listed: listed.length,
    delinquent: listed.filter(({ delinquent }) => delinquent).length,
    pending: report.pending,
    dropped: ledger.dropped,
  };
}

function countKnown({ validators }: Ledger): Look["known"] {
  const count = (isKnown: (validator: ValidatorRecord) => boolean) => validators.filter(isKnown).length;
  return {
    votes: count(({ activeStake }) => activeStake > 0n),
    nodes: count(({ version }) => version !== null),
    info: count(({ name }) => name !== null),
    production: count(({ performance }) => (performance?.leaderSlots ?? 0) > 0),
    stakeAccounts: count(({ stakeAccountsAsOf }) => stakeAccountsAsOf !== null),
    mev: count(({ mevVendorEnabled, mev }) => mevVendorEnabled && mev !== null),
    locations: count(({ location }) => location !== null),
  };
}

/** What was true at some observation so far: nothing else may be shown of any validator. */
function createTruth({ cluster, clock }: Stage) {
  const commissions = new Map<string, Set<number>>();
  const everDelinquent = new Set<string>();

  return {
    expectNothingFalse({ validators }: Ledger): void {
      for (const { votePubkey, basisPoints, delinquent } of cluster.at(clock.now()).validators) {
        const known = commissions.get(votePubkey) ?? new Set();
        commissions.set(votePubkey, known.add(Math.min(basisPoints, 10_000)));
        if (delinquent) everDelinquent.add(votePubkey);
      }
      for (const { vote, listed, commissionBasisPoints: shown, delinquent } of validators) {
        if (!listed) continue;
        if (shown !== null) expect([...(commissions.get(vote) ?? [])], `commission of ${vote}`).toContain(shown);
        if (delinquent) expect(everDelinquent, `delinquent ${vote}`).toContain(vote);
      }
    },
  };
}
