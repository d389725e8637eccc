import type { Report } from "../../generator/service/report.ts";
import type { Observer } from "../../generator/observe/observation.ts";
import { forkStores, openStores, type Stores } from "./forked-store.ts";
import { guard, type Operation, type Seen } from "./mortal.ts";
import { createWorldObserver } from "./observer.ts";
import { startProcess, type Process } from "./process.ts";
import { BEGIN, createWorld, EPOCH_MILLISECONDS, type World } from "./world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const VALIDATORS = 12;

/** When a process observes and publishes, and how. */
export interface Tick {
  /** Milliseconds since 1970. */
  at: number;
  kind: "check" | "snapshot";
  /** From 0; what comes after the third is 3. */
  epoch: number;
}

/** A story told without a crash: by a new process for each tick, so that it can be taken up again before any of them. */
export interface Story {
  world: World;
  ticks: Tick[];
  /** The stores before each tick, and at the end. */
  before: Stores[];
  /** What the process of each tick asked of the stores, in order. */
  operations: Operation[][];
  /** The same of a process that has gone through the tick before as well; of the first tick nothing. */
  warmOperations: Operation[][];
  reports: Report[];
}

/**
 * Three epochs of a day: four snapshots each with changes between them, every second one followed by a check within the time of
 * a lease; then a snapshot a day for two more days, so that the days before can be put away.
 */
export function storyTicks(): Tick[] {
  const ofEpochs = [0, 1, 2].flatMap((epoch) =>
    [3, 9, 15, 21].flatMap((hour): Tick[] => {
      const at = BEGIN + epoch * EPOCH_MILLISECONDS + hour * HOUR;
      const tick: Tick = { at, kind: "snapshot", epoch };
      return hour % 12 === 3 ? [tick, { ...tick, at: at + MINUTE, kind: "check" }] : [tick];
    }),
  );
  const end = BEGIN + 3 * EPOCH_MILLISECONDS;
  const after = [1, 2].map((days): Tick => ({ at: end + days * EPOCH_MILLISECONDS, kind: "snapshot", epoch: 3 }));
  return [...ofEpochs, ...after];
}

export async function tellStory(): Promise<Story> {
  const ticks = storyTicks();
  const story: Story = {
    world: createWorld(VALIDATORS),
    ticks,
    before: [],
    operations: [],
    warmOperations: [],
    reports: [],
  };
  const stores = openStores();
  for (const [index, tick] of ticks.entries()) {
    story.before.push(forkStores(stores));
    const { operations, report } = await tellTick(story.world, stores, [tick]);
    story.operations.push(operations);
    story.reports.push(report);
    const [before, tickBefore] = [story.before[index - 1], ticks[index - 1]];
    const isFirst = before === undefined || tickBefore === undefined;
    const warm = isFirst ? [] : (await tellTick(story.world, forkStores(before), [tickBefore, tick])).operations;
    story.warmOperations.push(warm);
  }
  story.before.push(forkStores(stores));
  return story;
}

/** Goes through ticks in one process; gives what the last of them asked of the stores, and its report. */
async function tellTick(world: World, stores: Stores, [first, ...rest]: [Tick, ...Tick[]]) {
  let operations: Operation[] = [];
  const seen = guard(stores, (operation, act) => {
    operations.push({ ...operation, number: operations.length + 1 });
    return act();
  });
  const teller = await startTeller(world, seen, first);
  let report = await teller.tick(first);
  for (const tick of rest) {
    operations = [];
    report = await teller.tick(tick);
  }
  return { operations, report };
}

/** A process of the story, which goes from tick to tick. */
export interface Teller {
  tick(tick: Tick): Promise<Report>;
  publish(): Promise<Report>;
  /** Names of the entries that the journal said it has. */
  appended: string[];
}

let started = 0;

/**
 * A process on its own; the same tick is read the same whoever reads it, as if it had been recorded.
 * @param holder who publishes: different for each process that may meet another
 */
export async function startTeller(
  world: World,
  stores: Seen,
  first: Tick,
  holder = `process ${(started += 1)}`,
): Promise<Teller> {
  let tick = first;
  const appended: string[] = [];
  const told: Process = await startProcess({
    ...stores,
    observer: createRecordedObserver(world, () => tick.at),
    now: () => tick.at + 2 * 1000,
    holder,
    onAppended: (name) => void appended.push(name),
  });
  return {
    appended,
    publish: () => told.publish(),
    tick(next) {
      tick = next;
      return told.tick(next.kind);
    },
  };
}

/** Gives the readings of a tick: what a snapshot asks for beside the list does not depend on who asks. */
function createRecordedObserver(world: World, at: () => number): Observer {
  const readAfter = (milliseconds: number) =>
    createWorldObserver({
      world,
      witnesses: ["http://127.0.0.1:8001#0", "http://127.0.0.1:8002#1"],
      read: () => ({ trueTime: at() + milliseconds, ownTime: at() + milliseconds }),
    });
  const [first, second] = [readAfter(200), readAfter(1_200)];
  return {
    check: () => first.check(),
    snapshot: () =>
      first.snapshot({
        expected: world.goneAt(at()),
        scanStakeAccounts: () => true,
        closedMev: (epoch) => ({ epoch: epoch - 1, votes: [] }),
      }),
    confirm: (request) => second.confirm(request),
    transactions: (request) => first.transactions(request),
    close: () => Promise.resolve(),
  };
}
