import { describe, expect, it } from "vitest";
import type { JournalPosition, Projection } from "../../generator/service/projection.ts";
import { toObjectKey } from "../../generator/contract/objects.ts";
import { toEntryKey } from "../../generator/journal/names.ts";
import { check, confirm, keyOf } from "../ledger/story.ts";
import { calm, CROWD, first, keysOf, makeGenerator, others } from "./keeping.ts";

/** The position that a projection which has folded all of it says it is at. */
function positionOf(projection: Projection): JournalPosition {
  const position = projection.position();
  if (position === null) throw new Error("the projection has folded nothing");
  return position;
}

describe("a projection", () => {
  it("stands nowhere before anything is folded", async () => {
    const projection = makeGenerator().makeKeeper();
    expect(await projection.refresh()).toEqual(new Map());
    expect(projection.position()).toBeNull();
    expect(projection.changed().references).toEqual([]);
  });

  it("folds on: what it has folded is not read again", async () => {
    const generator = makeGenerator();
    const projection = generator.makeKeeper();
    generator.minute = 5;
    const names = await generator.append(...calm(0, 4));
    expect([...(await projection.refresh()).keys()]).toEqual(names);
    const before = generator.counts.gets;
    const [name = ""] = await generator.append(others(5, 500));
    expect(await projection.refresh()).toEqual(new Map([[name, { accepted: true }]]));
    expect(generator.counts.gets - before).toBe(1);
    expect(await projection.refresh()).toEqual(new Map());
    expect(positionOf(projection).through).toBe(name);
  });

  it("says what the fold said of each entry", async () => {
    const generator = makeGenerator();
    const projection = generator.makeKeeper();
    await generator.append(first(0));
    const [name = ""] = await generator.append(check(1, CROWD, { slot: 1 }));
    const outcome = (await projection.refresh()).get(name);
    expect(outcome).toMatchObject({
      accepted: false,
      reason: expect.stringContaining("slot 1 is not above") as string,
    });
  });

  it("knows what an entry changed since it was published, and nothing else", async () => {
    const generator = makeGenerator();
    const projection = generator.makeKeeper();
    await generator.append(...calm(0, 4));
    await projection.refresh();
    projection.setPublished(projection.position());
    await generator.append(others(5, 10_000), confirm(5.1, [{ name: "rugger", bps: 10_000 }]));
    await projection.refresh();
    const { keys, since } = keysOf(projection);
    expect(since).toEqual(expect.objectContaining({ through: expect.stringMatching(/-check-/) as string }));
    const vote = keyOf("rugger");
    const ofValidator = keys.filter((key) => key.includes("/validators/"));
    expect(ofValidator).toEqual([
      `api/v1/mainnet/validators/${vote}.json`,
      `api/v1/mainnet/validators/${vote}/commission-history.json`,
      `api/v1/mainnet/validators/${vote}/events.json`,
    ]);
    expect(keys).toContain("api/v1/mainnet/epochs/1100/events.json");
  });

  it("takes every document for changed as long as nothing is published that it knows of", async () => {
    const generator = makeGenerator();
    const projection = generator.makeKeeper();
    await generator.append(...calm(0, 3));
    await projection.refresh();
    expect(keysOf(projection).since).toBeNull();
    expect(keysOf(projection).keys.filter((key) => key.endsWith("/uptime.json"))).toHaveLength(CROWD.length + 1);
    const never = { through: "2026-11-20/100000000-check-0000000000000000", digest: "of another journal" };
    projection.setPublished(never);
    await projection.refresh();
    expect(keysOf(projection).since).toBeNull();
    expect(keysOf(projection).keys.filter((key) => key.endsWith("/uptime.json"))).toHaveLength(CROWD.length + 1);
  });
});

describe("what another process publishes", () => {
  it("makes everything between seen: what it showed is looked at again", async () => {
    const generator = makeGenerator();
    const [mine, theirs] = [generator.makeKeeper(), generator.makeKeeper()];
    await generator.append(...calm(0, 2));
    await Promise.all([mine.refresh(), theirs.refresh()]);
    const older = positionOf(theirs);
    mine.setPublished(mine.position());
    await generator.append(others(3, 9100), others(4, 9100));
    await mine.refresh();
    mine.setPublished(mine.position());
    expect(keysOf(mine).keys.filter((key) => key.includes("/validators/"))).toEqual([]);
    // A slower process puts the older state back: from there on everything has changed that came since.
    mine.setPublished(older);
    await mine.refresh();
    expect(keysOf(mine).since).toEqual(older);
    expect(keysOf(mine).keys).toContain(toObjectKey("mainnet", "validatorEvents", { votePubkey: keyOf("rugger") }));
  });

  it("at a position not folded yet is followed", async () => {
    const generator = makeGenerator();
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
    await generator.append(check(5, [{ name: "rugger", bps: 9100 }, { name: "crowd 0", bps: 0 }, ...CROWD.slice(1)]));
    await generator.append(confirm(5.1, [{ name: "crowd 0", bps: 0 }]));
    await mine.refresh();
    expect(keysOf(mine).since).toEqual(theirs.position());
    expect(keysOf(mine).keys).toContain(toObjectKey("mainnet", "validatorEvents", { votePubkey: keyOf("crowd 0") }));
  });
});

describe("what cannot be read in the journal", () => {
  it("is named, and the rest is folded", async () => {
    const generator = makeGenerator();
    const projection = generator.makeKeeper();
    const [, cut = ""] = await generator.append(...calm(0, 3));
    const key = toEntryKey({ network: "mainnet", series: 1 }, cut);
    const whole = await generator.store.get(key);
    const body = whole?.body.slice(0, 40) ?? new Uint8Array();
    await generator.store.put(key, body, { expect: "any", contentType: "application/zstd" });
    const foreign = "journal/mainnet/0001/2026-11-20/notes.txt";
    await generator.store.put(foreign, body, { expect: "any", contentType: "text/plain" });
    expect((await projection.refresh()).size).toBe(3);
    expect(projection.ledger().acceptance.accepted).toBe(3);
    expect(projection.quarantined()).toEqual([
      { object: cut, reason: expect.stringMatching(/./) as string },
      { object: foreign, reason: "not named as an entry is" },
    ]);
  });

  it("stays named while the projection folds on", async () => {
    const generator = makeGenerator();
    const projection = generator.makeKeeper();
    await generator.append(...calm(0, 1));
    const foreign = "journal/mainnet/0001/2026-11-20/notes.txt";
    await generator.store.put(foreign, new Uint8Array(3), { expect: "any", contentType: "text/plain" });
    await projection.refresh();
    await generator.append(others(2, 500));
    await projection.refresh();
    expect(projection.quarantined()).toEqual([{ object: foreign, reason: "not named as an entry is" }]);
  });
});
