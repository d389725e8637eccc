import { beforeEach, describe, expect, it } from "vitest";
import { toObjectKey } from "../../../generator/contract/object-keys.ts";
import type { Ruling } from "../../../generator/entries/ruling.ts";
import type { Projection } from "../../../generator/service/projection/projection.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { StoreError, type ObjectStore } from "../../../generator/store/store.ts";
import { changeEntry, deleteLoose } from "../../journal/packed.ts";
import { makeRuling } from "../../journal/samples.ts";
import { timeAt } from "../../story/clock.ts";
import { keyOf } from "../../story/validators.ts";
import { calm, first, keysOf, makeGenerator, others, type Generator } from "../keeping.ts";

describe("an entry that was read before others that are journaled already", () => {
  it("is judged where it arrives, and leaves the count from the published position", async () => {
    const generator = makeGenerator();
    const projection = generator.makeKeeper();
    await generator.append(...calm(0, 4));
    await projection.refresh();
    const published = projection.position();
    projection.setPublished(published);
    const [late = ""] = await generator.append(others(3.5, 9500));
    expect([...(await projection.refresh()).keys()]).toEqual([late]);
    expect(keysOf(projection).since).toEqual(published);
    const fresh = generator.makeKeeper();
    fresh.setPublished(published);
    await fresh.refresh();
    expect(projection.ledger()).toEqual(fresh.ledger());
    expect(projection.position()).toEqual(fresh.position());
  });
});

describe("a ruling", () => {
  const RUG = { name: "0000000004", minute: 5 };
  let generator: Generator;
  let projection: Projection;
  beforeEach(async () => {
    generator = makeGenerator();
    projection = generator.makeKeeper();
    await generator.append(...calm(0, 2), ...[5, 6, 7].map((minute) => others(minute, 9500)));
    await projection.refresh();
    projection.setPublished(projection.position());
  });

  const onEvent = (verdict: Ruling["verdict"]) =>
    makeRuling({
      after: projection.position()?.through ?? null,
      subject: {
        of: "event",
        id: [...projection.ledger().events, ...projection.ledger().withdrawn][0]?.id ?? "",
      },
      verdict,
    });

  it("on an event withdraws it from the newest entry on, and brings it back, without folding anything again", async () => {
    const [published, before] = [
      projection.position(),
      structuredClone(projection.ledger().events),
    ];
    await generator.rule(onEvent("ignore"));
    expect(await projection.refresh()).toEqual(new Map());
    expect(projection.ledger()).toMatchObject({ events: [], withdrawn: [{ id: before[0]?.id }] });
    expect(projection.position()).toMatchObject({ through: published?.through });
    expect(projection.position()?.digest).not.toBe(published?.digest);
    const { keys, since } = keysOf(projection);
    expect(since).toEqual(published);
    expect(keys).toContain(
      toObjectKey("mainnet", "validatorEvents", { votePubkey: keyOf("rugger") }),
    );
    expect(keys).not.toContain(
      toObjectKey("mainnet", "validatorEvents", { votePubkey: keyOf("crowd 0") }),
    );
    await generator.rule(onEvent("accept"));
    expect(await projection.refresh()).toEqual(new Map());
    expect(projection.ledger()).toMatchObject({ events: before, withdrawn: [] });
  });

  it("on an event that another process folded past is applied where it was given", async () => {
    const ruled = onEvent("ignore");
    await generator.append(others(8, 9500));
    await projection.refresh();
    await generator.rule(ruled);
    expect((await projection.refresh()).size).toBe(7);
    const fresh = generator.makeKeeper();
    await fresh.refresh();
    expect(projection.ledger()).toEqual(fresh.ledger());
    expect(projection.position()).toEqual(fresh.position());
    expect(fresh.ledger().withdrawn).toHaveLength(1);
  });

  it("on an observation makes another past: all documents are suspect", async () => {
    const subject = { of: "observation", first: RUG.name, last: RUG.name } as const;
    await generator.rule(makeRuling({ after: "0000000003", subject }));
    const outcomes = await projection.refresh();
    expect(outcomes.get(RUG.name)).toEqual({ accepted: false, reason: "ignored by a ruling" });
    expect(projection.ledger().events).toMatchObject([{ createdAt: timeAt(RUG.minute + 1) }]);
    expect(keysOf(projection).since).toBeNull();
    const fresh = generator.makeKeeper();
    await fresh.refresh();
    expect(projection.ledger()).toEqual(fresh.ledger());
  });
});

describe("checkpoints", () => {
  let generator: Generator;
  beforeEach(() => {
    generator = makeGenerator();
  });

  const count = async () =>
    (await Array.fromAsync(generator.place.store.list("checkpoints/mainnet/0001/"))).length;
  const foldAt = async (minute: number) => {
    generator.minute = minute;
    const projection = generator.makeKeeper();
    const { size } = await projection.refresh();
    return { size, ledger: projection.ledger() };
  };

  it("are taken of the newest entry: a new process folds only what came after, to the same ledger", async () => {
    await generator.append(...calm(0, 70));
    const whole = await foldAt(70.5);
    expect([whole.size, await count()]).toEqual([71, 1]);
    await generator.append(others(71, 9900), others(72, 9900));
    const again = await foldAt(72.5);
    expect(again.size).toBe(2);
    const fromStart = makeGenerator();
    await fromStart.append(...calm(0, 70), others(71, 9900), others(72, 9900));
    const keeper = fromStart.makeKeeper();
    await keeper.refresh();
    expect(again.ledger).toEqual(keeper.ledger());
  });

  it("are not taken again before fifty minutes have passed", async () => {
    const counts = [];
    for (const to of [9, 40, 70]) {
      await generator.append(first(to));
      await foldAt(to + 0.5);
      counts.push(await count());
    }
    expect(counts).toEqual([1, 1, 2]);
  });

  /** At the entries 11, 21 and 31. */
  async function makeThree(): Promise<void> {
    for (const hour of [0, 1, 2]) {
      await generator.append(...calm(hour * 60, hour * 60 + (hour === 0 ? 10 : 9)));
      await foldAt(hour * 60 + 10);
    }
    expect(await count()).toBe(3);
  }

  it("before a ruling's observation are folded on from, and those after it are not", async () => {
    await makeThree();
    const subject = { of: "observation", first: "0000000015", last: "0000000016" } as const;
    await generator.rule(makeRuling({ after: "0000000014", subject }));
    const ruled = await foldAt(131);
    expect(ruled.size).toBe(20);
    expect(ruled.ledger.acceptance.accepted).toBe(29);
  });

  it("after a ruling on an event stay fit where it acts later, and not where it does not act yet", async () => {
    await makeThree();
    const subject = { of: "event", id: "0".repeat(24) } as const;
    await generator.rule(makeRuling({ after: "0000000031", subject }));
    await generator.append(others(190, 500));
    // That of the entry 31 knows no ruling that acts by it.
    expect((await foldAt(191)).size).toBe(11);
    expect((await foldAt(191)).size).toBe(0);
  });

  it("of another past are not used: of an entry that was changed or that is gone", async () => {
    await makeThree();
    const change = (key: string) =>
      changeEntry(generator.place, "0000000031", (text) => `${text.slice(0, -1)},"${key}":1}`);
    await change("more");
    expect((await foldAt(131)).size).toBe(10);
    await deleteLoose(generator.place, ["0000000021"]);
    await change("other");
    // From the entry 11 on, without the one that is gone.
    expect((await foldAt(131)).size).toBe(19);
  });

  it("are left behind by a process that goes on for hours", async () => {
    const projection = generator.makeKeeper();
    for (let minute = 0; minute <= 180; minute += 10) {
      await generator.append(first(minute));
      generator.minute = minute + 0.5;
      await projection.refresh();
    }
    expect(await count()).toBe(3);
  });

  it("that cannot be kept stop nobody from folding, are named, and are kept again when there is room", async () => {
    const store = openMemoryStore();
    let isFull = true;
    const put: ObjectStore["put"] = (key, ...rest) => {
      const full = Object.assign(new Error("write"), { code: "ENOSPC" });
      const fails = isFull && key.startsWith("checkpoints/");
      return fails
        ? Promise.reject(new StoreError("file:state", "put", key, full))
        : store.put(key, ...rest);
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
    expect(await count()).toBe(4);
    expect((await foldAt(180.5)).size).toBe(0);
  });
});
