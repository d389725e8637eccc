import { describe, expect, it } from "vitest";
import { DISABLED } from "../../generator/ledger/columns.ts";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import {
  at,
  begin,
  closed,
  crowdRows,
  heldBy,
  led,
  list,
  names,
  onChain,
  production,
  shot,
  twice,
  type Told,
} from "./mev-facts.ts";
import {
  confirmTip,
  crowd,
  eventsOf,
  eventsTold,
  FIRST_EPOCH,
  keyOf,
  rest,
  slotAt,
  snapshot,
  tell,
  timeAt,
  validatorOf,
} from "./story.ts";

/** A list, and A's account right after it. */
const sure = (minute: number, share: number) => [at(minute, share), confirmTip(minute + 0.1, share)];
/** Closed-epoch accounts without A's; of all; of nobody. */
const gone = heldBy((name) => name !== "A");
const off = (minute: number, share: number | "absent" = "absent") => twice(minute, (each) => at(each, share, gone));
const chain = (...at: number[]) => at.map((minute) => onChain(minute, 9500));
const tip9500 = confirmTip(251.1, 9500);
const returning = [...begin, ...off(245, 800), confirmTip(245.1)];
const whole = heldBy(() => true);
const none = heldBy(() => false);
const listed = (...rows: Told[]) => ({ closedMev: closed(FIRST_EPOCH + 1, ...rows) });
const withA = listed(...crowdRows, ["A", 800]);
const missing = listed(...crowdRows);
const shrunk = { closedMev: closed(FIRST_EPOCH + 2, ...crowdRows.slice(0, 7)) };
const failed: Partial<SnapshotEntry> = { closedMev: { state: "failed", reason: "no answer" } };
const OFF = "MEV INFO 800→disabled in 1";
const ON = "MEV INFO disabled→800 in 2";
const ON_LATER = "MEV INFO disabled→800 in 3";
const TO_3000 = "MEV CAUTION 800→3000 in 2";
const NEARLY_ALL = "MEV CAUTION disabled→9500 in 2";

describe("given what is told of a closed epoch, then of A", () => {
  const producing = (who: string[], blocks?: number) => ({ production: production(who, blocks) });
  const [idle, down] = [producing([]), producing(names, 0)];

  it.each<[string, Partial<SnapshotEntry>, string[]]>([
    ["a list without it: disabled", missing, [OFF]],
    ["no account, and the vendor fails: disabled", { ...failed, ...gone }, [OFF]],
    ["no account, and the vendor is not asked: disabled", gone, [OFF]],
    ["no account, a record of the epoch before: disabled", { ...withA, ...gone }, [OFF]],
    ["an account, and a gap in the list: nothing", { ...missing, ...whole }, []],
    ["a list without it, nobody asked: disabled", { ...missing, ...heldBy(() => true, names.slice(0, 9)) }, [OFF]],
    ["a node without any accounts: nothing", none, []],
    ["a node without any accounts, and a list without it: disabled", { ...missing, ...none }, [OFF]],
    ["accounts of the epoch before: nothing", heldBy((name) => name !== "A", names, FIRST_EPOCH), []],
    ["accounts of the running epoch: nothing", heldBy((name) => name !== "A", names, FIRST_EPOCH + 2), []],
    ["a list of the epoch before: nothing", { closedMev: closed(FIRST_EPOCH, ...crowdRows) }, []],
    ["a list of the running epoch: nothing", { closedMev: closed(FIRST_EPOCH + 2, ...crowdRows) }, []],
  ])("%s", (_, sides, events) => {
    expect(eventsOf(...begin, ...twice(245, (minute) => at(minute, "absent", sides)))).toEqual(events);
  });

  it.each<[string, Entry[], string[]]>([
    ["is decided once", [...begin, ...off(245), at(255, "absent", whole), ...off(265)], [OFF]],
    [
      "and not otherwise later",
      [...begin, onChain(245, "absent", whole), ...twice(255, (minute) => onChain(minute, "absent", gone))],
      [],
    ],
    ["is not decided once it is not the last one", [...begin, ...off(370)], []],
    ["is not decided while it runs", [at(0, 800), at(10, "absent", missing)], []],
    ["is decided later, though a newer list shows it", [...begin, at(245, 800), ...off(255)], [OFF]],
    ["takes back no change confirmed after it", [...begin, ...sure(245, 3000), ...off(255, 3000)], [TO_3000]],
    ["accuses nobody idle", [at(0, 800, idle), at(230, 800, idle), at(245, "absent", { ...idle, ...gone })], []],
    ["nor who produced no block", [at(0, 800, down), at(230, 800, down), at(245, "absent", { ...down, ...gone })], []],
    ["nor who never ran it", [at(0, "absent"), at(245, "absent", missing)], []],
    ["nor whose account was read while it ran", [at(0, 800), onChain(230, 800), at(245, "absent", missing)], []],
    ["loses no rate shown after it", [at(0, "absent"), at(230, "absent"), at(241, 800), at(251, 800, missing)], []],
    ["is told by others' accounts, read before", [...begin.slice(0, 2), onChain(230, "absent"), ...off(245)], [OFF]],
    ["is not told by a list under 80 % of the last", [...begin, at(245, 800, withA), at(365, "absent", shrunk)], []],
    ["is not told by a first list that is too short", [...begin, at(245, 800, listed(...crowdRows.slice(0, 7)))], []],
    [
      "is of who enables it later",
      [at(0, "absent"), at(230, "absent"), at(245, "absent", missing), ...sure(255, 800)],
      [ON],
    ],
    ["then nearly all is a caution", [...begin, ...off(245), ...sure(255, 9500)], [OFF, NEARLY_ALL]],
    [
      "also by the chain alone",
      [
        ...begin,
        ...twice(245, (minute) => onChain(minute, "absent", gone)),
        ...chain(255, 265),
        confirmTip(265.1, 9500),
      ],
      [OFF, NEARLY_ALL],
    ],
    ["an old record is no return", [...returning, at(255, 800), confirmTip(255.1), at(265, 800)], [OFF]],
    ["nor while it is not read", [...begin, ...off(245, 800), at(255, 800), at(265, 800), at(275, "absent")], [OFF]],
    ["it is once the chain has it", [...returning, ...sure(255, 800)], [OFF, ON]],
    ["and in the next epoch", [...begin, ...off(245, 800), at(255, 800), ...sure(370, 800)], [OFF, ON_LATER]],
    ["a later change waits", [...begin, at(241, 9500), at(251, 9500, missing), tip9500], [OFF, NEARLY_ALL]],
  ])("the epoch %s", (_, entries, events) => {
    expect(eventsOf(...entries)).toEqual(events);
  });

  it("the points of the closed epoch and of the running one say so, and none beyond", () => {
    const told = tell(...begin, ...twice(245, (minute) => onChain(minute, "absent", gone)));
    const { ordinal, ...shown } = validatorOf(told, "A");
    const points = [...told.ledger.mev].map(([epoch, column]) => [epoch, column[ordinal]]);
    expect(points).toEqual([800, DISABLED, DISABLED].map((value, index) => [FIRST_EPOCH + index, value]));
    expect(shown).toMatchObject({ mev: "disabled", mevEpoch: FIRST_EPOCH + 1, mevVendorEnabled: false });
    const window = { previousSlot: slotAt(230), slot: slotAt(247.1), createdAt: timeAt(247.1) };
    expect(told.ledger.events).toMatchObject([{ epoch: FIRST_EPOCH + 1, effectiveEpoch: FIRST_EPOCH + 1, ...window }]);
  });

  it("off and on again in one observation is two events, the second in the running epoch", () => {
    const told = tell(...begin, at(245, 800, missing), confirmTip(245.1, 800));
    expect(eventsTold(told)).toEqual([OFF, ON]);
    expect(told.ledger.events[1]).toMatchObject({
      ...{ slot: slotAt(245), previousSlot: slotAt(230), previousSeenAt: timeAt(230) },
    });
  });
});

describe("a closed epoch accuses nobody", () => {
  const others = { mev: list(...crowdRows), production: led };

  it("who left before it, or came in it without leading slots", () => {
    const absent = { production: led, absent: [keyOf("A")] };
    const closedNext = { closedMev: closed(FIRST_EPOCH + 2, ...crowdRows) };
    const left = [at(0, 800), snapshot(10, rest, absent), snapshot(20, rest, absent), snapshot(250, rest, others)];
    expect(eventsOf(...left, snapshot(370, rest, { production: led, ...closedNext }))).toEqual([]);
    const idle = { production: production([]) };
    const came = [
      snapshot(0, rest, { ...others, ...idle }),
      at(250, 800, idle),
      at(370, "absent", { ...idle, ...closedNext }),
    ];
    expect(eventsOf(...came)).toEqual([]);
  });

  it("by the list, who is one of several vote accounts of an identity", () => {
    const sharing = [...crowd(8), { name: "crowd 8", identity: "A" }, { name: "A" }];
    const mev = list(...crowdRows, ["A", 800]);
    const shots = [0, 230].map((minute) => snapshot(minute, sharing, { production: led, mev }));
    expect(eventsOf(...shots, snapshot(241, sharing, { production: led, ...missing }))).toEqual([]);
  });

  it("who had no stake in it, and took over the identity of another", () => {
    const stake = 1_000_000_000n;
    const heir = (active: bigint) => [...rest, { name: "A", identity: "A", stake: active }];
    const left = { ...others, absent: [keyOf("old")] };
    const told = tell(
      snapshot(0, [...rest, { name: "old", identity: "A", stake }], {
        ...others,
        mev: list(...crowdRows, ["old", 800]),
      }),
      ...[50, 60].map((minute) => snapshot(minute, heir(0n), left)),
      ...twice(245, (minute) => shot(minute, heir(stake), { ...left, ...gone })),
      snapshot(255, heir(stake), { ...others, mev: list(...crowdRows, ["A", 800]) }),
      confirmTip(255.1, 800),
    );
    expect(eventsTold(told)).toEqual([]);
    expect(validatorOf(told, "A").mev).toBe(800);
  });
});
