import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { at, facts, list, lists, onChain, tips, type Told } from "./mev-facts.ts";
import {
  check,
  confirm,
  confirmTip,
  crowd,
  eventsOf,
  eventsTold,
  FIRST_EPOCH,
  keyOf,
  snapshot,
  tell,
} from "./story.ts";

const tip = confirmTip;
const readOnChain = (minute: number, share: number) => [onChain(minute, share), tip(minute + 0.1, share)];
const RUG = "MEV RUG 800→9500 in";
const BACK = "MEV INFO 9500→800 in 1";
const CAUTION = "MEV CAUTION 800→3000 in";
/** From the account of the epoch before. */
const ofBefore = { ago: 1 };
const before = (minute: number, share: number) => [0, 10].map((after) => onChain(minute + after, share, ofBefore));
const tipBefore = confirm(130.1, [], [{ name: "A", bps: 3000, epoch: FIRST_EPOCH }]);

describe("given these lists and accounts after a share of 8 %, then these MEV events", () => {
  it.each<[string, Entry[], string[]]>([
    ["the same", [at(10, 800)], []],
    ["a change in one list", [at(10, 10_000)], []],
    ["a change in the next list, too", lists(10, 10_000, 10_000), ["MEV RUG 800→10000 in 0"]],
    ["a list that is told again within 30 s", [at(10, 3000), at(10.4, 3000)], []],
    ["the old value in between: the new one is seen anew", lists(10, 3000, 800, 3000), []],
    ["lists without it", lists(10, "absent", "absent", "absent"), []],
    ["a list without it, and then with it", lists(10, "absent", 800, 800), []],
    ["two caches in turn make one event of an epoch", lists(10, 9500, 9500, 800, 800, 9500, 9500), [`${RUG} 0`]],
    ["a tip account that holds a third share", [at(10, 9500), tip(10.1, 1000), at(20, 9500), tip(20.1, 1000)], []],
    ["a list after its account denied it", [at(115, 3000), tip(115.1, 800), at(118, 3000)], []],
    ["no accounts beside a list", [at(10, 800, { tips: tips(FIRST_EPOCH, ["A", 9500]) }), onChain(20, 800)], []],
    ["checks, which say nothing of it", [at(10, 9000), check(11, facts), check(12, facts)], []],
    ["two readings of the chain", [130, 140].map((minute) => onChain(minute, 9500)), [`${RUG} 1`]],
    ["chain and vendor", [onChain(130, 3000), at(140, 3000)], [`${CAUTION} 1`]],
    ["two of the epoch before", before(130, 3000), [`${CAUTION} 0`]],
    ["one of the epoch before, and its account", [onChain(130, 3000, ofBefore), tipBefore], [`${CAUTION} 0`]],
    ["accounts of before take nothing back", [...lists(130, 3000, 3000), ...before(150, 800)], [`${CAUTION} 1`]],
    ["nor do they deny", [at(130, 3000), onChain(140, 800, ofBefore), at(150, 3000)], [`${CAUTION} 1`]],
    ["no account", [onChain(130, "absent"), onChain(250, "absent")], []],
    ["an account whose share is cut off", [onChain(10, null), onChain(20, null)], []],
    ["more than the whole", [at(10, 65_535), at(20, 65_535)], []],
    ["a list that lags takes nothing", [...readOnChain(130, 9500), ...lists(140, 800, 800, 9500, 9500)], [`${RUG} 1`]],
    ["nor behind the epoch before", [...readOnChain(118, 9500), ...lists(130, 800, 800, 9500)], [`${RUG} 0`]],
    ["unless the chain says so", [...readOnChain(118, 9500), at(130, 800), tip(130.1, 800)], [`${RUG} 0`, BACK]],
  ])("%s", (_, entries, events) => {
    expect(eventsOf(at(0, 800), at(9, 800), ...entries)).toEqual(events);
  });
});

describe("given what the second reading finds, then this of a change from 800 to 3000", () => {
  const changed = [at(0, 800), at(10, 3000)];
  const confirmed = { pending: [], ledger: { dropped: 0, events: [{ to: 3000 }] } };
  const denied = { pending: [], ledger: { dropped: 1, events: [] } };
  const open = { pending: [{ to: 3000 }], ledger: { dropped: 0, events: [] } };

  it.each([
    ["the new share", { bps: 3000 }, confirmed],
    ["the old share", { bps: 800 }, denied],
    ["a third share", { bps: 1000 }, denied],
    ["no account", {}, open],
    ["the new share in another epoch", { bps: 3000, epoch: FIRST_EPOCH - 1 }, open],
    ["the old share in another epoch", { bps: 800, epoch: FIRST_EPOCH - 1 }, open],
    ["more than the whole", { bps: 65_535 }, open],
  ])("%s", (_, found, expected) => {
    expect(tell(...changed, confirm(10.1, [], [{ name: "A", ...found }]))).toMatchObject(expected);
  });

  it("an account that is cut off", () => {
    const cut = confirm(10.1, []);
    cut.tips = [{ vote: keyOf("A"), epoch: FIRST_EPOCH, exists: true, mevBasisPoints: null }];
    expect(tell(...changed, cut)).toMatchObject(open);
  });

  it("nothing of the epoch that it names itself", () => {
    const told = tell(...changed, { ...tip(10.1, 3000), epoch: 7 });
    expect(eventsTold(told)).toHaveLength(1);
    expect([...told.ledger.mev.keys()]).toEqual([FIRST_EPOCH]);
  });

  it("nothing, for longer than lists can show it: it is dropped", () => {
    const lists = [at(130, "absent"), at(250, "absent")];
    expect(tell(...changed, lists[0]!)).toMatchObject(open);
    expect(tell(...changed, ...lists)).toMatchObject(denied);
  });
});

describe("a mass change", () => {
  const many = crowd(30);
  const rows = (bps: number) => many.map(({ name }): Told => [name, bps]);
  const listed = (minute: number, bps: number) => snapshot(minute, many, { mev: list(...rows(bps)) });
  const read = (minute: number, bps: number) => snapshot(minute, many, { tips: tips(FIRST_EPOCH, ...rows(bps)) });
  const accounts = (bps: number) =>
    confirm(
      10.1,
      [],
      many.map(({ name }) => ({ name, bps })),
    );

  it.each<[string, typeof listed]>([
    ["lists", listed],
    ["accounts", read],
  ])("is not believed before two further %s say the same", (_, told) => {
    const twice = [told(0, 800), told(10, 10_000), accounts(10_000), told(20, 10_000)];
    expect(tell(...twice).pending.every(({ mass }) => mass)).toBe(true);
    expect(eventsOf(...twice)).toEqual([]);
    expect(eventsOf(...twice, told(30, 10_000))).toHaveLength(30);
    expect(tell(told(0, 800), told(10, 10_000), accounts(800)).pending).toEqual([]);
  });
});
