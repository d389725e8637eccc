import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import type { Projection } from "../../../generator/service/projection/projection.ts";
import { toObjectKey } from "../../../generator/contract/object-keys.ts";
import { numberOf, toEntryKey, toName } from "../../../generator/journal/names.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import { changeEntry, damage, damagePack, deleteLoose, packFirst } from "../../journal/packed.ts";
import { makeRuling } from "../../journal/samples.ts";
import { check } from "../../story/observations.ts";
import { keyOf } from "../../story/validators.ts";
import { calm, CROWD, first, keysOf, makeGenerator, others, type Generator } from "../keeping.ts";

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
    // The entry, and whether a pack already has its number.
    expect(generator.counts.gets - before).toBe(2);
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
    expect(since).toEqual(expect.objectContaining({ through: "0000000005" }));
    const [document, feed] = ["api/v1", "feeds"].map(
      (root) => `${root}/mainnet/validators/${keyOf("rugger")}`,
    );
    expect(keys.filter((key) => key.includes("/validators/"))).toEqual([
      ...[
        ".json",
        "/commission-history.json",
        "/events.json",
        "/location.json",
        "/stake-history.json",
        "/transactions.json",
      ].map((end) => `${document}${end}`),
      ...[".atom", ".json"].map((end) => `${feed}${end}`),
    ]);
    expect(keys).toContain("api/v1/mainnet/epochs/1100/events.json");
  });

  it("takes every document for changed as long as nothing is published that it knows of", async () => {
    await generator.append(...calm(0, 3));
    const unknown = { through: "0000000002", digest: "of another journal" };
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
    expect(keysOf(mine).keys).toContain(
      toObjectKey("mainnet", "validatorEvents", { votePubkey: keyOf("rugger") }),
    );
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
    expect(keysOf(mine).keys).toContain(
      toObjectKey("mainnet", "validatorEvents", { votePubkey: keyOf("crowd 0") }),
    );
  });
});

describe("what cannot be read in the journal", () => {
  it("is named, and the rest is folded", async () => {
    const [, cut = ""] = await generator.append(...calm(0, 3));
    const { place } = generator;
    await damage(place, toEntryKey(place, cut), (body) => body.slice(0, 40));
    const foreign = "journal/mainnet/0001/notes.txt";
    await place.store.put(foreign, new Uint8Array(), { expect: "any", contentType: "text/plain" });
    expect((await projection.refresh()).size).toBe(3);
    expect(projection.ledger().acceptance.accepted).toBe(3);
    const quarantined = [
      { object: cut, reason: expect.stringMatching(/./) as string },
      { object: foreign, reason: "not the name of an entry or a ruling" },
    ];
    expect(projection.quarantined()).toEqual(quarantined);
    await generator.append(others(4, 500));
    await projection.refresh();
    expect(projection.quarantined()).toEqual(quarantined);
  });
});

describe("a pack", () => {
  async function makePacked() {
    const { place } = generator;
    const names = await generator.append(...calm(0, 60));
    await packFirst(place);
    await deleteLoose(place, names);
    return { place, names };
  }

  it("is folded as loose entries are", async () => {
    const { names } = await makePacked();
    const loose = makeGenerator();
    await loose.append(...calm(0, 60));
    const [packed, apart] = [generator.makeKeeper(), loose.makeKeeper()];
    expect([...(await packed.refresh()).keys()]).toEqual(names);
    await apart.refresh();
    expect(packed.ledger()).toEqual(apart.ledger());
    expect(packed.position()).toEqual(apart.position());
  });

  it("in a newer format is not published past: who wrote it knows more", async () => {
    const { place } = await makePacked();
    await damagePack(place, (body) =>
      zstdCompressSync(zstdDecompressSync(body).toString().replace('"format":1', '"format":2')),
    );
    await generator.append(others(61, 500));
    await projection.refresh();
    expect(projection.outdated()).toMatch(
      /^0000000001: the pack that may hold it .* it has the format 2/,
    );
  });
});

describe("a projection that could not fold to the end", () => {
  /** Its third entry cannot be got until it is mended. */
  async function makeFaulty(answer: () => Promise<null>) {
    const store = openMemoryStore();
    let faulty: string | undefined;
    const get: ObjectStore["get"] = (key) =>
      faulty !== undefined && key.includes(faulty) ? answer() : store.get(key);
    generator = makeGenerator({ ...store, get });
    const names = await generator.append(...calm(0, 3));
    faulty = names[2];
    return { names, keeper: generator.makeKeeper(), mend: () => (faulty = undefined) };
  }

  it("because a read fails says so, and folds all of it the next time", async () => {
    const { names, keeper, mend } = await makeFaulty(() =>
      Promise.reject(new Error("the store is down")),
    );
    await expect(keeper.refresh()).rejects.toThrow("the store is down");
    expect(keeper.position()).toBeNull();
    mend();
    expect([...(await keeper.refresh()).keys()]).toEqual(names);
    expect(keeper.ledger().acceptance).toMatchObject({ accepted: 4, refused: 0 });
  });

  it("because an entry is missing has a hole there, and folds the past anew once the entry is there", async () => {
    const { names, keeper, mend } = await makeFaulty(() => Promise.resolve(null));
    expect([...(await keeper.refresh()).keys()]).toEqual(names.toSpliced(2, 1));
    expect(keeper.holes()).toEqual([{ name: names[2], unreadable: "the object is missing" }]);
    mend();
    expect([...(await keeper.refresh()).keys()]).toEqual(names);
    expect([keeper.holes(), keeper.ledger().acceptance.accepted]).toEqual([[], 4]);
  });
});

describe("an entry that was changed in the middle of the journal", () => {
  const rulingOn = (name: string) =>
    makeRuling({
      after: toName(numberOf(name) - 1),
      subject: { of: "observation", first: name, last: name },
    });
  const CHANGED = "0000000003";
  const NEXT = "0000000004";
  const hole = {
    name: NEXT,
    unreadable: `it was written after another entry than ${CHANGED}: one of the two was changed`,
  };

  beforeEach(async () => {
    await generator.append(...calm(0, 5));
    await changeEntry(generator.place, CHANGED, (text) =>
      text.replace('"unreadableRows":0', '"unreadableRows":1'),
    );
  });

  it("breaks the chain: the entry after it is a hole, and what follows is folded", async () => {
    expect([...(await projection.refresh()).keys()]).toEqual([
      "0000000001",
      "0000000002",
      CHANGED,
      "0000000005",
      "0000000006",
    ]);
    expect(projection.holes()).toEqual([hole]);
    await generator.append(others(6, 500));
    // Still a hole, and no reason to fold anew.
    expect([...(await projection.refresh()).keys()]).toEqual(["0000000007"]);
    expect(projection.holes()).toEqual([hole]);
  });

  it("leaves a hole also behind a checkpoint, until it is as it was", async () => {
    await generator.append(...calm(60, 61));
    await projection.refresh();
    const behind = generator.makeKeeper();
    expect((await behind.refresh()).size).toBe(0);
    expect(behind.holes()).toEqual([hole]);
    await changeEntry(generator.place, CHANGED, (text) =>
      text.replace('"unreadableRows":1', '"unreadableRows":0'),
    );
    expect((await behind.refresh()).size).toBe(8);
    expect(behind.holes()).toEqual([]);
  });

  it.each([
    ["it", CHANGED],
    ["the entry after it", NEXT],
  ])("is no hole once a ruling leaves out %s", async (_, name) => {
    await projection.refresh();
    expect(projection.holes()).toEqual([hole]);
    await generator.rule(rulingOn(name));
    const outcomes = await projection.refresh();
    expect([projection.holes(), projection.quarantined()]).toEqual([[], []]);
    expect(outcomes.get(name)).toEqual({ accepted: false, reason: "ignored by a ruling" });
    expect([...outcomes.values()].filter(({ accepted }) => accepted)).toHaveLength(5);
  });
});
