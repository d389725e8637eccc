import { isDeepStrictEqual } from "node:util";
import { zstdCompressSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { rule, type RuleOptions } from "../../../generator/service/rule.ts";
import { createProgressLog } from "../../../generator/commands/progress.ts";
import { describeExplanation } from "../../../generator/commands/explain.ts";
import { describeRuling } from "../../../generator/commands/rule.ts";
import type { Entry } from "../../../generator/entries/entry.ts";
import { toEntryKey, toNames } from "../../../generator/journal/names.ts";
import { rebuild } from "../../../generator/service/rebuild.ts";
import { openStore } from "../../../generator/store/open.ts";
import { changeEntry, damage, deleteLoose, FIRST_PACK, packFirst } from "../../journal/packed.ts";
import { timeAt } from "../../story/clock.ts";
import { history, percents } from "../../story/history.ts";
import { check, snapshot } from "../../story/observations.ts";
import { crowd, keyOf, withA } from "../../story/validators.ts";
import { readDocument, readStanding, readTimeless } from "../../service/documents.ts";
import { explainAs, openFilledJournal, type FilledJournal } from "../../service/filled-journal.ts";

const first = snapshot(0, withA({ bps: 500 }));
const seen = check(1, withA({ bps: 10_000 }));
const confirmed = check(1.5, withA({ bps: 10_000 }));
const rug = [first, seen, confirmed, check(1.9, withA({ bps: 10_000 }))];
const A = { votePubkey: keyOf("A") };

const NEWER = /: a newer version wrote it, and can rule on it$/;

let filled: FilledJournal;
afterEach(() => filled.close());

const said: string[] = [];

function ruling(changes: Partial<RuleOptions> & Pick<RuleOptions, "subject">) {
  const onProgress = createProgressLog({ timer: () => 0, say: (line) => void said.push(line) });
  return rule({
    ...filled.command,
    verdict: "ignore",
    reason: "known",
    dryRun: false,
    onProgress,
    ...changes,
  });
}

/** Its number, by what it holds. */
async function nameOf(entry: Entry): Promise<string> {
  const { journal } = filled;
  for await (const read of journal.read((await journal.list(null)).names))
    if ("entry" in read && isDeepStrictEqual(read.entry, entry)) return read.name;
  throw new Error("the journal holds no such entry");
}

const on = async (entry: Entry) => ({ of: "observation" as const, key: await nameOf(entry) });
const subjectOf = (key: string) => ({ of: "observation", first: key, last: key });
const readEvents = async () => (await readDocument(filled, "validatorEvents", A)).data;
const readStatus = async () => (await readDocument(filled, "status", {})).data;
const readLastChange = async () => (await readDocument(filled, "newestChanges", {})).data.at(-1);
const countRulings = async () => (await filled.journal.rulings()).length;

describe("a ruling on an observation", () => {
  const small = check(1, withA({}).slice(0, 7));
  const smaller = check(2, withA({}).slice(0, 6));

  it("that shrank makes it the new reference", async () => {
    filled = await openFilledJournal(first, small, smaller);
    expect((await readStatus()).observations).toEqual({ accepted: 1, refused: 2 });
    const report = await ruling({ subject: await on(small), verdict: "accept" });
    expect(report.ruling).toMatchObject({ observation: { accepted: true }, nothing: null });
    expect(describeRuling(report)).toContain("it counts now");
    expect(await readStatus()).toMatchObject({
      observations: { accepted: 3, refused: 0 },
      rulings: [
        { subject: await nameOf(small), of: "observation", verdict: "accept", reason: "known" },
      ],
      rulingsTotal: 1,
    });
  });

  it("may give its number with leading zeros or without, and a range of numbers", async () => {
    filled = await openFilledJournal(first, small);
    for (const [key, last] of [
      ["0000000002", "0000000002"],
      ["2", "0000000002"],
      ["2-2", "0000000002"],
    ] as const) {
      const report = await ruling({
        subject: { of: "observation", key },
        verdict: "accept",
        reason: key,
      });
      expect(report.ruling).toMatchObject({
        subject: { first: "0000000002", last },
        nothing: null,
      });
    }
    const all = await ruling({ subject: { of: "observation", key: "1-0000000002" } });
    expect(all.ruling).toMatchObject({ subject: { first: "0000000001", last: "0000000002" } });
    expect(describeRuling(all)).toContain("the observation 0000000001-0000000002 is ignored");
    expect((await readStatus()).observations).toEqual({ accepted: 0, refused: 2 });
  });

  it("that said a change once more takes the event back until another one does", async () => {
    filled = await openFilledJournal(...rug);
    const [event] = await readEvents();
    const report = await ruling({ subject: await on(confirmed) });
    // The check of minute 1.9 confirms the same event instead.
    expect(report.ruling.changes).toEqual({ gone: [], come: [], moved: [], forgotten: 0 });
    const alone = await ruling({ subject: await on(rug[3]!) });
    expect(alone.ruling.changes.gone).toMatchObject([{ id: event?.id, severity: "RUG" }]);
    expect(await readEvents()).toEqual([]);
    expect((await readStatus()).pending).toMatchObject([{ ...A, toCommission: 100 }]);
  });

  it("that first showed a change moves the event to the next one", async () => {
    filled = await openFilledJournal(...rug, check(3, withA({ bps: 10_000 })));
    const [event] = await readEvents();
    const report = await ruling({ subject: await on(seen) });
    expect(report.ruling.changes.moved).toEqual([event?.id]);
    expect(await readEvents()).toMatchObject([{ id: event?.id, createdAt: timeAt(1.5) }]);
  });

  it("tells of validators that nobody knows any more", async () => {
    const other = snapshot(1, [...withA({ bps: 500 }), { name: "newcomer" }]);
    filled = await openFilledJournal(first, other);
    const report = await ruling({ subject: await on(other) });
    expect(report.ruling.changes.forgotten).toBe(1);
    expect(describeRuling(report)).toContain("rebuild --prune");
  });
});

describe("a ruling on an event", () => {
  it.each([
    [
      "a public history",
      [first, history(5, { A: percents(0, 100, 100) }), check(10, withA({ bps: 500 }))],
    ],
    ["observations", rug],
  ])(
    "of %s takes it out of every document but the status, and brings back the same bytes",
    async (_, story) => {
      filled = await openFilledJournal(...story);
      const before = await readStanding(filled);
      const { id, severity } = (await readEvents()).at(-1)!;
      expect(severity).toBe("RUG");
      const { entry } = (await ruling({ subject: { of: "event", id } })).ruling;
      expect(entry).toBe("0001");
      const [stored] = await filled.journal.rulings();
      const after = (await filled.journal.list(null)).names.at(-1);
      expect(stored).toMatchObject({ name: "0001", ruling: { after, ruledAt: timeAt(60) } });
      expect(
        [...(await readStanding(filled)).values()].filter((body) => body.includes(id)),
      ).toEqual([]);
      expect(await readLastChange()).toMatchObject({ kind: "withdrawal", event: { id } });
      expect(await readStatus()).toMatchObject({
        withdrawn: 1,
        rulings: [{ subject: id, of: "event" }],
      });
      const explanation = await explainAs(filled.command, id);
      expect(explanation.event.ruling).toMatchObject({ verdict: "ignore", reason: "known" });
      expect(explanation.evidence.at(-1)).toMatchObject({
        role: "ruling",
        ruling: { subject: { id } },
      });
      expect(describeExplanation(explanation)).toMatch(/taken back since .*known/);
      await ruling({ subject: { of: "event", id }, verdict: "accept" });
      expect(await readStanding(filled)).toEqual(before);
      expect(await readLastChange()).toMatchObject({ kind: "event", event: { id } });
      expect(await readStatus()).toMatchObject({
        withdrawn: 0,
        rulings: [{ verdict: "accept" }],
        rulingsTotal: 1,
      });
    },
  );
});

describe("a ruling on what cannot be read", () => {
  const place = () => ({
    network: "mainnet" as const,
    series: 1,
    store: openStore(filled.command.settings.stateStore),
  });
  const quiet = { onDifference: () => undefined, onProgress: () => undefined };
  const rebuilding = (verify: boolean) =>
    rebuild({ ...filled.command, ...quiet, verify, prune: !verify });
  const cut = (whole: Uint8Array) => whole.subarray(0, 40);
  /** As with a new version of the fold: everything is folded anew. */
  async function forgetCheckpoints(): Promise<void> {
    for await (const { key } of place().store.list("checkpoints/")) await place().store.delete(key);
  }

  it("knows an observation by its number, publishes without it, and is taken back", async () => {
    filled = await openFilledJournal(...rug, check(3, withA({ bps: 10_000 })));
    const [before, subject] = [await readTimeless(filled), await on(seen)];
    const key = toEntryKey(place(), subject.key);
    await damage(place(), key, cut);
    await forgetCheckpoints();
    const why = `rule --observation ${subject.key} --ignore`;
    expect(await rebuilding(false)).toMatchObject({
      skipped: expect.stringContaining(why) as unknown,
    });
    await expect(rebuilding(true)).rejects.toThrow(why);
    expect(await readTimeless(filled)).toEqual(before);
    expect((await ruling({ subject, verdict: "accept" })).ruling.nothing).toContain(
      "put it back from a copy",
    );
    const report = await ruling({ subject });
    expect(report).toMatchObject({
      skipped: null,
      quarantined: [],
      ruling: { subject: subjectOf(subject.key) },
    });
    expect(describeRuling(report)).toContain("it is left out now, for it cannot be read");
    expect(await readEvents()).toMatchObject([{ createdAt: timeAt(1.5) }]);
    expect(await readStatus()).toMatchObject({
      quarantined: [],
      rulings: [{ subject: subject.key }],
    });
    expect(await rebuilding(true)).toMatchObject({ differences: 0 });
    expect((await ruling({ subject, verdict: "accept" })).skipped).toContain(why);
    expect(await readEvents()).toMatchObject([{ createdAt: timeAt(1.5) }]);
  });

  it("knows the entries of a lost pack by their range", async () => {
    filled = await openFilledJournal(...rug);
    for (let minute = rug.length; minute < 1_000; minute += 1)
      await filled.journal.append(check(minute, withA({ bps: 10_000 })));
    await filled.journal.append(snapshot(1_000, withA({ bps: 10_000 })));
    await packFirst(place());
    await deleteLoose(place(), toNames(1, 1_000));
    await damage(place(), FIRST_PACK, cut);
    const range = "0000000001-0000001000";
    expect((await rebuilding(false)).skipped).toContain(`rule --observation ${range} --ignore`);
    const report = await ruling({ subject: { of: "observation", key: range } });
    expect(report).toMatchObject({ skipped: null, ruling: { leavesOut: true } });
    expect(describeRuling(report)).toContain("left out now");
    expect(await readEvents()).toEqual([]);
    await rebuilding(false);
    expect(await rebuilding(true)).toMatchObject({ differences: 0 });
  });

  it("resolves a broken chain: either of the two entries may have been changed", async () => {
    filled = await openFilledJournal(...rug, check(3, withA({ bps: 10_000 })));
    const [changed, next] = [await on(seen), await on(confirmed)];
    await changeEntry(place(), changed.key, (text) => text.replaceAll(":10000,", ":9000,"));
    const why = `rule --observation ${next.key} --ignore`;
    expect(await rebuilding(false)).toMatchObject({
      skipped: expect.stringContaining(why) as unknown,
    });
    for (const subject of [changed, next]) {
      expect(await ruling({ subject })).toMatchObject({ skipped: null, quarantined: [] });
      expect(await rebuilding(true)).toMatchObject({ differences: 0 });
      expect((await ruling({ subject, verdict: "accept" })).skipped).toContain(why);
    }
  });

  it("leaves it to the newer version that wrote it", async () => {
    filled = await openFilledJournal(...rug);
    const subject = await on(seen);
    await damage(place(), toEntryKey(place(), subject.key), () =>
      zstdCompressSync('{"format":99}\n'),
    );
    await forgetCheckpoints();
    await expect(ruling({ subject })).rejects.toThrow(NEWER);
  });
});

describe("a ruling that says nothing new", () => {
  it("is not journaled: that the same one stands, or that an event stands, needs no word", async () => {
    filled = await openFilledJournal(...rug);
    const [observation, [event]] = [await on(seen), await readEvents()];
    await ruling({ subject: observation, verdict: "accept" });
    const [count, before] = [await countRulings(), await readTimeless(filled)];
    for (const [subject, why] of [
      [observation, /^the same ruling stands since/],
      [{ of: "event", id: event?.id ?? "" }, /only reverses/],
    ] as const) {
      const report = await ruling({ subject, verdict: "accept" });
      const nothing = expect.stringMatching(why) as unknown;
      expect(report).toMatchObject({ puts: 0, ruling: { entry: null, nothing } });
      expect(describeRuling(report)).toMatch(/^nothing to rule on/);
    }
    expect([await countRulings(), await readTimeless(filled)]).toEqual([count, before]);
  });

  it("but for another reason is, because the reason is published", async () => {
    filled = await openFilledJournal(...rug);
    const subject = await on(seen);
    await ruling({ subject, verdict: "accept", reason: "typo" });
    await ruling({ subject, verdict: "accept", reason: "a type of node" });
    // Both in the same millisecond of a stopped clock; the second still wins.
    expect(await readStatus()).toMatchObject({
      rulings: [{ reason: "a type of node" }],
      rulingsTotal: 1,
    });
  });
});

const numbered = (key: string) => ({ of: "observation" as const, key });

describe("a ruling on what is not there", () => {
  const ID = "0123456789abcdef01234567";
  it.each<[string, RuleOptions["subject"], RegExp]>([
    [
      "an event",
      { of: "event", id: ID },
      /none of the 1 events of mainnet has the id 0123.*events\.json.*status/,
    ],
    [
      "no id",
      { of: "event", id: "../x" },
      /"\.\.\/x" is not an event.s id: give its 24 hexadecimal digits/,
    ],
    [
      "an observation",
      numbered("5"),
      /there is no observation 0000000005, the newest is 0000000004/,
    ],
    ["a range that ends too late", numbered("2-5"), /there is no observation 0000000005/],
    [
      "no number",
      numbered("yesterday"),
      /"yesterday" is no observation: it is a number .*status\.json.*explain/,
    ],
    ["number 0", numbered("0"), /"0" is no observation/],
    ["a range from its end", numbered("3-2"), /"3-2" is no observation/],
    ["a range without an end", numbered("3-"), /"3-" is no observation/],
  ])("fails for %s, and says where to look", async (_, subject, reason) => {
    filled = await openFilledJournal(...rug);
    const count = await countRulings();
    await expect(ruling({ subject })).rejects.toThrow(reason);
    expect(await countRulings()).toBe(count);
  });

  it("fails for a network without a journal, which it does not begin", async () => {
    filled = await openFilledJournal(...rug);
    const elsewhere = ruling({ subject: await on(seen), network: "testnet" });
    await expect(elsewhere).rejects.toThrow(/no journal of testnet.*RUGWATCH_STATE.*--network/);
    const state = await Array.fromAsync(openStore(filled.command.settings.stateStore).list(""));
    expect(state.filter((head) => head.key.includes("testnet"))).toEqual([]);
  });
});

describe("what is only looked at", () => {
  const readAll = () => {
    const { stateStore, publicStore } = filled.command.settings;
    return Promise.all(
      [stateStore, publicStore].map((store) => Array.fromAsync(openStore(store).list(""))),
    );
  };

  it("is written by no rehearsal, which counts what the ruling itself then writes", async () => {
    filled = await openFilledJournal(...rug);
    const subject = { of: "event", id: (await readEvents())[0]?.id ?? "" } as const;
    const before = await readAll();
    const tried = await ruling({ subject, dryRun: true });
    expect(await readAll()).toEqual(before);
    const done = await ruling({ subject });
    expect(tried).toMatchObject({
      puts: 0,
      documents: done.documents,
      ruling: { changes: done.ruling.changes },
    });
    expect(done.documents.written).toBeGreaterThan(0);
    expect(describeRuling(tried)).toMatch(
      /would be ignored[^]*nothing was written[^]*documents would be written/,
    );
    expect(describeRuling(done)).toMatch(/is ignored[^]*documents were written/);
  });

  it("is written by no explanation: a fold from the beginning leaves no checkpoint", async () => {
    // Of these a fold that may write keeps one.
    filled = await openFilledJournal(
      ...rug,
      ...[50, 55].map((minute) => check(minute, withA({ bps: 10_000 }))),
    );
    const state = openStore(filled.command.settings.stateStore);
    for await (const { key } of state.list("checkpoints/")) await state.delete(key);
    const before = await readAll();
    await explainAs(filled.command, (await readEvents())[0]?.id ?? "");
    expect(await readAll()).toEqual(before);
  });
});

describe("a ruling on something long ago", () => {
  it("tells how many entries are to be folded, and how far it is", async () => {
    const ten = crowd(10, { bps: 500 });
    const many = Array.from({ length: 600 }, (_, index) => check(1 + index / 20, ten));
    filled = await openFilledJournal(snapshot(0, ten), ...many);
    const bad = many[3]!;
    said.length = 0;
    await ruling({ subject: await on(bad) });
    // The record as it is comes from a checkpoint.
    expect(said).toHaveLength(10);
    expect(said.at(-1)).toBe("mainnet: 601 of 601 entries folded");
  });
});
