import { describe, expect, it } from "vitest";
import { createProjection, type Projection } from "../../generator/service/projection.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import type { Journal } from "../../generator/journal/journal.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { check, crowd, snapshot, timeAt } from "../ledger/story.ts";

const facts = crowd(5);
const minutes = [0, 1, 2, 3];
const entries = minutes.map((minute) => (minute === 0 ? snapshot(minute, facts) : check(minute, facts)));

function makeKeeper(store: ObjectStore): { journal: Journal; projection: Projection } {
  const journal = openJournal({ store, network: "mainnet", series: 1 });
  return {
    journal,
    projection: createProjection({ network: "mainnet", series: 1, journal, now: () => Date.parse(timeAt(4)) }),
  };
}

/** A store whose reads fail, or find nothing, while the switch says so. */
function makeFaulty(kind: "fails" | "missing") {
  const store = openMemoryStore();
  const fault = { of: null as string | null };
  const get: ObjectStore["get"] = (key) => {
    if (fault.of === null || !key.includes(fault.of)) return store.get(key);
    return kind === "missing" ? Promise.resolve(null) : Promise.reject(new Error("the store is down"));
  };
  return { store: { ...store, get }, fault };
}

describe("a projection that could not fold to the end", () => {
  it.each([
    ["fails" as const, "the store is down"],
    ["missing" as const, "was listed, and is not there any more"],
  ])("because a read %s says so, and folds all of it the next time", async (kind, reason) => {
    const { store, fault } = makeFaulty(kind);
    const { journal, projection } = makeKeeper(store);
    const names: string[] = [];
    for (const entry of entries) names.push(await journal.append(entry));
    fault.of = names[2] ?? "";
    await expect(projection.refresh()).rejects.toThrow(reason);
    expect(projection.position()).toBeNull();
    fault.of = null;
    expect([...(await projection.refresh()).keys()]).toEqual(names);
    expect(projection.ledger().acceptance).toMatchObject({ accepted: 4, refused: 0 });
  });
});
