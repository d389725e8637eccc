import { describe, expect, it } from "vitest";
import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import { crowd, keyOf, snapshot, tell, timeAt, validatorOf, type Fact } from "./story.ts";

const facts = [...crowd(4), { name: "A" }];
const identity = keyOf("identity of A");

describe("software and names", () => {
  const nodes = (version: string | null, clientId: number | string | null): Partial<SnapshotEntry> => ({
    nodes: { state: "ok", value: [{ identity, version, clientId, ip: null }] },
  });

  it("are never replaced by what is malformed or missing", () => {
    const told = tell(
      snapshot(0, facts, nodes("4.2.1", 3)),
      snapshot(10, facts, nodes("broken", null)),
      snapshot(20, facts, { nodes: { state: "ok", value: [] } }),
    );
    expect(validatorOf(told, "A")).toMatchObject({ version: "4.2.1", clientId: 3, updatedAt: timeAt(0) });
  });

  it("do not change when another endpoint renders the same differently", () => {
    const told = tell(
      snapshot(0, facts, nodes("4.2.0-rc.2", "Rakurai")),
      snapshot(10, facts, nodes("4.16386.2", "Unknown(8)")),
      snapshot(20, facts, nodes("4.2.0-rc.2 (src:0a1b2c3d; feat:1, client:Rakurai)", 8)),
    );
    expect(validatorOf(told, "A")).toMatchObject({ version: "4.2.0-rc.2", clientId: 8, updatedAt: timeAt(0) });
  });

  it("change with the number, also to one that nobody registered", () => {
    const told = tell(snapshot(0, facts, nodes("4.2.1", "Agave")), snapshot(10, facts, nodes("4.2.1", "Unknown(86)")));
    expect(validatorOf(told, "A")).toMatchObject({ clientId: 86, updatedAt: timeAt(10) });
  });

  it("of an identity that two vote accounts share are those of both", () => {
    const sharing = [...crowd(4), { name: "A" }, { name: "B", identity: "A" }];
    const told = tell(snapshot(0, sharing, nodes("4.2.1", "JitoLabs")));
    expect(validatorOf(told, "A")).toMatchObject({ version: "4.2.1", clientId: 1, identity });
    expect(validatorOf(told, "B")).toMatchObject({ version: "4.2.1", clientId: 1, identity });
  });

  it("belong to the identity, not to the vote account", () => {
    const info: SnapshotEntry["info"] = {
      state: "ok",
      value: [
        {
          identity,
          account: keyOf("info"),
          name: "Alpha",
          website: "http://alpha.example",
          iconUrl: "http://alpha.example/i.png",
        },
      ],
    };
    const named = tell(snapshot(0, facts, { info }));
    expect(validatorOf(named, "A")).toMatchObject({ name: "Alpha", website: "http://alpha.example/", iconUrl: null });
    const moved = [...crowd(4), { name: "A", identity: "another" }];
    const renamed = tell(snapshot(0, facts, { info }), snapshot(10, moved, { info }));
    expect(validatorOf(renamed, "A")).toMatchObject({ name: null, identity: keyOf("identity of another") });
  });
});

describe("a vote account without a row", () => {
  it("keeps its name while it is missed, and after it left", () => {
    const info: SnapshotEntry["info"] = {
      state: "ok",
      value: [{ identity, account: keyOf("info"), name: "Alpha", website: null, iconUrl: null }],
    };
    const none: Partial<SnapshotEntry> = { info: { state: "ok", value: [] }, absent: [keyOf("A")] };
    const missed = tell(snapshot(0, facts, { info }), snapshot(10, crowd(4), none));
    expect(validatorOf(missed, "A")).toMatchObject({ name: "Alpha", listed: true });
    const left = tell(snapshot(0, facts, { info }), snapshot(10, crowd(4), none), snapshot(20, crowd(4), none));
    expect(validatorOf(left, "A")).toMatchObject({ name: "Alpha", listed: false });
  });
});

describe("a list of vote accounts with rows that cannot be read", () => {
  const unreadable = (minute: number, list: Fact[], unreadableRows: number) => ({
    ...snapshot(minute, list),
    unreadableRows,
  });

  it("tells of the others, and is said to be degraded until all can be read again", () => {
    const reason = "1 rows of the list of vote accounts could not be read";
    const told = tell(snapshot(0, facts), unreadable(10, crowd(4), 1));
    expect(validatorOf(told, "A")).toMatchObject({ listed: true, missedSnapshots: 0, commissionBasisPoints: 500 });
    expect(told.ledger.sources.votes).toEqual({ state: "degraded", lastSuccessAt: timeAt(10), reason });
    const again = tell(snapshot(0, facts), unreadable(10, crowd(4), 1), snapshot(20, facts));
    expect(again.ledger.sources.votes).toEqual({ state: "ok", lastSuccessAt: timeAt(20), reason: null });
  });

  it("is refused when too few others are left", () => {
    const told = tell(snapshot(0, facts), unreadable(10, crowd(3), 2));
    expect(told.outcomes.map(({ accepted }) => accepted)).toEqual([true, false]);
  });
});

describe("a location", () => {
  const place = (city: string | null, asn: number | null): Partial<SnapshotEntry> => ({
    locations: {
      state: "ok",
      value: [
        {
          identity,
          country: city && "Germany",
          countryCode: city && "DE",
          city,
          asn,
          asnOrganization: asn ? "Some Org" : null,
        },
      ],
    },
  });

  it("is no move at first, and a move when city or provider change", () => {
    const told = tell(snapshot(0, facts, place("Falkenstein", 24940)), snapshot(10, facts, place("Frankfurt", 16276)));
    expect(validatorOf(told, "A").moves).toMatchObject([
      {
        at: timeAt(10),
        from: { city: "Falkenstein", dataCenter: "Hetzner" },
        to: { city: "Frankfurt", dataCenter: "OVH" },
      },
    ]);
  });

  it("is not changed by a failed look-up, by absence, or by another network of the same provider", () => {
    const told = tell(
      snapshot(0, facts, place("Falkenstein", 24940)),
      snapshot(10, facts, place(null, null)),
      snapshot(20, facts, { locations: { state: "ok", value: [] } }),
      snapshot(30, facts, place("Falkenstein", 213230)),
    );
    expect(validatorOf(told, "A").moves).toEqual([]);
    expect(validatorOf(told, "A").location).toMatchObject({ city: "Falkenstein", dataCenter: "Hetzner", asn: 213230 });
  });

  it("is told in clean words, whatever the database holds", () => {
    const row = {
      identity,
      country: "Ger\u202emany",
      countryCode: "<b>",
      city: "Falken\u200bstein\u0000",
      asn: 64_500,
      asnOrganization: ` ${"\u2066x".repeat(200)} `,
    };
    const told = tell(snapshot(0, facts, { locations: { state: "ok", value: [row] } }));
    const organization = "x".repeat(80);
    expect(validatorOf(told, "A").location).toEqual({
      country: "Germany",
      countryCode: null,
      city: "Falkenstein",
      asn: 64_500,
      asnOrganization: organization,
      dataCenter: organization,
    });
  });

  it("is none when nothing of it can be seen", () => {
    const row = { identity, country: null, countryCode: "ZZ", city: "\u200b", asn: null, asnOrganization: null };
    const told = tell(snapshot(0, facts, { locations: { state: "ok", value: [row] } }));
    expect(validatorOf(told, "A").location).toBeNull();
  });

  it("keeps the part that one look-up did not find", () => {
    const told = tell(snapshot(0, facts, place("Falkenstein", 24940)), snapshot(10, facts, place(null, 999_999)));
    expect(validatorOf(told, "A").location).toMatchObject({ city: "Falkenstein", dataCenter: "Some Org" });
  });
});
