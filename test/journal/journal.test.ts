import { describe, expect, it, test } from "vitest";
import { hashOf } from "../../generator/journal/entries.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey, type JournalPlace } from "../../generator/journal/names.ts";
import { countOperations } from "../../generator/store/counting.ts";
import { StoreError, type ObjectStore } from "../../generator/store/store.ts";
import { checkAt, deleteLoose, fill } from "./packed.ts";
import { makeCheck, makePlace, makeRuling } from "./samples.ts";

const readAll = (place: JournalPlace, names: Iterable<string>) =>
  Array.fromAsync(openJournal(place).read(names));

/** The numbers of a journal, and whether each entry follows the one before it. */
async function readChain(place: JournalPlace) {
  const { names } = await openJournal(place).list(null);
  const read = await readAll(place, names);
  const hashes = read.map((one) => ("hash" in one ? one.hash : null));
  const links = read.map(
    (one, index) => "previous" in one && one.previous === (hashes[index - 1] ?? null),
  );
  return { names, links };
}

describe("an entry that is appended", () => {
  it("takes the next number and holds the hash of the one before", async () => {
    const place = makePlace();
    expect(await fill(place, 3)).toEqual(["0000000001", "0000000002", "0000000003"]);
    expect((await readChain(place)).links).toEqual([true, true, true]);
    const [first] = await readAll(place, ["0000000001"]);
    expect(first).toMatchObject({
      previous: null,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  it("continues where another process left off", async () => {
    const place = makePlace();
    await fill(place, 2);
    expect(await openJournal(place).append(checkAt(2))).toBe("0000000003");
    expect((await readChain(place)).links).toEqual([true, true, true]);
  });

  it("never takes another one's number: of two who race, each has its own, and the chain is whole", async () => {
    const place = makePlace();
    const journals = [openJournal(place), openJournal(place), openJournal(place)];
    const rounds = Array.from({ length: 20 }, (_, round) => round);
    const names = await Promise.all(
      journals.map(async (journal, own) => {
        const taken: string[] = [];
        for (const round of rounds) taken.push(await journal.append(checkAt(100 * own + round)));
        return taken;
      }),
    );
    expect(new Set(names.flat()).size).toBe(60);
    const chain = await readChain(place);
    expect(chain.names).toHaveLength(60);
    expect(chain.links).toEqual(chain.names.map(() => true));
    const read = await readAll(place, chain.names);
    expect(new Set(read.map((one) => ("entry" in one ? one.entry.time : ""))).size).toBe(60);
  });

  it("is written once by a process that appends several at once", async () => {
    const place = makePlace();
    const journal = openJournal(place);
    const names = await Promise.all(
      Array.from({ length: 20 }, (_, minute) => journal.append(checkAt(minute))),
    );
    expect(new Set(names).size).toBe(20);
    expect((await readChain(place)).names).toHaveLength(20);
  });

  it("is written once where the answer to its put is lost and the caller tries again", async () => {
    const place = makePlace();
    let isLost = true;
    const put: ObjectStore["put"] = async (key, body, options) => {
      const written = await place.store.put(key, body, options);
      if (!isLost) return written;
      isLost = false;
      // As a client that sends the request again would be answered.
      return place.store.put(key, body, options);
    };
    const journal = openJournal({ ...place, store: { ...place.store, put } });
    expect(await journal.append(checkAt(0))).toBe("0000000001");
    expect(await journal.append(checkAt(1))).toBe("0000000002");
    expect((await readChain(place)).names).toHaveLength(2);
  });

  it("is written once where its put fails without an answer, another one follows, and the caller tries again", async () => {
    const place = makePlace();
    await fill(place, 1);
    let isLost = true;
    const put: ObjectStore["put"] = async (key, body, options) => {
      const written = await place.store.put(key, body, options);
      if (!isLost) return written;
      isLost = false;
      throw new StoreError("s", "put", key, "no answer came");
    };
    const journal = openJournal({ ...place, store: { ...place.store, put } });
    await expect(journal.append(checkAt(1))).rejects.toThrow("no answer came");
    expect(await openJournal(place).append(checkAt(2))).toBe("0000000003");
    expect(await journal.append(checkAt(1))).toBe("0000000002");
    expect((await readChain(place)).names).toHaveLength(3);
  });

  it("takes a number after all others where its process slept until the loose entries it knew were packed and deleted", async () => {
    const place = makePlace();
    const sleeper = openJournal(place);
    await sleeper.append(checkAt(0));
    await fill(place, 2_001);
    for (let call = 0; call < 3; call += 1) await openJournal(place).pack();
    expect(await place.store.head(toEntryKey(place, "0000000002"))).toBeNull();
    expect(await sleeper.append(checkAt(3_000))).toBe("0000002002");
    const chain = await readChain(place);
    expect(chain.names).toHaveLength(2_002);
    expect(chain.links).toEqual(chain.names.map(() => true));
  });

  it("is written once where the process dies over it, and the next one observes the same", async () => {
    const place = makePlace();
    expect(await openJournal(place).append(checkAt(0))).toBe("0000000001");
    expect(await openJournal(place).append(checkAt(0))).toBe("0000000001");
    expect(await openJournal(place).append(checkAt(1))).toBe("0000000002");
  });

  it("goes behind one that cannot be read, and says nothing of its hash", async () => {
    const place = makePlace();
    const journal = openJournal(place);
    await journal.append(checkAt(0));
    const damaged = new TextEncoder().encode("another process's, damaged");
    await place.store.put(toEntryKey(place, "0000000002"), damaged, {
      expect: "absent",
      contentType: "text/plain",
    });
    expect(await journal.append(checkAt(1))).toBe("0000000003");
    expect(await readAll(place, ["0000000003"])).toMatchObject([{ previous: null }]);
    expect((await place.store.get(toEntryKey(place, "0000000002")))?.body).toEqual(damaged);
  });

  it.each([
    [
      "of another network",
      makeCheck("2026-11-20T10:00:00.000Z", { network: "testnet" }),
      "testnet",
    ],
    ["that could not be read back", makeCheck("2026-11-20T10:00:00.000Z", { slot: -1 }), "slot"],
  ])("%s is refused, and nothing is written", async (_, entry, reason) => {
    const place = makePlace();
    await expect(openJournal(place).append(entry)).rejects.toThrow(reason);
    expect(await Array.fromAsync(place.store.list(""))).toEqual([]);
  });
});

describe("a listing of what is new", () => {
  it("is one listing of what follows, however long the journal is", async () => {
    const place = makePlace();
    await fill(place, 30);
    const { store, counts } = countOperations(place.store);
    expect((await openJournal({ ...place, store }).list("0000000027")).names).toEqual([
      ...["0000000028", "0000000029", "0000000030"],
    ]);
    expect(counts).toMatchObject({ lists: 1, gets: 0 });
  });

  it("names a missing entry, so that its gap is seen", async () => {
    const place = makePlace();
    await fill(place, 5);
    await deleteLoose(place, ["0000000003"]);
    const { names } = await openJournal(place).list("0000000001");
    expect(names).toEqual(["0000000002", "0000000003", "0000000004", "0000000005"]);
    expect(await readAll(place, ["0000000003"])).toEqual([
      { name: "0000000003", unreadable: "the object is missing" },
    ]);
  });

  it("names strange keys, which hide no entry", async () => {
    const place = makePlace();
    const names = await fill(place, 1);
    const strange = [
      "0000000000.json.zst",
      "1.json.zst",
      "README",
      "rulings/1.json",
      "zzz/0000000001.json.zst",
    ];
    const keys = strange.map((path) => `journal/mainnet/0001/${path}`);
    for (const key of keys)
      await place.store.put(key, new Uint8Array(), { expect: "any", contentType: "text/plain" });
    const listing = await openJournal(place).list(null);
    expect(listing).toEqual({ names, rulings: [], unreadable: [], foreign: keys.toSorted() });
  });

  it("fails where more is missing than any accident of ours leaves: no number would be sure", async () => {
    const place = makePlace();
    await fill(place, 1);
    const key = toEntryKey(place, "0000020000");
    await place.store.put(key, new Uint8Array(), { expect: "any", contentType: "text/plain" });
    await expect(openJournal(place).list(null)).rejects.toThrow("lacks the entries 2 to 19999");
    await expect(openJournal(place).append(checkAt(1))).rejects.toThrow(
      "put packs/mainnet/0001/ back from a copy",
    );
  });

  it("also shows the rulings, numbered on their own, which stay as they are", async () => {
    const place = makePlace();
    const [one, other] = [makeRuling(), makeRuling({ verdict: "accept" })];
    const journal = openJournal(place);
    expect([await journal.rule(one), await openJournal(place).rule(other)]).toEqual([
      "0001",
      "0002",
    ]);
    const found = [
      { name: "0001", ruling: one, hash: expect.any(String) as string },
      { name: "0002", ruling: other, hash: expect.any(String) as string },
    ];
    expect(await journal.rulings()).toEqual(found);
    await fill(place, 2);
    expect((await openJournal(place).list("0000000002")).rulings).toEqual(found);
  });

  it("names a ruling that cannot be read: nothing is published without it", async () => {
    const place = makePlace();
    await openJournal(place).rule(makeRuling());
    const key = "journal/mainnet/0001/rulings/0001.json";
    await place.store.put(key, new TextEncoder().encode("{}"), {
      expect: "any",
      contentType: "application/json",
    });
    const { unreadable, foreign } = await openJournal(place).list(null);
    expect([unreadable, foreign]).toEqual([
      [{ name: key, unreadable: expect.any(String) as string }],
      [],
    ]);
  });
});

describe("reading", () => {
  it("keeps the order asked for, whichever answers first, and the place of bad ones", async () => {
    const place = makePlace();
    const turned = (await fill(place, 40)).toReversed().toSpliced(3, 0, "0000000099");
    let asked = 0;
    const get: ObjectStore["get"] = async (key) => {
      const turns = (asked++ * 7) % 20;
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      return place.store.get(key);
    };
    const read = await readAll({ ...place, store: { ...place.store, get } }, turned);
    expect(read.map(({ name }) => name)).toEqual(turned);
    expect(read.filter((entry) => "unreadable" in entry)).toEqual([
      { name: "0000000099", unreadable: "the object is missing" },
    ]);
  });

  it("stops with the error of a store that fails, and looks ahead only a little", async () => {
    const place = makePlace();
    const names = await fill(place, 31);
    let asked = 0;
    const get: ObjectStore["get"] = (key) =>
      ++asked === 5
        ? Promise.reject(new StoreError("s", "get", key, "broken"))
        : place.store.get(key);
    const read: string[] = [];
    const reading = async () => {
      const failing = openJournal({ ...place, store: { ...place.store, get } });
      for await (const { name } of failing.read(names)) read.push(name);
    };
    await expect(reading()).rejects.toThrow("broken");
    expect(read).toEqual(names.slice(0, 4));
    expect(asked).toBeLessThan(24);
  });

  it("passes over what is not wanted", async () => {
    const place = makePlace();
    const names = await fill(place, 5);
    const wanted = openJournal(place).read(
      names,
      ({ kind, time }) => kind === "check" && time > checkAt(2).time,
    );
    expect((await Array.fromAsync(wanted)).map(({ name }) => name)).toEqual(names.slice(3));
  });
});

test("the hash of an entry is that of its JSON", async () => {
  const place = makePlace();
  const [name = ""] = await fill(place, 1);
  const [read] = await readAll(place, [name]);
  const hash = await openJournal(place).hashOf(name);
  expect(hash).toBe("hash" in read! ? read.hash : "");
  expect(hash).not.toBe(hashOf(new Uint8Array()));
  expect(await openJournal(place).hashOf("0000000002")).toBeNull();
});
