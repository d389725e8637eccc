import { describe, expect, it } from "vitest";
import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { minutes, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { snapshot } from "../story/observations.ts";
import { validatorOf } from "../story/outcome.ts";
import { crowd, keyOf, rest, withA } from "../story/validators.ts";

const identity = keyOf("identity of A");
const told = (...sides: Partial<SnapshotEntry>[]) =>
  foldStory(...sides.map((side, index) => snapshot(index * 10, withA(), side)));
const shown = (...sides: Partial<SnapshotEntry>[]) => validatorOf(told(...sides), "A");

const nodes = (
  version: string | null,
  clientId: number | string | null,
): Partial<SnapshotEntry> => ({
  nodes: { state: "ok", value: [{ identity, version, clientId, ip: null }] },
});
const none: Partial<SnapshotEntry> = { nodes: { state: "ok", value: [] } };
const updatedAt = timeAt(0);

it.each([
  [
    "is never replaced by less",
    [nodes("4.2.1", 3), nodes("broken", null), none],
    { version: "4.2.1", clientId: 3, updatedAt },
  ],
  [
    "does not change when another endpoint renders the same differently",
    [
      nodes("4.2.0-rc.2", "Rakurai"),
      nodes("4.16386.2", "Unknown(8)"),
      nodes("4.2.0-rc.2 (src:0a1b; feat:1)", 8),
    ],
    { version: "4.2.0-rc.2", clientId: 8, updatedAt },
  ],
  [
    "changes with the number",
    [nodes("4.2.1", 3), nodes("4.2.1", "Unknown(86)")],
    { clientId: 86, updatedAt: timeAt(10) },
  ],
])("software %s", (_, sides, expected) => {
  expect(shown(...sides)).toMatchObject(expected);
});

describe("a name", () => {
  const infoOf = (...names: string[]): Partial<SnapshotEntry> => {
    const urls = { website: "http://alpha.example", iconUrl: "http://alpha.example/i.png" };
    return {
      info: {
        state: "ok",
        value: names.map((name) => ({ identity, account: keyOf(name), name, ...urls })),
      },
    };
  };

  it("belongs to the identity, not to the vote account", () => {
    expect(shown(infoOf("Alpha"))).toMatchObject({
      name: "Alpha",
      website: "http://alpha.example/",
      iconUrl: null,
    });
    const moved = snapshot(10, withA({ identity: "another" }), infoOf("Alpha"));
    const renamed = validatorOf(foldStory(snapshot(0, withA(), infoOf("Alpha")), moved), "A");
    expect(renamed).toMatchObject({ name: null, identity: keyOf("identity of another") });
  });

  it("is one of several accounts of an identity, in whatever order they are told", () => {
    const lowest = ["one", "two", "three"].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))[0];
    expect(shown(infoOf("one", "two", "three")).name).toBe(lowest);
    expect(shown(infoOf("three", "two", "one")).name).toBe(lowest);
  });

  it("is kept while the vote account has no row, and after it left", () => {
    const none = [10, 20].map((minute) =>
      snapshot(minute, rest, { ...infoOf(), absent: [keyOf("A")] }),
    );
    const first = snapshot(0, withA(), infoOf("Alpha"));
    expect(validatorOf(foldStory(first, none[0]!), "A")).toMatchObject({
      name: "Alpha",
      listed: true,
    });
    expect(validatorOf(foldStory(first, ...none), "A")).toMatchObject({
      name: "Alpha",
      listed: false,
    });
  });
});

const first = snapshot(0, withA());
const unreadable = (count: number, unreadableRows: number) => ({
  ...snapshot(10, crowd(count)),
  unreadableRows,
});

it("a list of vote accounts with rows that cannot be read tells of the others, and is said to be degraded until all can be read again", () => {
  const one = foldStory(first, unreadable(9, 1));
  expect(validatorOf(one, "A")).toMatchObject({
    listed: true,
    missedSnapshots: 0,
    commissionBasisPoints: 500,
  });
  const reason = "1 rows of the list of vote accounts could not be read";
  expect(one.ledger.sources.votes).toEqual({
    state: "degraded",
    lastSuccessAt: timeAt(10),
    reason,
  });
  const again = foldStory(first, unreadable(9, 1), snapshot(20, withA()));
  expect(again.ledger.sources.votes).toEqual({
    state: "ok",
    lastSuccessAt: timeAt(20),
    reason: null,
  });
});

describe("a location", () => {
  type Row = Extract<SnapshotEntry["locations"], { state: "ok" }>["value"][number];
  const located = (facts: Partial<Row>): Partial<SnapshotEntry> => {
    const none = { country: null, countryCode: null, city: null, asn: null, asnOrganization: null };
    return { locations: { state: "ok", value: [{ identity, ...none, ...facts }] } };
  };
  const germany = { country: "Germany", countryCode: "DE" };
  const place = (city: string, asn: number) =>
    located({ ...germany, city, asn, asnOrganization: "Some Org" });
  const falkenstein = place("Falkenstein", 24940);

  it("is no move at first, and a move when city or provider change", () => {
    const from = { city: "Falkenstein", dataCenter: "Hetzner" };
    const to = { city: "Frankfurt", dataCenter: "OVH" };
    expect(shown(falkenstein, place("Frankfurt", 16276)).moves).toMatchObject([
      { at: timeAt(10), from, to },
    ]);
  });

  it("keeps the newest fifty moves", () => {
    const moves = minutes(0, 60).map((at) =>
      snapshot(at, withA(), place(at % 2 === 0 ? "Berlin" : "Bonn", 1)),
    );
    expect(validatorOf(foldStory(...moves), "A").moves).toHaveLength(50);
  });

  it("is not changed by a failed look-up, by absence, or by another network of the same provider", () => {
    const absent: Partial<SnapshotEntry> = { locations: { state: "ok", value: [] } };
    const { moves, location } = shown(
      falkenstein,
      located({}),
      absent,
      place("Falkenstein", 213230),
    );
    expect(moves).toEqual([]);
    expect(location).toMatchObject({ city: "Falkenstein", dataCenter: "Hetzner", asn: 213230 });
  });

  it("is told in clean words, whatever the database holds", () => {
    const raw = { country: "Ger\u202emany", countryCode: "<b>", city: "Falken\u200bstein\u0000" };
    const organization = "x".repeat(80);
    expect(
      shown(located({ ...raw, asn: 64_500, asnOrganization: ` ${"\u2066x".repeat(200)} ` }))
        .location,
    ).toEqual({
      ...{ country: "Germany", countryCode: null, city: "Falkenstein" },
      ...{ asn: 64_500, asnOrganization: organization, dataCenter: organization },
    });
  });

  it("is none when nothing of it can be seen, and keeps the part that one look-up did not find", () => {
    expect(shown(located({ countryCode: "ZZ", city: "\u200b" })).location).toBeNull();
    const { location } = shown(falkenstein, located({ asn: 999_999, asnOrganization: "Some Org" }));
    expect(location).toMatchObject({ city: "Falkenstein", dataCenter: "Some Org" });
  });
});
