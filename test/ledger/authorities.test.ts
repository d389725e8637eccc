import { describe, expect, it } from "vitest";
import {
  agreeOnAuthority,
  authoritiesWithin,
  handOver,
  hearAuthority,
  isAuthority,
} from "../../generator/ledger/authorities.ts";
import type { Authority } from "../../generator/ledger/records.ts";
import type { Panel } from "../../generator/ledger/witnesses.ts";
import { validator } from "../documents/fixtures.ts";

const panel: Panel = { witnesses: [0, 1, 2], majority: 2, liarsMost: 1 };
const withAuthorities = (...authorities: Authority[]) => validator({ name: "A", authorities });
const from10to20: Authority = { key: "first", from: 10, to: 20, covered: [] };
const from40to50: Authority = { key: "second", from: 40, to: 50, covered: [] };

describe("the authority of a vote account", () => {
  const hear = (...rounds: [key: string, slot: number][][]) => {
    const subject = withAuthorities();
    const isNew = rounds.map((words) => {
      for (const [witness, [key, slot]] of words.entries()) hearAuthority(subject, { witness, key, slot });
      return agreeOnAuthority(subject, panel);
    });
    return { authorities: subject.authorities, isNew };
  };

  it("is what a majority reads, from the slot by which an honest one has", () => {
    expect(
      hear([
        ["a", 10],
        ["a", 14],
        ["b", 12],
      ]),
    ).toEqual({ authorities: [{ key: "a", from: 14, to: 10, covered: [] }], isNew: [true] });
  });

  it("is unknown while each reads another", () => {
    expect(
      hear([
        ["a", 10],
        ["b", 14],
        ["c", 12],
      ]),
    ).toEqual({ authorities: [], isNew: [false] });
  });

  it("stays the same while a majority reads it again", () => {
    const { authorities, isNew } = hear(
      [
        ["a", 10],
        ["a", 10],
        ["a", 10],
      ],
      [
        ["a", 30],
        ["b", 30],
        ["a", 31],
      ],
    );
    expect(authorities).toEqual([{ key: "a", from: 10, to: 30, covered: [] }]);
    expect(isNew).toEqual([true, false]);
  });

  it("is followed by another one", () => {
    const { authorities } = hear(
      [
        ["a", 10],
        ["a", 10],
        ["a", 10],
      ],
      [
        ["b", 30],
        ["b", 31],
        ["a", 30],
      ],
    );
    expect(authorities).toEqual([
      { key: "a", from: 10, to: 10, covered: [] },
      { key: "b", from: 31, to: 30, covered: [] },
    ]);
  });

  it("may still be the one before, where a single witness dates the next one back", () => {
    const { authorities } = hear(
      [
        ["a", 10],
        ["a", 10],
        ["a", 10],
      ],
      [
        ["a", 10],
        ["b", 31],
        ["b", 11],
      ],
    );
    expect(isAuthority(withAuthorities(...authorities), "a", 28)).toBe(true);
  });

  it("is not changed by what was read before", () => {
    const { authorities } = hear(
      [
        ["a", 10],
        ["a", 10],
        ["a", 10],
      ],
      [
        ["b", 8],
        ["b", 9],
        ["b", 7],
      ],
    );
    expect(authorities).toEqual([{ key: "a", from: 10, to: 10, covered: [] }]);
  });
});

describe("who may have signed at a slot", () => {
  const subject = withAuthorities(from10to20, from40to50);
  const table: [number, boolean, boolean][] = [
    [1, true, false],
    [15, true, false],
    [20, true, true],
    [30, true, true],
    [40, true, true],
    [45, false, true],
    [90, false, true],
  ];

  it.each(table)("at %i the first: %s, the second: %s", (slot, first, second) => {
    expect([isAuthority(subject, "first", slot), isAuthority(subject, "second", slot)]).toEqual([first, second]);
  });

  it("is never a stranger", () => {
    expect(isAuthority(subject, "stranger", 30)).toBe(false);
  });

  it("shares a span of slots among those that were it", () => {
    expect(authoritiesWithin(subject, { after: 12, upTo: 60 })).toEqual([
      { authority: from10to20, after: 12, upTo: 40 },
      { authority: from40to50, after: 19, upTo: 60 },
    ]);
    expect(authoritiesWithin(subject, { after: 41, upTo: 60 })).toEqual([
      { authority: from40to50, after: 41, upTo: 60 },
    ]);
  });
});

describe("a proved hand-over", () => {
  it("says in which slot the next one took it", () => {
    const subject = withAuthorities({ ...from10to20 }, { ...from40to50 });
    expect(handOver(subject, { slot: 33, by: "first", to: "second" })).toBe(true);
    expect(subject.authorities).toEqual([
      { key: "first", from: 10, to: 33, covered: [] },
      { key: "second", from: 33, to: 50, covered: [] },
    ]);
    expect(isAuthority(subject, "first", 36)).toBe(false);
  });

  it("names one that nobody has read yet", () => {
    const subject = withAuthorities({ ...from10to20 });
    handOver(subject, { slot: 33, by: "first", to: "second" });
    expect(subject.authorities).toEqual([
      { key: "first", from: 10, to: 33, covered: [] },
      { key: "second", from: 33, to: 33, covered: [] },
    ]);
  });

  it("names one from before anybody looked", () => {
    const subject = withAuthorities({ ...from40to50 });
    handOver(subject, { slot: 33, by: "first", to: "second" });
    expect(subject.authorities).toEqual([
      { key: "first", from: 33, to: 33, covered: [] },
      { key: "second", from: 33, to: 50, covered: [] },
    ]);
  });

  it("can go back in the same slot", () => {
    const subject = withAuthorities({ ...from10to20 });
    handOver(subject, { slot: 33, by: "first", to: "second" });
    handOver(subject, { slot: 33, by: "second", to: "first" });
    expect(isAuthority(subject, "first", 60)).toBe(true);
    expect(isAuthority(subject, "second", 60)).toBe(false);
  });

  it("is known once", () => {
    const subject = withAuthorities({ ...from10to20 });
    handOver(subject, { slot: 33, by: "first", to: "second" });
    expect(handOver(subject, { slot: 33, by: "first", to: "second" })).toBe(false);
    expect(subject.authorities).toHaveLength(2);
  });
});
