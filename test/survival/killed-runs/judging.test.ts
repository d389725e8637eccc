import { describe, expect, it } from "vitest";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { toObjectKey } from "../../../generator/contract/objects.ts";
import { openJournal } from "../../../generator/journal/journal.ts";
import type { CheckEntry } from "../../../generator/ledger/entry.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { check, keyOf, slotAt, snapshot, timeAt, withA } from "../../ledger/story.ts";
import { judgeCreation } from "./creation.ts";
import { judgeUptime } from "./uptime.ts";
import { readWitness } from "./witness.ts";

const [old, next] = [withA({ bps: 500 }), withA({ bps: 9_500 })];

/** The value changes between the minutes 1 and 2; two generators observe in minute 2. */
async function tellWitness(...more: CheckEntry[]) {
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

  it.each<[string, Partial<CommissionEvent>]>([
    ["a later one", { createdAt: timeAt(2.4), slot: slotAt(2.4) }],
    ["the time of one and the slot of another", { slot: slotAt(2.4) }],
    ["no observation", { createdAt: timeAt(2.1) }],
    ["a previous one that shows another value", { fromCommission: 7 }],
    ["a previous one that is none", { previousSeenAt: timeAt(0.5) }],
    ["a check, of MEV", { source: "MEV" }],
  ])("is not %s", async (_, wrong) => {
    expect(judgeCreation({ ...event, ...wrong }, await tellWitness())).toHaveLength(1);
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
