import { describe, expect, it } from "vitest";
import { timeAt } from "../ledger/story.ts";
import { calm, first, keysOf, makeGenerator, others, type Generator } from "./keeping.ts";

describe("a late entry", () => {
  /** A rug seen at minute 5, and a late observation of minute 3 that saw it before all others. */
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
    // Seen at minute 3, denied at minute 4, seen at minute 5 again: one change dropped, one confirmed.
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
    await generator.append(others(7, 500));
    await projection.refresh();
    const published = keysOf(projection).since;
    await generator.append(others(6, 500));
    await projection.refresh();
    expect(published).not.toBeNull();
    expect(keysOf(projection).since).toEqual(published);
  });
});

describe("checkpoints", () => {
  const prefix = "checkpoints/mainnet/0001/";
  const countCheckpoints = async ({ store }: Generator) => (await Array.fromAsync(store.list(prefix))).length;

  it("are taken of a settled past, and a new process folds only what came after", async () => {
    const generator = makeGenerator();
    await generator.append(...calm(0, 100));
    generator.minute = 100.5;
    await generator.makeKeeper().refresh();
    expect(await countCheckpoints(generator)).toBe(1);
    const fresh = generator.makeKeeper();
    const outcomes = await fresh.refresh();
    // The last ten minutes are not settled, nor the entry they begin after.
    expect(outcomes.size).toBe(10);
    expect(fresh.ledger().acceptance.accepted).toBe(101);
  });

  it("give the same ledger as folding everything", async () => {
    const generator = makeGenerator();
    await generator.append(...calm(0, 70), others(71, 9900), others(72, 9900));
    generator.minute = 72.5;
    const whole = generator.makeKeeper();
    await whole.refresh();
    const fromCheckpoint = generator.makeKeeper();
    const { size } = await fromCheckpoint.refresh();
    expect(size).toBeLessThan(20);
    expect(fromCheckpoint.ledger()).toEqual(whole.ledger());
  });

  it("are not taken of the last ten minutes, nor again before fifty have passed", async () => {
    const generator = makeGenerator();
    await generator.append(...calm(0, 9));
    generator.minute = 9.5;
    await generator.makeKeeper().refresh();
    expect(await countCheckpoints(generator)).toBe(0);
    await generator.append(...calm(10, 70).slice(1));
    generator.minute = 70.5;
    await generator.makeKeeper().refresh();
    expect(await countCheckpoints(generator)).toBe(1);
    await generator.append(...calm(71, 90).slice(1));
    generator.minute = 90.5;
    await generator.makeKeeper().refresh();
    expect(await countCheckpoints(generator)).toBe(1);
  });

  it("that have not seen a late entry are not used", async () => {
    const generator = makeGenerator();
    await generator.append(...calm(0, 80));
    generator.minute = 80.5;
    await generator.makeKeeper().refresh();
    await generator.append(others(20.5, 500));
    const fresh = generator.makeKeeper();
    expect((await fresh.refresh()).size).toBe(82);
  });

  it("are left behind by a process that goes on for hours", async () => {
    const generator = makeGenerator();
    const projection = generator.makeKeeper();
    for (let minute = 0; minute <= 180; minute += 10) {
      await generator.append(first(minute));
      generator.minute = minute + 0.5;
      await projection.refresh();
    }
    expect(await countCheckpoints(generator)).toBe(4);
  });

  it("are left behind by processes that run once in a while, though no entry is new to any of them but its own", async () => {
    const generator = makeGenerator();
    for (let minute = 0; minute <= 180; minute += 20) {
      const projection = generator.makeKeeper();
      generator.minute = minute;
      await projection.refresh();
      await generator.append(first(minute));
      await projection.refresh();
    }
    expect(await countCheckpoints(generator)).toBe(3);
    generator.minute = 180.5;
    expect((await generator.makeKeeper().refresh()).size).toBeLessThan(4);
  });
});
