import { describe, expect, test } from "vitest";
import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey, type JournalPlace } from "../../generator/journal/names.ts";
import { readJson } from "../../generator/journal/reading.ts";
import { snapshot, type Sides } from "../story/observations.ts";
import { keyOf } from "../story/validators.ts";
import { deleteLoose, packFirst } from "./packed.ts";
import { appendAll, readAll } from "./rows.ts";
import { makePlace } from "./samples.ts";

const SECTIONS = ["nodes", "info", "mev", "locations"] as const;

const nodesOf = (version: string): Sides => ({
  nodes: {
    state: "ok",
    value: [{ identity: keyOf("ada"), version, clientId: "Agave", ip: "192.0.2.1" }],
  },
});
const at = (minute: number, { bps = 500, version = "3.0.0" } = {}): SnapshotEntry => {
  const facts = [{ name: "ada", bps }];
  return { ...snapshot(minute, facts, nodesOf(version)), accounts: [accountsAt(minute, bps)] };
};

function accountsAt(minute: number, bps: number): SnapshotEntry["accounts"][number] {
  const { endpoint } = snapshot(minute, []);
  return {
    state: "ok",
    endpoint,
    slot: 1_000 + minute,
    rows: [[bps, null, keyOf("authority"), null]],
  };
}

async function storedAt(place: JournalPlace, name: string): Promise<Record<string, unknown>> {
  const json = await readJson(place, name);
  if (!(json instanceof Uint8Array)) throw new Error(json.unreadable);
  return JSON.parse(new TextDecoder().decode(json)) as Record<string, unknown>;
}

describe("a snapshot", () => {
  test("is written without the sections and accounts that are as before, and read whole", async () => {
    const place = makePlace();
    const entries = [at(0), at(10), at(20, { version: "3.1.0" }), at(30, { bps: 900 })];
    const names = await appendAll(openJournal(place), entries);
    const [whole, same, upgraded, raised] = await Promise.all(
      names.map((name) => storedAt(place, name)),
    );
    expect(whole).toMatchObject({
      format: 1,
      ...Object.fromEntries(SECTIONS.map((name) => [name, entries[0]![name]])),
    });
    expect(same).toMatchObject({ format: 2, base: names[0] });
    expect(SECTIONS.filter((name) => name in same!)).toEqual([]);
    expect(same!["accounts"]).toEqual([
      { state: "ok", endpoint: entries[0]!.endpoint, slot: 1_010 },
    ]);
    expect(upgraded).toMatchObject({ base: names[0], nodes: { value: [{ version: "3.1.0" }] } });
    expect(raised!["accounts"]).toMatchObject([{ rows: [[900, null, keyOf("authority"), null]] }]);
    const expected = names.map((name, index) => ({ name, entry: entries[index] }));
    expect(await readAll(place, names)).toMatchObject(expected);
    await packFirst(place);
    await deleteLoose(place, names);
    expect(await readAll(place, names)).toMatchObject(expected);
  });

  test("is written whole each hour", async () => {
    const place = makePlace();
    const names = await appendAll(openJournal(place), [at(0), at(59), at(60), at(70)]);
    const stored = await Promise.all(names.map((name) => storedAt(place, name)));
    expect(stored.map(({ base = null }) => base)).toEqual([null, names[0], null, names[2]]);
  });

  test("is not guessed at where its reference is gone, or lacks the accounts that it lacks", async () => {
    const [place, other] = [makePlace(), makePlace()];
    const [base = "", name = ""] = await appendAll(openJournal(place), [at(0), at(10)]);
    const { endpoint } = at(0);
    await openJournal(other).append({
      ...at(0),
      accounts: [{ state: "failed", endpoint, reason: "busy" }],
    });
    const { body } = (await place.store.get(toEntryKey(place, name)))!;
    await other.store.put(toEntryKey(other, name), body, {
      expect: "absent",
      contentType: "application/zstd",
    });
    await deleteLoose(place, [base]);
    const [gone, lacking] = [await readAll(place, [name]), await readAll(other, [name])];
    expect(gone).toEqual([
      { name, unreadable: `it refers to ${base}, which cannot be used: the object is missing` },
    ]);
    expect(lacking).toEqual([{ name, unreadable: `${base} has no accounts of ${endpoint}` }]);
  });
});
