import { describe, expect, it } from "vitest";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { toObjectKey } from "../../../generator/contract/objects.ts";
import { openJournal } from "../../../generator/journal/journal.ts";
import type { Entry } from "../../../generator/entries/entry.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { check, keyOf, slotAt, snapshot, timeAt, withA } from "../../ledger/story.ts";
import { judgeCreation } from "./creation.ts";
import { judgeUptime } from "./uptime.ts";
import { readWitness } from "./witness.ts";

const [old, next] = [withA({ bps: 500 }), withA({ bps: 9_500 })];

/** The value changes between the minutes 1 and 2; two generators observe in minute 2. */
async function tellWitness(...more: Entry[]) {
  const store = openMemoryStore("memory:state");
  const journal = openJournal({ store, network: "mainnet", series: 1 });
  const entries = [snapshot(0, old), check(1, old), check(2, next), check(2.4, next), check(3, next), ...more];
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
  it("is the first observation that shows the new value", async () => {
    expect(judgeCreation(event, await tellWitness())).toEqual([]);
  });

  it.each<[string, Partial<CommissionEvent>, RegExp]>([
    [
      "a later one",
      { createdAt: timeAt(2.4), slot: slotAt(2.4) },
      /first at slot .*; .*: created at .*, first shown at/,
    ],
    ["the time of one and the slot of another", { slot: slotAt(2.4) }, /^1: nobody shows 95 % first at slot \d+$/],
    ["no observation", { createdAt: timeAt(2.1) }, /^1: created at [^;]+, first shown at [^;]+$/],
    ["a previous one that shows another value", { fromCommission: 7 }, /^1: nothing of [^;]+ shows 7 %$/],
    ["a previous one that is none", { previousSeenAt: timeAt(0.5) }, /^1: nothing of [^;]+ shows 5 %$/],
    ["a check, of MEV", { source: "MEV" }, /^1: a check shows no MEV commission/],
  ])("is not %s", async (_, wrong, fault) => {
    expect(judgeCreation({ ...event, ...wrong }, await tellWitness()).join("; ")).toMatch(fault);
  });

  it("may be at the slot of a witness's own answer, and at none that came after it", async () => {
    const answer = (slot: number): Entry => ({
      kind: "confirm",
      format: 1,
      network: "mainnet",
      time: timeAt(slot === slotAt(2) + 4 ? 2.02 : 2.2),
      votes: [keyOf("A")],
      tips: [],
      answers: [{ state: "ok", endpoint: "http://127.0.0.2#1", slot, rows: [[9_500, null, null]], shares: [] }],
    });
    const witness = await tellWitness(answer(slotAt(2) + 4), answer(slotAt(2) + 9));
    expect(judgeCreation({ ...event, slot: slotAt(2) + 4 }, witness)).toEqual([]);
    expect(judgeCreation({ ...event, slot: slotAt(2) + 9 }, witness)).toHaveLength(1);
  });
});

describe("the uptime, judged by the journal", () => {
  it("counts a minute once, in which two generators observed", async () => {
    const witness = await tellWitness();
    expect(await judgeUptime(await publishUptime(witness, []), witness)).toEqual({
      validators: 10,
      minutes: 4,
      faults: [],
    });
  });

  it("does not count a minute in which the cluster was down", async () => {
    const down = check(
      4,
      withA({ bps: 9_500 }).map((fact) => ({ ...fact, delinquent: true })),
    );
    const witness = await tellWitness(down);
    expect(await judgeUptime(await publishUptime(witness, []), witness)).toMatchObject({ minutes: 4, faults: [] });
  });

  it("is not right with a minute more than there were", async () => {
    const witness = await tellWitness();
    const store = await publishUptime(witness, [{ date: "2026-11-20", uptimeChecks: 1 }]);
    expect((await judgeUptime(store, witness)).faults).toHaveLength(10);
  });
});

async function publishUptime({ ledger }: Awaited<ReturnType<typeof tellWitness>>, data: unknown[]) {
  const store = openMemoryStore("memory:public");
  const body = new TextEncoder().encode(JSON.stringify({ data }));
  for (const { vote } of ledger.validators) {
    const key = toObjectKey("mainnet", "uptime", { votePubkey: vote });
    await store.put(key, body, { expect: "any", contentType: "application/json" });
  }
  return store;
}
