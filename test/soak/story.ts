import type { Report } from "../../generator/service/report.ts";
import type { Observer } from "../../generator/observe/observation.ts";
import { forkStores, openStores, type Stores } from "./forked-store.ts";
import { guard, type Operation, type Seen } from "./mortal.ts";
import { WHOLE_SIDES } from "../observe/observing.ts";
import { createWorldObserver } from "./observer.ts";
import { startProcess, type Appended } from "./process.ts";
import { BEGIN, createWorld, EPOCH_MILLISECONDS, type World } from "./world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const VALIDATORS = 12;

export interface Tick {
  /** Milliseconds since 1970. */
  at: number;
  kind: "check" | "snapshot";
  /** From 0; after the third it stays 3. */
  epoch: number;
}

/** A new process for each tick, to resume before any of them. */
export interface Story {
  world: World;
  ticks: Tick[];
  /** The stores before each tick, and at the end. */
  before: Stores[];
  operations: Operation[][];
  /** Of a process that also did the tick before; empty for the first. */
  warmOperations: Operation[][];
}

/**
 * Every second snapshot is followed by a check while the lease runs; the last two come days later.
 */
export function storyTicks(): Tick[] {
  const ofEpochs = [0, 1, 2].flatMap((epoch) =>
    [3, 9, 15, 21].flatMap((hour): Tick[] => {
      const at = BEGIN + epoch * EPOCH_MILLISECONDS + hour * HOUR;
      const tick: Tick = { at, kind: "snapshot", epoch };
      return hour % 12 === 3 ? [tick, { ...tick, at: at + MINUTE, kind: "check" }] : [tick];
    }),
  );
  const after = [4, 5].map((days): Tick => ({
    at: BEGIN + days * EPOCH_MILLISECONDS,
    kind: "snapshot",
    epoch: 3,
  }));
  return [...ofEpochs, ...after];
}

export async function playStory(): Promise<Story> {
  const world = createWorld(VALIDATORS);
  const ticks = storyTicks();
  const story: Story = { world, ticks, before: [], operations: [], warmOperations: [] };
  const stores = openStores();
  for (const [index, tick] of ticks.entries()) {
    story.before.push(forkStores(stores));
    story.operations.push(await playTicks(world, stores, [tick]));
    const [before, tickBefore] = [story.before[index - 1], ticks[index - 1]];
    const isFirst = before === undefined || tickBefore === undefined;
    story.warmOperations.push(
      isFirst ? [] : await playTicks(world, forkStores(before), [tickBefore, tick]),
    );
  }
  story.before.push(forkStores(stores));
  return story;
}

async function playTicks(
  world: World,
  stores: Stores,
  ticks: [Tick, ...Tick[]],
): Promise<Operation[]> {
  let operations: Operation[] = [];
  const seen = guard(stores, (operation, act) => {
    operations.push({ ...operation, number: operations.length + 1 });
    return act();
  });
  const teller = await startTeller(world, seen, ticks[0]);
  for (const [index, tick] of ticks.entries()) {
    if (index > 0) operations = [];
    await teller.tick(tick);
  }
  return operations;
}

let started = 0;

/** @param holder different for each process that may meet another */
export async function startTeller(
  world: World,
  stores: Seen,
  first: Tick,
  holder = `process ${(started += 1)}`,
) {
  let tick = first;
  const observer = createRecordedObserver(world, () => tick.at);
  const appended: Appended[] = [];
  const told = await startProcess({
    ...stores,
    observer,
    now: () => tick.at + 2_000,
    holder,
    appended,
  });
  return {
    appended,
    tick(next: Tick): Promise<Report> {
      tick = next;
      return told.tick(next.kind);
    },
  };
}

function createRecordedObserver(world: World, at: () => number): Observer {
  const readAfter = (milliseconds: number) =>
    createWorldObserver({
      world,
      witnesses: ["http://127.0.0.1:8001#0", "http://127.0.0.1:8002#1"],
      read: () => ({ trueTime: at() + milliseconds, ownTime: at() + milliseconds }),
    });
  const first = readAfter(200);
  return {
    ...first,
    snapshot: () =>
      first.snapshot({
        expected: world.goneAt(at()),
        sides: (epoch, votes) => ({
          ...WHOLE_SIDES,
          readRewards: true,
          tips: votes.flatMap((vote) => [epoch - 1, epoch].map((each) => ({ vote, epoch: each }))),
        }),
      }),
  };
}
