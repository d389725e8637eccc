import { describe, expect, it } from "vitest";
import { DISABLED } from "../../generator/ledger/columns.ts";
import type { Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { at, closed, crowdRows, heldBy, led, list, names, onChain, production, type Told } from "./mev-facts.ts";
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

const begin = [at(0, 800), at(110, 800)];
/** A list, and A's account right after it. */
const sure = (minute: number, share: number) => [at(minute, share), confirmTip(minute + 0.1, share)];
/** Closed-epoch accounts without A's; of all; of nobody. */
const gone = heldBy((name) => name !== "A");
const chain = (...at: number[]) => at.map((minute) => onChain(minute, 9500));
const tip9500 = confirmTip(131.1, 9500);
const returning = [...begin, at(125, 800, gone), confirmTip(125.1)];
const whole = heldBy(() => true);
const none = heldBy(() => false);
const listed = (...rows: Told[]) => ({ closedMev: closed(FIRST_EPOCH, ...rows) });
const withA = listed(...crowdRows, ["A", 800]);
const missing = listed(...crowdRows);
const shrunk = { closedMev: closed(FIRST_EPOCH + 1, ...crowdRows.slice(0, 7)) };
const failed: Partial<SnapshotEntry> = { closedMev: { state: "failed", reason: "no answer" } };
const OFF = "MEV INFO 800→disabled in 0";
const ON = "MEV INFO disabled→800 in 1";
const ON_LATER = "MEV INFO disabled→800 in 2";
const TO_3000 = "MEV CAUTION 800→3000 in 1";
const NEARLY_ALL = "MEV CAUTION disabled→9500 in 1";

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
    ["accounts of the epoch before: nothing", heldBy((name) => name !== "A", names, FIRST_EPOCH - 1), []],
    ["accounts of the running epoch: nothing", heldBy((name) => name !== "A", names, FIRST_EPOCH + 1), []],
    ["a list of the epoch before: nothing", { closedMev: closed(FIRST_EPOCH - 1, ...crowdRows) }, []],
    ["a list of the running epoch: nothing", { closedMev: closed(FIRST_EPOCH + 1, ...crowdRows) }, []],
  ])("%s", (_, sides, events) => {
    expect(eventsOf(...begin, at(125, "absent", sides))).toEqual(events);
  });

  it.each<[string, Entry[], string[]]>([
    ["is decided once", [...begin, at(125, "absent", gone), at(135, "absent", whole), at(145, "absent", gone)], [OFF]],
    ["and not otherwise later", [...begin, onChain(125, "absent", whole), onChain(135, "absent", gone)], []],
    ["is not decided once it is not the last one", [...begin, at(250, "absent", gone)], []],
    ["is not decided while it runs", [at(0, 800), at(10, "absent", missing)], []],
    ["is decided later, though a newer list shows it", [...begin, at(125, 800), at(135, "absent", gone)], [OFF]],
    ["takes back no change confirmed after it", [...begin, ...sure(125, 3000), at(135, 3000, gone)], [TO_3000]],
    ["accuses nobody idle", [at(0, 800, idle), at(110, 800, idle), at(125, "absent", { ...idle, ...gone })], []],
    ["nor who produced no block", [at(0, 800, down), at(110, 800, down), at(125, "absent", { ...down, ...gone })], []],
    ["nor who never ran it", [at(0, "absent"), at(125, "absent", missing)], []],
    ["nor whose account was read while it ran", [at(0, 800), onChain(110, 800), at(125, "absent", missing)], []],
    ["loses no rate shown after it", [at(0, "absent"), at(110, "absent"), at(121, 800), at(131, 800, missing)], []],
    ["is told by others' accounts, read before", [at(0, 800), onChain(110, "absent"), at(125, "absent", gone)], [OFF]],
    ["is not told by a list under 80 % of the last", [...begin, at(125, 800, withA), at(245, "absent", shrunk)], []],
    ["is not told by a first list that is too short", [...begin, at(125, 800, listed(...crowdRows.slice(0, 7)))], []],
    ["is of who enables it later", [at(0, "absent"), at(125, "absent", missing), ...sure(135, 800)], [ON]],
    ["then nearly all is a caution", [...begin, at(125, "absent", gone), ...sure(135, 9500)], [OFF, NEARLY_ALL]],
    ["also by the chain alone", [...begin, onChain(125, "absent", gone), ...chain(135, 145)], [OFF, NEARLY_ALL]],
    ["an old record is no return", [...returning, at(135, 800), confirmTip(135.1), at(145, 800)], [OFF]],
    ["nor while it is not read", [...begin, at(125, 800, gone), at(135, 800), at(145, 800), at(155, "absent")], [OFF]],
    ["it is once the chain has it", [...returning, ...sure(135, 800)], [OFF, ON]],
    [
      "and in the next epoch",
      [...begin, at(125, 800, gone), at(135, 800), at(250, 800), at(260, 800)],
      [OFF, ON_LATER],
    ],
    ["a later change waits", [...begin, at(121, 9500), at(131, 9500, missing), tip9500], [OFF, NEARLY_ALL]],
  ])("the epoch %s", (_, entries, events) => {
    expect(eventsOf(...entries)).toEqual(events);
  });

  it("the points of the closed epoch and of the running one say so, and none beyond", () => {
    const told = tell(...begin, onChain(125, "absent", gone));
    const { ordinal, ...shown } = validatorOf(told, "A");
    const points = [...told.ledger.mev].map(([epoch, column]) => [epoch, column[ordinal]]);
    expect(points).toEqual([FIRST_EPOCH, FIRST_EPOCH + 1].map((epoch) => [epoch, DISABLED]));
    expect(shown).toMatchObject({ mev: "disabled", mevEpoch: FIRST_EPOCH, mevVendorEnabled: false });
    const window = { previousSlot: slotAt(110), slot: slotAt(125), createdAt: timeAt(125) };
    expect(told.ledger.events).toMatchObject([{ epoch: FIRST_EPOCH, effectiveEpoch: FIRST_EPOCH, ...window }]);
  });

  it("off and on again in one observation is two events, the second in the running epoch", () => {
    const told = tell(...begin, at(125, 800, missing), confirmTip(125.1, 800));
    expect(eventsTold(told)).toEqual([OFF, ON]);
    expect(told.ledger.events[1]).toMatchObject({
      ...{ slot: slotAt(125), previousSlot: slotAt(110), previousSeenAt: timeAt(110) },
    });
  });
});

describe("a closed epoch accuses nobody", () => {
  const others = { mev: list(...crowdRows), production: led };

  it("who left before it, or came in it without leading slots", () => {
    const absent = { production: led, absent: [keyOf("A")] };
    const closedNext = { closedMev: closed(FIRST_EPOCH + 1, ...crowdRows) };
    const left = [at(0, 800), snapshot(10, rest, absent), snapshot(20, rest, absent), snapshot(130, rest, others)];
    expect(eventsOf(...left, snapshot(250, rest, { production: led, ...closedNext }))).toEqual([]);
    const idle = { production: production([]) };
    const came = [
      snapshot(0, rest, { ...others, ...idle }),
      at(130, 800, idle),
      at(250, "absent", { ...idle, ...closedNext }),
    ];
    expect(eventsOf(...came)).toEqual([]);
  });

  it("by the list, who is one of several vote accounts of an identity", () => {
    const sharing = [...crowd(8), { name: "crowd 8", identity: "A" }, { name: "A" }];
    const mev = list(...crowdRows, ["A", 800]);
    const shots = [0, 110].map((minute) => snapshot(minute, sharing, { production: led, mev }));
    expect(eventsOf(...shots, snapshot(121, sharing, { production: led, ...missing }))).toEqual([]);
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
      snapshot(125, heir(stake), { ...left, ...gone }),
      snapshot(135, heir(stake), { ...others, mev: list(...crowdRows, ["A", 800]) }),
      confirmTip(135.1, 800),
    );
    expect(eventsTold(told)).toEqual([]);
    expect(validatorOf(told, "A").mev).toBe(800);
  });
});
