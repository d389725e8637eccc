import { expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { eventsOf } from "../story/outcome.ts";
import { panelSnapshot } from "../story/panels.ts";
import { NAMES, producersOf, tipsOf, type Share } from "../story/tips.ts";
import { keyOf, rest, withA, type Fact } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";

const OFF = "MEV INFO 800→disabled in 1";
const toLed = (name: string): [string, number, number] => [keyOf(`identity of ${name}`), 40, 39];
const others = NAMES.filter((name) => name !== "A");

/** null: its own; "silent": the witness gives no list. */
type Identity = string | null;
const listOf = (one: Identity, ofCrowd0: Identity): Fact[] => [
  { name: "crowd 0", ...(ofCrowd0 !== null && { identity: ofCrowd0 }) },
  ...rest.slice(1),
  { name: "A", ...(one !== null && { identity: one }) },
];
const shot = (
  minute: number,
  share: Share,
  identities: readonly Identity[],
  by = 0,
  ofCrowd0: Identity = null,
) => {
  const lists = identities.map((one) => listOf(one, ofCrowd0));
  const size = lists.length;
  const shares = all(size, (name: string, isNow: boolean): Share =>
    name !== "A" ? 800 : isNow ? "absent" : share,
  );
  const ahead = identities.map((one) => (one === "silent" ? null : 0));
  return panelSnapshot(
    minute,
    lists[by] ?? withA(),
    { of: size, by, facts: lists, ahead },
    {
      tips: tipsOf({ minute }, ...(minute < 120 ? all(size, () => 800) : shares)),
      closedProduction: producersOf(
        { minute, who: [...NAMES, "Z"] },
        ...all(size, [...others, "Z"]),
      ),
      production: { state: "ok", value: { rows: [...others, "Z"].map(toLed) } },
    },
  );
};
/** Of each witness at each minute. A made no block; Z made some. */
const story = (
  at: (minute: number) => readonly Identity[],
  by = 0,
  ofCrowd0: (minute: number) => Identity = () => null,
) =>
  [0, 110, 125, 230, 245, 247].map((minute) =>
    shot(minute, minute < 240 ? 800 : "absent", at(minute), by, ofCrowd0(minute)),
  );
const sharedUntil = (end: number) => (minute: number) => (minute < end ? "Z" : null);

it.each<[string, Entry[], string[]]>([
  ["that made blocks, as all list it: disabled", story(() => all(3, "Z")), [OFF]],
  ["of its own, that made none: nothing", story(() => all(3, null)), []],
  ["as one of three lies, whose list is the entry's: nothing", story(() => ["Z", null, null]), []],
  ["as two of three list it: disabled", story(() => ["Z", null, "Z"], 1), [OFF]],
  ["on which no majority agrees: nothing", story(() => ["Z", null, "Y"]), []],
  [
    "that it took before the epoch before began: disabled",
    [
      ...[-60, -30].map((minute) => shot(minute, 800, all(3, minute === -60 ? null : "Z"))),
      ...story(() => all(3, "Z")),
    ],
    [OFF],
  ],
  [
    "that it took in the epoch before: nothing",
    story((minute) => all(3, minute < 100 ? null : "Z")),
    [],
  ],
  [
    "that it took in the closed epoch: nothing",
    story((minute) => all(3, minute < 200 ? null : "Z")),
    [],
  ],
  ["that it took since: nothing", story((minute) => all(3, minute < 246 ? null : "Z")), []],
  ["that it left since: nothing", story((minute) => all(3, minute < 246 ? "Z" : null)), []],
  [
    "that two share: nothing",
    story(
      () => all(3, "Z"),
      0,
      () => "Z",
    ),
    [],
  ],
  [
    "that two shared since the epoch before began: nothing",
    story(() => all(3, "Z"), 0, sharedUntil(100)),
    [],
  ],
  [
    "that two shared before it began: disabled",
    [shot(-60, 800, all(3, "Z"), 0, "Z"), ...story(() => all(3, "Z"))],
    [OFF],
  ],
  [
    "on which no majority agrees since: nothing yet",
    story((minute) => (minute < 240 ? all(3, "Z") : ["Z", null, "Y"])),
    [],
  ],
  [
    "on which a majority agrees later: disabled then",
    [
      ...story((minute) => (minute < 240 ? all(3, "Z") : ["Z", null, "Y"])),
      shot(255, "absent", all(3, "Z")),
    ],
    [OFF],
  ],
  [
    "as one of two alone lists it, while the other is silent for a moment: nothing yet",
    story((minute) => (minute < 240 ? ["Z", "Z"] : ["Z", "silent"])),
    [],
  ],
  [
    "as one of two alone lists it, three minutes later: disabled",
    [
      ...story((minute) => (minute < 240 ? ["Z", "Z"] : ["Z", "silent"])),
      shot(248, "absent", ["Z", "silent"]),
    ],
    [OFF],
  ],
  [
    "that one lies it took since: disabled",
    story((minute) => ["Z", "Z", minute < 246 ? "Z" : null]),
    [OFF],
  ],
])("given who made blocks in a closed epoch under an identity %s", (_, entries, events) => {
  expect(eventsOf(...entries)).toEqual(events);
});
