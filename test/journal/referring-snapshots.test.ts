import { describe, expect, test } from "vitest";
import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { entryToJson } from "../../generator/journal/entries.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey, type JournalPlace } from "../../generator/journal/names.ts";
import { readJson } from "../../generator/journal/reading.ts";
import {
  referringSnapshotSchema,
  referSnapshot,
  resolveSnapshot,
} from "../../generator/journal/referring-snapshot.ts";
import { snapshot, type Sides } from "../story/observations.ts";
import { type Fact, keyOf } from "../story/validators.ts";
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

  test("is written with the rows and credits that are other than before, and read whole", async () => {
    const place = makePlace();
    const row = (name: string, ...credits: bigint[]): Fact => ({
      name,
      credits: credits.map((all, epoch) => [epoch, all, credits[epoch - 1] ?? 0n]),
    });
    const inOrder = (facts: Fact[]) =>
      facts.toSorted((one, other) => (keyOf(one.name) < keyOf(other.name) ? -1 : 1));
    const [ada, bob] = [row("ada", 100n, 200n), row("bob", 100n)];
    const entries = [
      [ada, bob],
      [row("ada", 100n, 250n), bob],
      [row("ada", 100n, 200n, 300n), bob],
      [row("ada", 100n), bob],
      [ada, { ...bob, bps: 9_000 }],
      [{ ...row("ada", 999n), delinquent: true }, row("eve", 1n)],
    ].map((facts, index) => snapshot(index * 10, inOrder(facts)));
    const names = await appendAll(openJournal(place), entries);
    const [, ...stored] = await Promise.all(names.map((name) => storedAt(place, name)));
    const ofAda = (change: unknown) =>
      inOrder([ada, bob]).map(({ name }) => (name === "ada" ? change : null));
    const [last, ...others] = stored.toReversed();
    expect(
      others.toReversed().map(({ changed, gone, credits }) => ({ changed, gone, credits })),
    ).toMatchObject([
      { changed: [], gone: [], credits: ofAda([1, [[1, "250", "100"]]]) },
      { changed: [], gone: [], credits: ofAda([2, [[2, "300", "200"]]]) },
      { changed: [], gone: [], credits: ofAda([1, []]) },
      { changed: [{ vote: keyOf("bob"), basisPoints: 9_000 }], gone: [], credits: ofAda(null) },
    ]);
    expect(last).toMatchObject({
      changed: inOrder([{ name: "ada" }, { name: "eve" }]).map(({ name }) => ({
        vote: keyOf(name),
      })),
      gone: [keyOf("bob")],
      credits: ofAda(null),
    });
    expect(await readAll(place, names)).toMatchObject(
      names.map((name, index) => ({ name, entry: entries[index] })),
    );
  });

  test.each<[string, Partial<Record<"credits" | "gone", unknown[]>>, string]>([
    [
      "more credits than the reference has",
      { credits: [[1, []]] },
      `it keeps 1 credits of ${keyOf("ada")}, of which 0000000001 has fewer`,
    ],
    [
      "credits of more vote accounts than the reference has",
      { credits: [null, [0, []]] },
      "it has credits of 2 vote accounts, of which 0000000001 has 1",
    ],
    [
      "the loss of a vote account that the reference lacks",
      { gone: [keyOf("bob")] },
      `it removes ${keyOf("bob")}, which 0000000001 does not have`,
    ],
  ])("is refused with %s", (_, parts, reason) => {
    const link = { name: "0000000002", previous: null };
    const reference = { name: "0000000001", entry: at(0) };
    const json = entryToJson(link, referSnapshot(at(10), reference)!);
    const stored = { ...(JSON.parse(new TextDecoder().decode(json)) as object), ...parts };
    expect(() => resolveSnapshot(referringSnapshotSchema.parse(stored), reference.entry)).toThrow(
      reason,
    );
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
