import { beforeEach, describe, expect, it } from "vitest";
import { openMemoryStore } from "../../generator/store/memory.ts";
import { StoreError, type ObjectStore } from "../../generator/store/store.ts";
import { timeAt } from "../story/clock.ts";
import { calm, first, keysOf, makeGenerator, others, type Generator } from "./keeping.ts";

describe("a late entry", () => {
  /** A rug seen at minute 5, and a late observation of it from minute 3. */
  async function makeLate() {
    const generator = makeGenerator();
    const projection = generator.makeKeeper();
    generator.minute = 8;
    await generator.append(...calm(0, 2), others(4, 500));
    await projection.refresh();
    const published = projection.position();
    projection.setPublished(published);
    await generator.append(others(5, 9500), others(6, 9500));
    await projection.refresh();
    const [late = ""] = await generator.append(others(3, 9500));
    return { generator, projection, published, late };
  }

  it("is folded in its place: the ledger is that of a projection which saw it in time", async () => {
    const { generator, projection, late } = await makeLate();
    expect(projection.ledger().events).toHaveLength(1);
    const outcomes = await projection.refresh();
    expect(outcomes.get(late)).toEqual({ accepted: true });
    const fresh = generator.makeKeeper();
    await fresh.refresh();
    expect(projection.ledger()).toEqual(fresh.ledger());
    expect(projection.position()).toEqual(fresh.position());
    // Seen at minute 3, denied at 4, seen at 5: one dropped, one confirmed.
    expect(projection.ledger()).toMatchObject({ dropped: 1, events: [{ createdAt: timeAt(5) }] });
  });

  it("before the published position makes all documents suspect, to a new projection as well", async () => {
    const { generator, projection, published } = await makeLate();
    await projection.refresh();
    expect(keysOf(projection).since).toBeNull();
    const fresh = generator.makeKeeper();
    fresh.setPublished(published);
    await fresh.refresh();
    expect(keysOf(projection)).toEqual(keysOf(fresh));
  });

  it("behind the published position leaves the count from there", async () => {
    const generator = makeGenerator();
    const projection = generator.makeKeeper();
    await generator.append(...calm(0, 4));
    await projection.refresh();
    projection.setPublished(projection.position());
    const sinces = [];
    for (const minute of [7, 6]) {
      await generator.append(others(minute, 500));
      await projection.refresh();
      sinces.push(keysOf(projection).since);
    }
    expect(sinces[0]).not.toBeNull();
    expect(sinces[1]).toEqual(sinces[0]);
  });
});

describe("checkpoints", () => {
  let generator: Generator;
  beforeEach(() => {
    generator = makeGenerator();
  });

  const count = async () => (await Array.fromAsync(generator.place.store.list("checkpoints/mainnet/0001/"))).length;
  const foldAt = async (minute: number) => {
    generator.minute = minute;
    const projection = generator.makeKeeper();
    const { size } = await projection.refresh();
    return { size, ledger: projection.ledger() };
  };

  it("are taken of a settled past: a new process folds only what came after, to the same ledger", async () => {
    await generator.append(...calm(0, 70), others(71, 9900), others(72, 9900));
    const whole = await foldAt(72.5);
    expect(await count()).toBe(1);
    const again = await foldAt(72.5);
    // The last ten minutes are not settled, nor the entry before them.
    expect([whole.size, again.size]).toEqual([73, 10]);
    expect(again.ledger).toEqual(whole.ledger);
  });

  it("are not taken of the last ten minutes, nor again before fifty have passed", async () => {
    const counts = [];
    for (const [index, to] of [9, 70, 90].entries()) {
      const from = [0, 9, 70][index]!;
      await generator.append(...calm(from, to).slice(index === 0 ? 0 : 1));
      await foldAt(to + 0.5);
      counts.push(await count());
    }
    expect(counts).toEqual([0, 1, 1]);
  });

  it("that have not seen a late entry are not used", async () => {
    await generator.append(...calm(0, 80));
    await foldAt(80.5);
    await generator.append(others(20.5, 500));
    expect((await foldAt(80.5)).size).toBe(82);
  });

  it("are left behind by a process that goes on for hours", async () => {
    const projection = generator.makeKeeper();
    for (let minute = 0; minute <= 180; minute += 10) {
      await generator.append(first(minute));
      generator.minute = minute + 0.5;
      await projection.refresh();
    }
    expect(await count()).toBe(4);
  });

  it("that cannot be kept stop nobody from folding, are named, and are kept again when there is room", async () => {
    const store = openMemoryStore();
    let isFull = true;
    const put: ObjectStore["put"] = (key, ...rest) => {
      const full = Object.assign(new Error("write"), { code: "ENOSPC" });
      const fails = isFull && key.startsWith("checkpoints/");
      return fails ? Promise.reject(new StoreError("file:state", "put", key, full)) : store.put(key, ...rest);
    };
    generator = makeGenerator({ ...store, put });
    const projection = generator.makeKeeper();
    await generator.append(...calm(0, 70));
    generator.minute = 70.5;
    expect((await projection.refresh()).size).toBe(71);
    const reason = expect.stringContaining(
      "none could be kept, so that commands take longer: The disk is full",
    ) as string;
    expect(projection.quarantined()).toEqual([{ object: "checkpoints", reason }]);
    isFull = false;
    generator.minute = 145;
    await generator.append(others(144, 500));
    await projection.refresh();
    expect(projection.quarantined()).toEqual([]);
    expect(await count()).toBe(1);
  });

  it("are left behind by processes that run once in a while, though no entry is new to any of them but its own", async () => {
    for (let minute = 0; minute <= 180; minute += 20) {
      const projection = generator.makeKeeper();
      generator.minute = minute;
      await projection.refresh();
      await generator.append(first(minute));
      await projection.refresh();
    }
    expect(await count()).toBe(3);
    expect((await foldAt(180.5)).size).toBeLessThan(4);
  });
});
