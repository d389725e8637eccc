import "./at-once.ts";
import { expect, it } from "vitest";
import type { Ruling } from "../../generator/entries/ruling.ts";
import { toName } from "../../generator/journal/names.ts";
import type { Context } from "../../generator/service/context.ts";
import { append, makeStation, publish } from "../service/offline.ts";
import { timeAt } from "../story/clock.ts";
import { check, snapshot } from "../story/observations.ts";
import type { Fact } from "../story/validators.ts";
import { forkStores, openStores, type Stores } from "./forked-store.ts";
import { openSite, type Copy } from "./follower.ts";
import { dieAt, guard, ignoreDeath, type Seen } from "./mortal.ts";
import { startTeller, storyTicks } from "./story.ts";
import { SOAK } from "./soak.ts";
import { createWorld } from "./world.ts";

/*
 * The program of the proxy's guide follows the log: of a story, of rulings and
 * of rebuilds, while generators die at each of their operations on the stores.
 */

const HOUR = 3_600_000;
const VALIDATORS = 12;
/** Nightly every death is told; else one in three, and in each act others. */
const TOLD_EVERY = SOAK === 1 ? 3 : 1;
/** Answers so short that a visit needs several. */
const LIMIT = 7;

const world = createWorld(VALIDATORS);
const ticks = storyTicks();
const end = ticks.at(-1)?.at ?? 0;

/** Who goes on after a death does it again. */
interface Act {
  name: string;
  run: (stores: Seen, holder: string) => Promise<void>;
}

const acts: Act[] = [
  ...ticks.map((tick, index): Act => ({
    name: `tick ${index}`,
    run: async (stores, holder) => {
      const teller = await startTeller(world, stores, tick, holder);
      await teller.tick(tick);
    },
  })),
  { name: "an event is withdrawn", run: ruleAt(end + HOUR, "ignore", newestEvent) },
  { name: "a rebuild", run: rebuildAt(end + 2 * HOUR) },
  { name: "the event is let in again", run: ruleAt(end + 3 * HOUR, "accept", newestEvent) },
  { name: "an observation is left out", run: ruleAt(end + 4 * HOUR, "ignore", () => MIDDLE) },
  { name: "a rebuild of the new edition", run: rebuildAt(end + 5 * HOUR) },
];

const MIDDLE: Ruling["subject"] = { of: "observation", first: toName(8), last: toName(8) };

/** Chosen once: it does not stand while it is ruled away. */
let event: Ruling["subject"] | null = null;

function newestEvent({ projection }: Context): Ruling["subject"] {
  return (event ??= { of: "event", id: projection.ledger().events.at(-1)?.id ?? "" });
}

function ruleAt(
  now: number,
  verdict: Ruling["verdict"],
  toSubject: (context: Context) => Ruling["subject"],
): Act["run"] {
  return async (stores, holder) => {
    const station = makeStation({ ...stores, now, holder });
    await station.projection.refresh();
    const subject = toSubject(station);
    const ruledAt = new Date(now).toISOString();
    const rulings = await station.journal.rulings();
    const after =
      subject.of === "event" ? (station.projection.position()?.through ?? null) : toName(7);
    if (!rulings.some(({ ruling }) => ruling.ruledAt === ruledAt))
      await station.journal.rule({
        format: 1,
        network: "mainnet",
        ruledAt,
        after,
        subject,
        verdict,
        reason: "a test",
      });
    await publish(station);
  };
}

function rebuildAt(now: number): Act["run"] {
  return async (stores, holder) => {
    for await (const { key } of stores.stateStore.list("checkpoints/"))
      await stores.stateStore.delete(key);
    await publish(makeStation({ ...stores, now, holder }));
  };
}

interface Scene extends Act {
  before: Stores;
  copy: Copy | undefined;
  operations: number;
}

const scenes = await prepare();

/** Plays all acts without a death. */
async function prepare(): Promise<Scene[]> {
  const stores = openStores();
  const prepared: Scene[] = [];
  let copy: Copy | undefined;
  for (const act of acts) {
    const scene: Scene = { ...act, before: forkStores(stores), copy, operations: 0 };
    const counted = guard(stores, (_, run) => {
      scene.operations += 1;
      return run();
    });
    await act.run(counted, act.name);
    copy = await expectSame(stores, copy);
    prepared.push(scene);
  }
  return prepared;
}

async function expectSame({ publicStore }: Stores, before: Copy | undefined): Promise<Copy> {
  const site = openSite(publicStore, LIMIT);
  const copy = await site.follow(before);
  expect(toSorted([...copy.events.values()])).toEqual(toSorted(await site.readEvents()));
  return copy;
}

function toSorted<Event extends { id: string }>(events: readonly Event[]): Event[] {
  return events.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

it("the story withdraws an event and publishes it again, and each ruling begins another edition", () => {
  const copies = scenes.slice(-4).map(({ copy }) => copy!);
  const isStanding = copies.map(({ events }) => event?.of === "event" && events.has(event.id));
  expect(isStanding).toEqual([false, false, true, expect.any(Boolean)]);
  expect(new Set(copies.map(({ edition }) => edition)).size).toBe(3);
});

it.each(scenes.map((scene, index) => ({ ...scene, first: 1 + (index % TOLD_EVERY) })))(
  "the copy is what the API shows after each death in «$name»",
  async ({ run, before, copy, operations, first }) => {
    expect(operations).toBeGreaterThan(TOLD_EVERY);
    for (let number = first; number <= operations; number += TOLD_EVERY) {
      const stores = forkStores(before);
      // What is lost at the next operation is done at this one.
      await run(dieAt(stores, { number, fate: "done", onLate: () => undefined }), "who dies").catch(
        ignoreDeath,
      );
      // A visit in between may find part of a publication.
      const between = await openSite(stores.publicStore, LIMIT)
        .follow(copy)
        .catch(() => copy);
      await run(stores, "who dies");
      await expectSame(stores, between);
    }
  },
);

it("the copy is what the API shows after a ruling whose author had read less than was published", async () => {
  const stores = openStores();
  const stationOf = (holder: string) =>
    makeStation({ ...stores, now: Date.parse(timeAt(60)), holder });
  const twoAt = (minute: number, bps: number[]) => check(minute, withTwo(bps));
  const [author, other] = [stationOf("author"), stationOf("other")];
  await append(author, [
    snapshot(0, withTwo([500, 500])),
    ...[1, 2].map((minute) => twoAt(minute, [9_000, 500])),
  ]);
  await publish(author);
  const { position, events } = author.projection.ledger();
  await append(
    other,
    [3, 4].map((minute) => twoAt(minute, [9_000, 9_000])),
  );
  await publish(other);
  const copy = await expectSame(stores, undefined);
  const subject = { of: "event" as const, id: events[0]?.id ?? "" };
  const ruling = {
    format: 1,
    network: "mainnet",
    ruledAt: timeAt(60),
    after: position?.name ?? "",
  } as const;
  await author.journal.rule({ ...ruling, subject, verdict: "ignore", reason: "a test" });
  await publish(other);
  const after = await expectSame(stores, copy);
  expect([copy.events.size, after.events.size]).toEqual([2, 1]);
});

function withTwo(bps: number[]): Fact[] {
  return ["A", "B"].map((name, index) => ({ name, bps: bps[index] ?? 0 }));
}
