import { zstdCompressSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { rule, type RuleOptions } from "../../../generator/service/rule.ts";
import { createProgressLog } from "../../../generator/commands/progress.ts";
import { describeExplanation } from "../../../generator/commands/explain.ts";
import { describeRuling } from "../../../generator/commands/rule.ts";
import type { Entry } from "../../../generator/entries/entry.ts";
import { timeOf, toEntryKey } from "../../../generator/journal/names.ts";
import { publish } from "../../../generator/service/publishing.ts";
import { rebuild } from "../../../generator/service/rebuild.ts";
import { openStore } from "../../../generator/store/open.ts";
import { damage, deleteLoose, packOf } from "../../journal/packed.ts";
import { timeAt } from "../../story/clock.ts";
import { named } from "../../story/fold.ts";
import { history, percents } from "../../story/history.ts";
import { check, snapshot } from "../../story/observations.ts";
import { crowd, keyOf, withA } from "../../story/validators.ts";
import { readDocument, readTimeless } from "../../service/documents.ts";
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
  return rule({ ...filled.command, verdict: "ignore", reason: "known", dryRun: false, onProgress, ...changes });
}

/** Entries are journaled under another hash than a story's. */
async function nameOf(entry: Entry): Promise<string> {
  const [prefix = ""] = named(entry).name.split(/(?<=-[a-z]+-)/);
  const [name = "", ...others] = (await filled.journal.names()).names.filter((one) => one.startsWith(prefix));
  expect(others).toEqual([]);
  return name;
}

const on = async (entry: Entry) => ({ of: "observation" as const, key: await nameOf(entry) });
const readEvents = async () => (await readDocument(filled, "validatorEvents", A)).data;
const readStatus = async () => (await readDocument(filled, "status", {})).data;
const countEntries = async () => (await filled.journal.names()).names.length;

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
      rulings: [{ subject: await nameOf(small), of: "observation", verdict: "accept", reason: "known" }],
      rulingsTotal: 1,
    });
  });

  it("may give its name or the key of its object, with the ending or without", async () => {
    filled = await openFilledJournal(first, small);
    const name = await nameOf(small);
    for (const key of [name, `journal/mainnet/0001/${name}`].flatMap((one) => [one, `${one}.json.zst`])) {
      const report = await ruling({ subject: { of: "observation", key }, verdict: "accept", reason: key });
      expect(report.ruling).toMatchObject({ subject: await on(small), nothing: null });
    }
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
    ["a public history", [first, history(5, { A: percents(0, 100, 100) }), check(10, withA({ bps: 500 }))], 5],
    ["observations", rug, 1],
  ])(
    "of %s takes it out of every document but the status, and brings back the same bytes",
    async (_, story, minute) => {
      filled = await openFilledJournal(...story);
      const before = await readTimeless(filled);
      const { id, severity } = (await readEvents()).at(-1)!;
      expect(severity).toBe("RUG");
      const { entry } = (await ruling({ subject: { of: "event", id } })).ruling;
      expect(entry).toMatch(/-ruling-/);
      expect(timeOf(entry!)).toBe(Date.parse(timeAt(minute)) - 1);
      expect([...(await readTimeless(filled)).values()].filter((body) => body.includes(id))).toEqual([]);
      expect(await readStatus()).toMatchObject({ withdrawn: 1, rulings: [{ subject: id, of: "event" }] });
      const explanation = await explainAs(filled.command, id);
      expect(explanation.event.ruling).toMatchObject({ verdict: "ignore", reason: "known" });
      expect(explanation.evidence.at(-1)).toMatchObject({ role: "ruling", ruling: { subject: { id } } });
      expect(describeExplanation(explanation)).toMatch(/taken back since .*known/);
      await ruling({ subject: { of: "event", id }, verdict: "accept" });
      expect(await readTimeless(filled)).toEqual(before);
      expect(await readStatus()).toMatchObject({ withdrawn: 0, rulings: [{ verdict: "accept" }], rulingsTotal: 1 });
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
  const rebuilding = (verify: boolean) => rebuild({ ...filled.command, ...quiet, verify, prune: !verify });
  const cut = (whole: Uint8Array) => whole.subarray(0, 40);

  it("knows an observation by its key, publishes without it, and is taken back", async () => {
    filled = await openFilledJournal(...rug, check(3, withA({ bps: 10_000 })));
    const [before, subject] = [await readTimeless(filled), await on(seen)];
    const key = toEntryKey(place(), subject.key);
    await damage(place(), key, cut);
    const why = `rule --observation ${subject.key} --ignore`;
    expect(await rebuilding(false)).toMatchObject({ skipped: expect.stringContaining(why) as unknown });
    await expect(rebuilding(true)).rejects.toThrow(why);
    expect(await readTimeless(filled)).toEqual(before);
    expect((await ruling({ subject, verdict: "accept" })).ruling.nothing).toContain("put it back from a copy");
    const report = await ruling({ subject: { ...subject, key } });
    expect(report).toMatchObject({ skipped: null, quarantined: [], ruling: { subject } });
    expect(describeRuling(report)).toContain("it is left out now, for it cannot be read");
    expect(await readEvents()).toMatchObject([{ createdAt: timeAt(1.5) }]);
    expect(await readStatus()).toMatchObject({ quarantined: [], rulings: [{ subject: subject.key }] });
    expect(await rebuilding(true)).toMatchObject({ differences: 0 });
    expect((await ruling({ subject, verdict: "accept" })).skipped).toContain(why);
    expect(await readEvents()).toMatchObject([{ createdAt: timeAt(1.5) }]);
  });

  it("knows a pack by its key, but not one that can be read or that never was", async () => {
    filled = await openFilledJournal(...rug, snapshot(24 * 60, withA({ bps: 10_000 })));
    const names = (await filled.journal.names()).names.slice(0, rug.length);
    const pack = await packOf(place(), names);
    await deleteLoose(place(), names);
    const subject = { of: "observation" as const, key: pack.slice("journal/mainnet/0001/".length) };
    await expect(ruling({ subject })).rejects.toThrow("can be read: rule on its observations");
    const other = { of: "observation" as const, key: pack.replace("2026-11-20/", "2026-11-19/") };
    await expect(ruling({ subject: other })).rejects.toThrow(/there is no pack .*status\.json/);
    await damage(place(), pack, cut);
    expect((await publish(filled.command)).skipped).toContain(`rule --observation ${pack} --ignore`);
    const report = await ruling({ subject });
    expect(report).toMatchObject({ skipped: null, ruling: { subject: { key: pack } } });
    expect(await readEvents()).toEqual([]);
    await rebuilding(false);
    expect(await rebuilding(true)).toMatchObject({ differences: 0 });
  });

  it("leaves it to the newer version that wrote it", async () => {
    filled = await openFilledJournal(...rug, snapshot(24 * 60, withA({ bps: 10_000 })));
    const newer = () => zstdCompressSync('{"format":99}\n');
    const subject = await on(seen);
    const pack = await packOf(place(), (await filled.journal.names()).names.slice(0, rug.length));
    await damage(place(), pack, newer);
    await expect(ruling({ subject: { of: "observation", key: pack } })).rejects.toThrow(NEWER);
    await damage(place(), toEntryKey(place(), subject.key), newer);
    await expect(ruling({ subject })).rejects.toThrow(NEWER);
  });
});

describe("a ruling that says nothing new", () => {
  it("is not journaled: that the same one stands, or that an event stands, needs no word", async () => {
    filled = await openFilledJournal(...rug);
    const [observation, [event]] = [await on(seen), await readEvents()];
    await ruling({ subject: observation, verdict: "accept" });
    const [count, before] = [await countEntries(), await readTimeless(filled)];
    for (const [subject, why] of [
      [observation, /^the same ruling stands since/],
      [{ of: "event", id: event?.id ?? "" }, /only reverses/],
    ] as const) {
      const report = await ruling({ subject, verdict: "accept" });
      const nothing = expect.stringMatching(why) as unknown;
      expect(report).toMatchObject({ puts: 0, ruling: { entry: null, nothing } });
      expect(describeRuling(report)).toMatch(/^nothing to rule on/);
    }
    expect([await countEntries(), await readTimeless(filled)]).toEqual([count, before]);
  });

  it("but for another reason is, because the reason is published", async () => {
    filled = await openFilledJournal(...rug);
    const subject = await on(seen);
    await ruling({ subject, verdict: "accept", reason: "typo" });
    await ruling({ subject, verdict: "accept", reason: "a type of node" });
    // Both in the same millisecond of a stopped clock; the second still wins.
    expect(await readStatus()).toMatchObject({ rulings: [{ reason: "a type of node" }], rulingsTotal: 1 });
  });
});

describe("a ruling on what is not there", () => {
  const ID = "0123456789abcdef01234567";
  const key = "2026-11-20/100000000-check-0123456789abcdef";
  it.each<[string, RuleOptions["subject"], RegExp]>([
    ["an event", { of: "event", id: ID }, /none of the 1 events of mainnet has the id 0123.*events\.json.*status/],
    ["no id", { of: "event", id: "../x" }, /"\.\.\/x" is not an event.s id: give its 24 hexadecimal digits/],
    ["an observation", { of: "observation", key }, /there is no observation 2026-11-20.*status\.json.*explain/],
    ["no name", { of: "observation", key: "yesterday" }, /"yesterday" is not the name of an observation of mainnet/],
    ["another network", { of: "observation", key: `journal/testnet/0001/${key}.json.zst` }, /is not the name of an/],
  ])("fails for %s, and says where to look", async (_, subject, reason) => {
    filled = await openFilledJournal(...rug);
    const count = await countEntries();
    await expect(ruling({ subject })).rejects.toThrow(reason);
    expect(await countEntries()).toBe(count);
  });

  it("fails for a ruling, and for a network without a journal, which it does not begin", async () => {
    filled = await openFilledJournal(...rug);
    const { ruling: made } = await ruling({ subject: await on(seen) });
    const subject = { of: "observation", key: made.entry ?? "" } as const;
    await expect(ruling({ subject })).rejects.toThrow(/is a ruling/);
    const elsewhere = ruling({ subject, network: "testnet" });
    await expect(elsewhere).rejects.toThrow(/no journal of testnet.*RUGWATCH_STATE.*--network/);
    const state = await Array.fromAsync(openStore(filled.command.settings.stateStore).list(""));
    expect(state.filter((head) => head.key.includes("testnet"))).toEqual([]);
  });
});

describe("what is only looked at", () => {
  const readAll = () => {
    const { stateStore, publicStore } = filled.command.settings;
    return Promise.all([stateStore, publicStore].map((store) => Array.fromAsync(openStore(store).list(""))));
  };

  it("is written by no rehearsal, which counts what the ruling itself then writes", async () => {
    filled = await openFilledJournal(...rug);
    const subject = { of: "event", id: (await readEvents())[0]?.id ?? "" } as const;
    const before = await readAll();
    const tried = await ruling({ subject, dryRun: true });
    expect(await readAll()).toEqual(before);
    const done = await ruling({ subject });
    expect(tried).toMatchObject({ puts: 0, documents: done.documents, ruling: { changes: done.ruling.changes } });
    expect(done.documents.written).toBeGreaterThan(0);
    expect(describeRuling(tried)).toMatch(/would be ignored[^]*nothing was written[^]*documents would be written/);
    expect(describeRuling(done)).toMatch(/is ignored[^]*documents were written/);
  });

  it("is written by no explanation: a fold from the beginning leaves no checkpoint", async () => {
    // Of these a fold that may write keeps one.
    filled = await openFilledJournal(...rug, ...[50, 55].map((minute) => check(minute, withA({ bps: 10_000 }))));
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
    // Once for the record as is, once with the ruling.
    expect(said).toHaveLength(20);
    expect(said.at(-1)).toMatch(/^mainnet: (60[12]) of \1 entries folded$/);
  });
});
