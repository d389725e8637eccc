import { observe } from "../../../generator/service/observing.ts";
import { createReport, type Report } from "../../../generator/service/report.ts";
import { findBoundary } from "../../../generator/service/run.ts";
import {
  afterSnapshot,
  BEGINNING,
  nextTick,
  toCadence,
} from "../../../generator/service/schedule.ts";
import type { Context } from "../../../generator/service/context.ts";
import type { Entry, NamedEntry } from "../../../generator/entries/entry.ts";
import { toName } from "../../../generator/journal/names.ts";
import type { Folded } from "../../../generator/ledger/fold.ts";
import { foldEntry } from "../../../generator/service/projection/fold-entry.ts";
import { createLedger } from "../../../generator/ledger/ledger.ts";
import { createObserver } from "../../../generator/observe/observation.ts";
import { createDice } from "../random.ts";
import { NETWORK } from "./leaders.ts";
import type { LieKind } from "./lies.ts";
import { createRecord, type Record } from "./record.ts";
import { createWitnessRpc } from "./rpc.ts";
import { STREAMS, type Scenario } from "./scenario.ts";
import { createVirtualTime } from "./virtual-time.ts";
import { createWitness } from "./witness.ts";

const CADENCE = toCadence(60);

type Memory = Pick<Context, "journal" | "projection">;

export interface Played {
  record: Record;
  told: Map<LieKind, number>;
  /** Accounts that witnesses showed as they were, or as if there were none. */
  outdated: number;
}

export async function play(scenario: Scenario): Promise<Played> {
  const { seed, cluster, begin, end } = scenario;
  const time = createVirtualTime(begin);
  const witnesses = scenario.witnesses.map((plan, index) =>
    createWitness(plan, {
      cluster,
      loads: scenario.loads,
      dice: createDice(seed, STREAMS.answers + index),
    }),
  );
  const record = createRecord(scenario);
  const clock = { now: time.now, timer: time.now, sleepUntil: time.sleepUntil };
  const observer = createObserver({
    network: NETWORK,
    endpoints: [],
    mevUrl: null,
    locations: null,
    genesis: cluster.genesis,
    now: time.now,
    timer: time.now,
    sleep: (milliseconds) => time.sleepUntil(time.now() + milliseconds),
    // Nothing but its deadline cuts a witness short here.
    later: () => () => undefined,
    rpc: createWitnessRpc(witnesses, time),
  });
  // The rest of a context is for publishing only.
  const context = {
    network: NETWORK,
    clock,
    observer,
    stakeScanMinutes: 60,
    ...createMemory((folded, entry) => record.note(folded, entry, time.now())),
  } as unknown as Context;
  await time.play(
    observeUntil(context, {
      end,
      onObserved: (report) => record.look(context.projection.ledger(), report, time.now()),
    }),
  );
  await observer.close();
  const outdated = witnesses.reduce((total, witness) => total + witness.outdated(), 0);
  return { record, told: sum(witnesses.map(({ told }) => told)), outdated };
}

async function observeUntil(
  context: Context,
  { end, onObserved }: { end: number; onObserved: (report: Report) => void },
) {
  const { clock, projection } = context;
  let progress = BEGINNING;
  for (;;) {
    const now = Math.max(progress.last, clock.now());
    const next = nextTick(progress, {
      now,
      boundary: findBoundary(projection.ledger()),
      cadence: CADENCE,
    });
    ({ progress } = next);
    const { at, kind } = next.tick;
    if (at >= end) return;
    await clock.sleepUntil(at);
    const report = createReport(kind, NETWORK);
    await observe(context, kind, report);
    if (kind === "snapshot") progress = afterSnapshot(progress, report.accepted !== false);
    onObserved(report);
  }
}

function createMemory(onFolded: (folded: Folded, entry: Entry) => void): Memory {
  let ledger = createLedger(NETWORK);
  let appended = 0;
  let unfolded: NamedEntry[] = [];
  return {
    journal: {
      append: (entry: Entry) => {
        const name = toName((appended += 1));
        unfolded.push({ name, hash: "", entry });
        return Promise.resolve(name);
      },
    } as Memory["journal"],
    projection: {
      ledger: () => ledger,
      refresh: () => {
        const outcomes = unfolded.map(({ name, hash, entry }): [string, Folded["outcome"]] => {
          const folded = foldEntry(ledger, { name, hash, entry });
          ({ ledger } = folded);
          onFolded(folded, entry);
          return [name, folded.outcome];
        });
        unfolded = [];
        return Promise.resolve(new Map(outcomes));
      },
    } as Memory["projection"],
  };
}

function sum(told: readonly Map<LieKind, number>[]): Map<LieKind, number> {
  const all = new Map<LieKind, number>();
  for (const one of told)
    for (const [kind, count] of one) all.set(kind, (all.get(kind) ?? 0) + count);
  return all;
}
