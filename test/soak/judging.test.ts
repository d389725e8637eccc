import { describe, expect, it } from "vitest";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import { toObjectKey } from "../../generator/contract/object-keys.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import type { CheckEntry } from "../../generator/entries/entry.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import { slotAt, timeAt } from "../story/clock.ts";
import { check, checkBy, snapshot } from "../story/observations.ts";
import { keyOf, withA } from "../story/validators.ts";
import { makeUptime } from "../proxy/fixtures.ts";
import { judgeCreation, judgeUptime, readWitness } from "./judging.ts";

const [old, next] = [withA({ bps: 500 }), withA({ bps: 9_500 })];

/** The value changes between minutes 1 and 2; two generators observe in minute 2. */
async function tellWitness(...more: CheckEntry[]) {
  const store = openMemoryStore("memory:state");
  const journal = openJournal({ store, network: "mainnet", series: 1 });
  const entries = [
    snapshot(0, old),
    check(1, old),
    check(2, next),
    check(2.4, next),
    check(3, next),
    ...more,
  ];
  entries.sort((one, other) => one.slot - other.slot);
  for (const entry of entries) await journal.append(entry);
  return readWitness(store);
}

const event = {
  id: "1",
  votePubkey: keyOf("A"),
  source: "COMMISSION",
  fromCommission: 5,
  toCommission: 95,
  createdAt: timeAt(2),
  slot: slotAt(2),
  previousSlot: slotAt(1),
  previousSeenAt: timeAt(1),
} as CommissionEvent;

describe("when an event was first seen, judged by the journal", () => {
  it.each<[string, Partial<CommissionEvent>, RegExp]>([
    ["right with the first observation that shows the new value", {}, /^$/],
    [
      "wrong with a later one",
      { createdAt: timeAt(2.4), slot: slotAt(2.4) },
      /first at slot .*; .*first shown at/,
    ],
    [
      "wrong with the slot of another",
      { slot: slotAt(2.4) },
      /^1: nobody shows 95 % first at slot/,
    ],
    [
      "wrong with no observation",
      { createdAt: timeAt(2.1) },
      /^1: created at [^;]+, first shown at [^;]+$/,
    ],
    [
      "wrong with a previous one that shows another value",
      { fromCommission: 7 },
      /^1: nothing of [^;]+ shows 7 %$/,
    ],
    [
      "wrong with a previous one that is none",
      { previousSeenAt: timeAt(0.5) },
      /^1: nothing of [^;]+ shows 5 %$/,
    ],
    ["wrong with a check, of MEV", { source: "MEV" }, /^1: a check shows no MEV commission/],
  ])("is %s", async (_, change, fault) => {
    expect(judgeCreation({ ...event, ...change }, await tellWitness()).join("; ")).toMatch(fault);
  });

  it("may be at the slot of a witness's own answer, and at none that came after it", async () => {
    const answer = (slot: number, minute: number) => {
      return checkBy(minute, [{ list: old }, { list: next, ahead: slot - slotAt(minute) }]);
    };
    const [first, later] = [slotAt(2) + 4, slotAt(2) + 9];
    const witness = await tellWitness(answer(first, 2.02), answer(later, 2.2));
    expect(judgeCreation({ ...event, slot: first }, witness)).toEqual([]);
    expect(judgeCreation({ ...event, slot: later }, witness)).toHaveLength(1);
  });
});

describe("the uptime, judged by the journal", () => {
  const down = check(
    4,
    withA({ bps: 9_500 }).map((fact) => ({ ...fact, delinquent: true })),
  );
  const minuteMore = {
    date: "2026-11-20",
    uptimeChecks: 1,
    delinquentChecks: 0,
    uptimePercent: 100,
  };

  it.each<[string, CheckEntry[], object[], number]>([
    ["counts a minute once, in which two generators observed", [], [], 0],
    ["does not count a minute in which the cluster was down", [down], [], 0],
    ["is not right with a minute more than there were", [], [minuteMore], 10],
  ])("%s", async (_, more, data, wrong) => {
    const witness = await tellWitness(...more);
    const store = openMemoryStore("memory:public");
    for (const { vote } of witness.ledger.validators) {
      const key = toObjectKey("mainnet", "uptime", { votePubkey: vote });
      const body = new TextEncoder().encode(JSON.stringify({ ...makeUptime(vote), data }));
      await store.put(key, body, { expect: "any", contentType: "application/json" });
    }
    const { validators, minutes, faults } = await judgeUptime(store, witness);
    expect([validators, minutes, faults.length]).toEqual([10, 4, wrong]);
  });
});
