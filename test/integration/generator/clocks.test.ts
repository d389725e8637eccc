import { describe, expect, it } from "vitest";
import type { Entry } from "../../../generator/entries/entry.ts";
import { check, crowd, snapshot, timeAt } from "../../ledger/story.ts";
import { expectSame, publishAtOnce, toSite } from "../../service/arriving.ts";
import { readDocument, readTimeless } from "../../service/documents.ts";
import { append, makeStation, makeStores, publish, type Stores } from "../../service/offline.ts";

/*
 * An entry that is dated beyond now: its generator's clock runs ahead, and its endpoints tell no time. Minutes are those of
 * the story; a UTC day ends with minute 840.
 */

const facts = (bps: number) => [...crowd(9), { name: "rugger", bps }];
const at = (minute: number) => Date.parse(timeAt(minute));

/** A generator whose clock is right, at a minute that the test sets. */
function watch(stores: Stores = makeStores()) {
  const clock = { minute: 0 };
  const context = makeStation({ ...stores, now: () => at(clock.minute), holder: "right" });
  const observe = async (minute: number, entry: Entry = check(minute, facts(500))) => {
    clock.minute = minute + 0.1;
    await append(context, [entry]);
    return publish(context, false);
  };
  return { stores, context, clock, observe };
}

/** An observation of now under the date of another minute. */
const dated = (minute: number, date: number): Entry => ({ ...check(minute, facts(500)), time: timeAt(date) });

const AHEAD = [
  ["an hour", 60],
  ["a day and a half", 36 * 60],
  ["a month", 30 * 24 * 60],
] as const;

describe.each(AHEAD)("an entry dated %s ahead", (_, ahead) => {
  const entries = [
    snapshot(0, facts(500)),
    ...Array.from({ length: 130 }, (_, index) => check(index + 1, facts(index + 1 < 100 ? 500 : 10_000))),
  ];
  const strange = dated(20.5, 20.5 + ahead);

  it("keeps nothing of what comes after it from being folded, published and kept", async () => {
    const { stores, context, observe } = watch();
    for (const [minute, entry] of entries.entries()) {
      const { skipped } = await observe(minute, entry);
      expect(skipped).toBeNull();
      if (minute === 20) await append(context, [strange]);
      const { events } = await readDocument(toSite(stores), "index", {});
      expect(events).toHaveLength(minute < 101 ? 0 : 1);
    }
    expect(context.projection.ledger().acceptance.accepted + context.projection.ledger().acceptance.refused).toBe(132);
    await expectSame(stores, await readTimeless(toSite(await publishAtOnce([...entries, strange]))));
  });

  it("leaves the checks of each hour counted, and a status that can be read", async () => {
    const { stores, context, observe } = watch();
    for (const [minute, entry] of entries.entries()) {
      if (minute === 21) await append(context, [strange]);
      await observe(minute, entry);
    }
    const { uptime } = context.projection.ledger();
    const counted = [...uptime.checks.values(), ...uptime.hourChecks.values()];
    expect(counted.reduce((sum, column) => sum + (column[0] ?? 0), 0)).toBeGreaterThanOrEqual(131);
    const { data } = await readDocument(toSite(stores), "status", {});
    expect(data).toMatchObject({ network: "mainnet", epoch: 1101, quarantined: [] });
  });
});

describe("a reader whose clock is wrong", () => {
  const entries = [
    snapshot(0, facts(500)),
    ...Array.from({ length: 200 }, (_, index) => check(index + 1, facts(index < 90 ? 500 : 10_000))),
  ];

  it.each([
    ["an hour behind", -60],
    ["an hour ahead", 60],
    ["a day behind", -24 * 60],
    ["a week ahead", 7 * 24 * 60],
  ])("by being %s reaches the same ledger, and leaves no checkpoint that harms the others", async (_, skew) => {
    const { stores, context, clock } = watch();
    const wrong = makeStation({ ...stores, now: () => at(clock.minute + skew), holder: "wrong" });
    for (const [minute, entry] of entries.entries()) {
      clock.minute = minute + 0.1;
      // One in ten comes half an hour late, to whoever has already kept a checkpoint beyond it.
      if (minute % 10 !== 3) await append(context, [entry]);
      if (minute % 10 === 0) await append(wrong, entries.slice(minute - 27, minute - 26));
      if (minute % 5 === 0) await wrong.projection.refresh();
      if (minute % 7 === 0) await makeStation({ ...stores, now: at(minute), holder: "new" }).projection.refresh();
    }
    await append(context, entries);
    await Promise.all([context.projection.refresh(), wrong.projection.refresh()]);
    expect(wrong.projection.ledger()).toEqual(context.projection.ledger());
    await publish(wrong);
    await publish(context);
    await expectSame(stores, await readTimeless(toSite(await publishAtOnce(entries))));
  });
});
