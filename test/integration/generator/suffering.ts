import { expect } from "vitest";
import type { Report } from "../../../generator/service/report.ts";
import type { Ledger, StatusSource } from "../../../generator/ledger/ledger.ts";
import type { ValidatorRecord } from "../../../generator/ledger/records.ts";
import { MINUTE, openStage, STARTS_AT, type Stage } from "../../service/harness.ts";
import { readEvents, describeEvent, describePlanned } from "../../service/planned-events.ts";
import type { Fault, Upstream } from "../../service/upstream.ts";
import { putBetween } from "./staging.ts";
import { FIRST_EPOCH } from "../../cluster/options.ts";

export interface Look {
  minute: number;
  report: Report;
  sources: Ledger["sources"];
  known: Partial<Record<StatusSource, number>>;
  listed: number;
  dropped: number;
}

interface Suffered {
  asked: Upstream["asked"];
  before: Look;
  during: Look[];
  after: Look[];
}

export interface Suffering {
  /** A check a minute; nothing false may be known after any. */
  suffer(options: { fault: Fault; minutes: number; heals?: number }): Promise<Suffered>;
  /**
   * Every change shown ten minutes ago is exactly one event.
   * @param ofTheirEpochs false: the chain told wrong epochs
   */
  expectTrueEvents(ofTheirEpochs?: boolean): Promise<void>;
  close(): Promise<unknown>;
}

export async function openSuffering(wellMinutes: number): Promise<Suffering> {
  const stage = await openStage();
  const upstream = await putBetween(stage);
  // Scans at every snapshot, so that a fault during one is seen.
  stage.command.settings = { ...stage.command.settings, stakeScanMinutes: 0 };
  const truth = createTruth(stage);
  const looks: Look[] = [];
  let minute = 0;

  async function play(minutes: number): Promise<Look[]> {
    const seen = looks.length;
    minute += minutes;
    await stage.play({
      until: STARTS_AT + minute * MINUTE,
      onReport: (report, { projection }) => {
        const ledger = projection.ledger();
        looks.push(toLook(stage, structuredClone(report), ledger));
        truth.expectNothingFalse(ledger);
      },
    });
    return looks.slice(seen);
  }

  await play(wellMinutes);
  return {
    async suffer({ fault, minutes, heals = 3 }) {
      const [before, askedBefore] = [looks.at(-1)!, upstream.asked.length];
      upstream.setFault(fault);
      const during = await play(minutes);
      const asked = upstream.asked.slice(askedBefore);
      upstream.setFault(undefined);
      return { asked, before, during, after: await play(heals) };
    },
    async expectTrueEvents(ofTheirEpochs = true) {
      const toText = (event: string) => (ofTheirEpochs ? event : event.replace(/ in \d+:/, ":"));
      const due = STARTS_AT + (minute - 10) * MINUTE;
      const events = [
        ...(await readEvents(stage, "COMMISSION")),
        ...(await readEvents(stage, "MEV")),
      ].map(describeEvent);
      const planned = stage.cluster
        .plannedChanges(FIRST_EPOCH + 4)
        .filter(({ atMilliseconds: at }) => at > STARTS_AT);
      const all = new Set(planned.map(describePlanned).map(toText));
      const told = events.map(toText);
      const ofLongAgo = planned
        .filter(({ atMilliseconds }) => atMilliseconds < due)
        .map(describePlanned);
      expect(told.filter((event) => !all.has(event))).toEqual([]);
      expect(ofLongAgo.map(toText).filter((event) => !told.includes(event))).toEqual([]);
      expect(new Set(events).size).toBe(events.length);
    },
    close: () => Promise.all([upstream.close(), stage.close()]),
  };
}

function toLook({ clock }: Stage, report: Report, ledger: Ledger): Look {
  return {
    minute: Math.floor((clock.now() - STARTS_AT) / MINUTE),
    report,
    sources: structuredClone(ledger.sources),
    known: countKnown(ledger),
    listed: ledger.validators.filter(({ listed }) => listed).length,
    dropped: ledger.dropped,
  };
}

function countKnown({ validators }: Ledger): Look["known"] {
  const count = (isKnown: (validator: ValidatorRecord) => unknown) =>
    validators.filter(isKnown).length;
  return {
    nodes: count(({ version }) => version !== null),
    info: count(({ name }) => name !== null),
    production: count(({ performance }) => (performance?.leaderSlots ?? 0) > 0),
    stakeAccounts: count(({ stakeAccountsAsOf }) => stakeAccountsAsOf !== null),
    mev: count(({ mevVendorEnabled, tips }) => mevVendorEnabled && tips.runs.length > 0),
    locations: count(({ location }) => location !== null),
  };
}

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
        if (shown !== null)
          expect([...(commissions.get(vote) ?? [])], `commission of ${vote}`).toContain(shown);
        if (delinquent) expect(everDelinquent, `delinquent ${vote}`).toContain(vote);
      }
    },
  };
}
