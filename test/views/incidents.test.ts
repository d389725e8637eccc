import { describe, expect, it, test } from "vitest";
import type { Incident } from "../../generator/contract/incident.ts";
import { listEvents } from "../../generator/contract/lists.ts";
import { SEVERITIES } from "../../generator/contract/event.ts";
import { findIncidents } from "../../generator/views/incidents.ts";
import { FIRST_EPOCH } from "../story/clock.ts";
import { ruling } from "../story/fold.ts";
import { check, snapshot } from "../story/observations.ts";
import { crowd, type Fact, keyOf } from "../story/validators.ts";
import { EPOCH, ledgerOf, MOMENT, transactionOf, type EventFacts } from "../documents/fixtures.ts";
import { read } from "../documents/read.ts";
import { expectTouchedToSuffice } from "../documents/rendered.ts";

const START = Date.parse(MOMENT.time);
const at = (minute: number) => new Date(START + 60_000 * minute).toISOString();

/** A rise from 5 to 10 % between two minutes, confirmed a minute later. */
const rise = (
  of: string,
  from: number,
  until: number,
  facts: Partial<EventFacts> = {},
): EventFacts => ({
  ...{
    of,
    id: `${of} ${from}`,
    from: 500,
    to: 1000,
    severity: "INFO",
    slot: MOMENT.slot + 300 * until,
  },
  ...{ previousSeenAt: at(from), createdAt: at(until), confirmedAt: at(until + 1), ...facts },
});
/** Each of its own validator and within a minute. */
const rises = (
  count: number,
  { apart = 1, from = 0, ...facts }: Partial<Omit<EventFacts, "from">> & Spread = {},
) =>
  Array.from({ length: count }, (_, place) =>
    rise(`${from}/${place}`, from + apart * place, from + apart * place + 1, facts),
  );
interface Spread {
  apart?: number;
  from?: number;
}

const ledgerWith = (events: readonly EventFacts[]) =>
  ledgerOf({
    validators: [...new Set(events.map(({ of }) => of))].map((name) => ({ name })),
    events: [...events],
  });
const findAll = (events: readonly EventFacts[], repeats = new Set<string>()) =>
  findIncidents(ledgerWith(events).events, repeats);
/** As "10 of 11 from 0 to 10: 0/0 0" (minutes, id). */
const tell = ({ id, validators, changes, firstAt, lastAt }: Incident) => {
  const [from, until] = [firstAt, lastAt].map((time) => (Date.parse(time) - START) / 60_000);
  return `${validators} of ${changes} from ${from} to ${until}: ${id}`;
};
const toldOf = (events: readonly EventFacts[]) => [...new Set(findAll(events).values())].map(tell);

const TEN = "10 of 10 from 0 to 10: 0/0 0";
const fall = { from: 1000, to: 500 };
const inBlock = (minute: number) => ({
  transaction: transactionOf(1000, { blockTime: at(minute) }),
});

describe("an incident", () => {
  it.each<[string, EventFacts[], string[]]>([
    ["nine are none", rises(9), []],
    ["ten are one", rises(10), [TEN]],
    ["ten changes of nine validators are none", [...rises(9), rise("0/0", 20, 21)], []],
    [
      "one that changes twice counts once",
      [...rises(10), rise("0/0", 20, 21)],
      ["10 of 11 from 0 to 21: 0/0 0"],
    ],
    ["falls are one", rises(10).map((event) => ({ ...event, ...fall })), [TEN]],
    ["nine rises and a fall are none", [...rises(9), { ...rise("other", 3, 4), ...fall }], []],
    ["MEV commissions are none", rises(20, { source: "MEV" }), []],
    [
      "their windows may fill the hour",
      rises(10, { apart: 59 / 9 }),
      ["10 of 10 from 0 to 60: 0/0 0"],
    ],
    ["one window may", [...rises(9), rise("x", 0, 60)], ["10 of 10 from 0 to 60: 0/0 0"]],
    ["and no second more", [...rises(9), rise("late", 59, 60 + 1 / 60)], []],
    [
      "who joins may end with the hour",
      [...rises(10), rise("x", 59, 60)],
      ["11 of 11 from 0 to 60: 0/0 0"],
    ],
    ["and no second later", [...rises(10), rise("x", 59, 60 + 1 / 60)], [TEN]],
    ["nor may it begin before", [...rises(10), rise("x", -10, 40)], [TEN]],
    ["a window of over an hour tells of no hour", [...rises(9), rise("x", -200, 9.1)], []],
    [
      "public history has no time",
      rises(20, { createdAt: null, previousSeenAt: null, confirmed: false }),
      [],
    ],
    ["nor has what was found too late", rises(20, { createdAt: null, ...inBlock(0) }), []],
    ["nor a transaction alone without block time", rises(20, { previousSeenAt: null }), []],
    ["what its steps replace does not count", rises(20, { replacedBy: "step" }), []],
    [
      "block times count",
      rises(10, { apart: 100, ...inBlock(7) }),
      ["10 of 10 from 7 to 7: 0/0 0"],
    ],
    [
      "what a sweep found at once was not made at once",
      rises(20).map((event, place) => ({
        ...event,
        createdAt: at(9),
        previousSeenAt: null,
        ...inBlock(-100 * place),
      })),
      [],
    ],
    [
      "the hour is over: who comes later may be in another one",
      [
        ...rises(12, { apart: 4 }),
        ...rises(11, { from: 60, apart: 0.5 }),
        ...rises(40, { from: 62, apart: 0.1 }),
      ],
      ["12 of 12 from 0 to 45: 0/0 0", "51 of 51 from 60 to 66.9: 60/0 60"],
    ],
  ])("%s", (_, events, told) => {
    expect(toldOf(events)).toEqual(told);
    expect(toldOf(events.toReversed())).toEqual(told);
  });

  it("is three times what comes in an average hour of the day before", () => {
    const fourAnHour = (until: number) =>
      Array.from({ length: 200 }, (_, place) =>
        rise(`usual ${place}`, until - 1 - 15 * place, until - 15 * place),
      );
    expect(toldOf([...fourAnHour(-60), ...rises(11)])).toEqual([]);
    expect(toldOf([...fourAnHour(-60), ...rises(12)])).toEqual(["12 of 12 from 0 to 12: 0/0 0"]);
    expect(toldOf([...fourAnHour(-26 * 60), ...rises(10)])).toEqual([TEN]);
    // Those of an incident count, too.
    expect(toldOf([...rises(60, { from: -120, apart: 0.1 }), ...rises(10)])).toHaveLength(1);
  });

  it("leaves the repeats of a pattern out", () => {
    expect(findAll(rises(10), new Set(["0/4 4"])).size).toBe(0);
  });

  it("keeps id and members while more arrive, whatever the order of their ids", () => {
    const events = rises(43, { apart: 1.5 }).map((event, place) => ({
      ...event,
      id: `${(place * 7 + 42) % 43}`,
    }));
    let before: string[] = [];
    for (let count = 10; count <= 43; count += 1) {
      const found = findAll(events.slice(0, count));
      const members = [...found.keys()];
      expect([...found.values()][0]?.id).toBe("42");
      expect(before.filter((id) => !members.includes(id))).toEqual([]);
      expect(members).toHaveLength(Math.min(count, 40));
      before = members;
    }
  });

  it("takes in what is known late, and keeps its id", () => {
    const late = rise("late", 2, 3, {
      createdAt: at(500),
      previousSeenAt: null,
      confirmedAt: at(501),
      ...inBlock(2),
    });
    expect(toldOf([...rises(10), late])).toEqual(["11 of 11 from 0 to 10: 0/0 0"]);
    expect(toldOf([...rises(9), late])).toEqual(["10 of 10 from 0 to 9: 0/0 0"]);
  });
});

test("every answer says the same of an incident, whatever it leaves out", () => {
  const events = rises(12).map((event, place) => ({
    ...event,
    severity: SEVERITIES[place % 3]!,
    epoch: EPOCH - (place % 2),
  }));
  const ledger = ledgerWith(events);
  const index = read(ledger, "index", {});
  const incident = index.events[0]?.incident;
  expect(incident && tell(incident)).toBe("12 of 12 from 0 to 12: 0/0 0");
  const lists = [
    ...SEVERITIES.map((severity) => listEvents(index, { severities: [severity] }).data),
    ...[1, 2].map((epochs) => listEvents(index, { epochs, isCollapsed: true }).data),
    ...ledger.validators.map(
      ({ vote: votePubkey }) => read(ledger, "validatorEvents", { votePubkey }).data,
    ),
    read(ledger, "epochEvents", { epoch: EPOCH }).data,
  ];
  expect(lists.map(({ length }) => length)).toEqual([4, 4, 4, 6, 12, ...events.map(() => 1), 2]);
  for (const event of lists.flat()) expect(event.incident).toEqual(incident);
});

const NAMES = crowd(14).map(({ name }) => name);

/**
 * Each raises its commission a minute after the one before,
 * across an epoch's end; the list is read each half minute.
 */
const story = NAMES.flatMap((_, place) => {
  const raised = NAMES.slice(0, place + 1);
  const votes = NAMES.map((each): Fact => ({
    name: each,
    bps: raised.includes(each) ? 10_000 : 500,
  }));
  return [check(112 + place, votes), check(112.5 + place, votes)];
});
const entries = [
  snapshot(100, crowd(14, { bps: 500 })),
  snapshot(110, crowd(14, { bps: 500 })),
  ...story,
];

test("an incident that grows, and one that a ruling breaks, shows in what was touched alone", () => {
  const eventsOf = (ledger: ReturnType<typeof expectTouchedToSuffice>) =>
    NAMES.flatMap((name) => read(ledger, "validatorEvents", { votePubkey: keyOf(name) }).data);
  const whole = expectTouchedToSuffice(entries);
  expect(new Set(eventsOf(whole).map(({ epoch }) => epoch - FIRST_EPOCH))).toEqual(new Set([0, 1]));
  expect(eventsOf(whole).map(({ incident }) => incident?.validators)).toEqual(NAMES.map(() => 14));
  const ignored = eventsOf(whole)
    .slice(0, 5)
    .map(({ id }, place) => ruling(entries[2 * place + 2]!, { event: id }));
  const broken = expectTouchedToSuffice([...entries, ...ignored]);
  expect(eventsOf(broken).map(({ incident }) => incident)).toEqual(NAMES.slice(5).map(() => null));
});
