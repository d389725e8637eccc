import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import type { Projection } from "../../generator/service/projection.ts";
import { toObjectKey } from "../../generator/contract/objects.ts";
import { toEntryKey } from "../../generator/journal/names.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { damage, deleteLoose, HOUR, packOf } from "../journal/packed.ts";
import { timeAt } from "../story/clock.ts";
import { check } from "../story/observations.ts";
import { keyOf } from "../story/validators.ts";
import { calm, CROWD, first, keysOf, makeGenerator, others, type Generator } from "./keeping.ts";

let generator: Generator;
let projection: Projection;
beforeEach(() => {
  generator = makeGenerator();
  projection = generator.makeKeeper();
});

describe("a projection", () => {
  it("stands nowhere before anything is folded, and folds on: what it has folded is not read again", async () => {
    generator.minute = 5;
    expect(await projection.refresh()).toEqual(new Map());
    expect([projection.position(), projection.changed().references]).toEqual([null, []]);
    const names = await generator.append(...calm(0, 4));
    expect([...(await projection.refresh()).keys()]).toEqual(names);
    const before = generator.counts.gets;
    const [name = ""] = await generator.append(others(5, 500));
    expect(await projection.refresh()).toEqual(new Map([[name, { accepted: true }]]));
    expect(generator.counts.gets - before).toBe(1);
    expect(await projection.refresh()).toEqual(new Map());
    expect(projection.position()?.through).toBe(name);
  });

  it("says what the fold said of each entry", async () => {
    await generator.append(first(0));
    const [name = ""] = await generator.append(check(1, CROWD, { slot: 1 }));
    const outcome = (await projection.refresh()).get(name);
    const reason = expect.stringContaining("slot 1 is not above") as string;
    expect(outcome).toMatchObject({ accepted: false, reason });
  });

  it("knows of whom an entry changed something since it was published, and of nobody else", async () => {
    await generator.append(...calm(0, 4));
    await projection.refresh();
    projection.setPublished(projection.position());
    await generator.append(others(5, 10_000), others(5.5, 10_000));
    await projection.refresh();
    const { keys, since } = keysOf(projection);
    expect(since).toEqual(expect.objectContaining({ through: expect.stringMatching(/-check-/) as string }));
    const [document, feed] = ["api/v1", "feeds"].map((root) => `${root}/mainnet/validators/${keyOf("rugger")}`);
    expect(keys.filter((key) => key.includes("/validators/"))).toEqual([
      ...[".json", "/commission-history.json", "/events.json", "/stake-history.json"].map((end) => `${document}${end}`),
      ...[".atom", ".json"].map((end) => `${feed}${end}`),
    ]);
    expect(keys).toContain("api/v1/mainnet/epochs/1100/events.json");
  });

  it("takes every document for changed as long as nothing is published that it knows of", async () => {
    await generator.append(...calm(0, 3));
    const unknown = { through: "2026-11-20/100000000-check-0000000000000000", digest: "of another journal" };
    for (const published of [null, unknown]) {
      projection.setPublished(published);
      await projection.refresh();
      const { keys, since } = keysOf(projection);
      expect(since).toBeNull();
      expect(keys.filter((key) => key.endsWith("/uptime.json"))).toHaveLength(CROWD.length + 1);
    }
  });
});

describe("what another process publishes", () => {
  it("makes everything between seen: what it showed is looked at again", async () => {
    const [mine, theirs] = [generator.makeKeeper(), generator.makeKeeper()];
    await generator.append(...calm(0, 2));
    await Promise.all([mine.refresh(), theirs.refresh()]);
    const older = theirs.position();
    mine.setPublished(mine.position());
    await generator.append(others(3, 9100), others(4, 9100));
    await mine.refresh();
    mine.setPublished(mine.position());
    expect(keysOf(mine).keys.filter((key) => key.includes("/validators/"))).toEqual([]);
    // A slower process restores the older state: everything newer has changed.
    mine.setPublished(older);
    await mine.refresh();
    expect(keysOf(mine).since).toEqual(older);
    expect(keysOf(mine).keys).toContain(toObjectKey("mainnet", "validatorEvents", { votePubkey: keyOf("rugger") }));
  });

  it("at a position not folded yet is followed", async () => {
    const [mine, theirs] = [generator.makeKeeper(), generator.makeKeeper()];
    await generator.append(...calm(0, 2));
    await mine.refresh();
    mine.setPublished(mine.position());
    await generator.append(others(3, 9100), others(4, 9100));
    await theirs.refresh();
    mine.setPublished(theirs.position());
    await mine.refresh();
    expect(keysOf(mine).since).toEqual(theirs.position());
    expect(mine.ledger()).toEqual(theirs.ledger());
    const cheaper = [{ name: "rugger", bps: 9100 }, { name: "crowd 0", bps: 0 }, ...CROWD.slice(1)];
    await generator.append(check(5, cheaper), check(5.5, cheaper));
    await mine.refresh();
    expect(keysOf(mine).since).toEqual(theirs.position());
    expect(keysOf(mine).keys).toContain(toObjectKey("mainnet", "validatorEvents", { votePubkey: keyOf("crowd 0") }));
  });
});

describe("what cannot be read in the journal", () => {
  it("is named, and the rest is folded", async () => {
    const [, cut = ""] = await generator.append(...calm(0, 3));
    const { place } = generator;
    await damage(place, toEntryKey(place, cut), (body) => body.slice(0, 40));
    const foreign = "journal/mainnet/0001/2026-11-20/notes.txt";
    await place.store.put(foreign, new Uint8Array(), { expect: "any", contentType: "text/plain" });
    expect((await projection.refresh()).size).toBe(3);
    expect(projection.ledger().acceptance.accepted).toBe(3);
    const quarantined = [
      { object: cut, reason: expect.stringMatching(/./) as string },
      { object: foreign, reason: "not the name of an entry" },
    ];
    expect(projection.quarantined()).toEqual(quarantined);
    await generator.append(others(4, 500));
    await projection.refresh();
    expect(projection.quarantined()).toEqual(quarantined);
  });
});

describe("a packed day", () => {
  async function makePacked() {
    const { place } = generator;
    const names = await generator.append(...calm(0, 60));
    const key = await packOf(place, names, Date.parse(timeAt(60)) + 3 * HOUR);
    await deleteLoose(place, names);
    generator.minute = 61;
    return { place, names, key };
  }

  it("is folded as a loose one", async () => {
    const { names } = await makePacked();
    const loose = makeGenerator();
    await loose.append(...calm(0, 60));
    loose.minute = 61;
    const [packed, apart] = [generator.makeKeeper(), loose.makeKeeper()];
    expect([...(await packed.refresh()).keys()]).toEqual(names);
    await apart.refresh();
    expect(packed.ledger()).toEqual(apart.ledger());
    expect(packed.position()).toEqual(apart.position());
  });

  it("in a newer format is not published past: who wrote it knows more", async () => {
    const { place, key } = await makePacked();
    await damage(place, key, (body) =>
      zstdCompressSync(zstdDecompressSync(body).toString().replace('"format":1', '"format":2')),
    );
    await generator.append(others(61, 500));
    generator.minute = 62;
    projection = generator.makeKeeper();
    await projection.refresh();
    expect(projection.outdated()).toContain(`${key}: it has the format 2`);
  });
});

describe("a projection that could not fold to the end", () => {
  it.each([
    ["fails", () => Promise.reject(new Error("the store is down")), "the store is down"],
    ["finds nothing", () => Promise.resolve(null), "was listed and has vanished"],
  ])("because a read %s says so, and folds all of it the next time", async (_, answer, reason) => {
    const store = openMemoryStore();
    let faulty: string | undefined;
    const get: ObjectStore["get"] = (key) => (faulty !== undefined && key.includes(faulty) ? answer() : store.get(key));
    generator = makeGenerator({ ...store, get });
    generator.minute = 4;
    projection = generator.makeKeeper();
    const names = await generator.append(...calm(0, 3));
    faulty = names[2];
    await expect(projection.refresh()).rejects.toThrow(reason);
    expect(projection.position()).toBeNull();
    faulty = undefined;
    expect([...(await projection.refresh()).keys()]).toEqual(names);
    expect(projection.ledger().acceptance).toMatchObject({ accepted: 4, refused: 0 });
  });
});
