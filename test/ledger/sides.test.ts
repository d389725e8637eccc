import { describe, expect, it } from "vitest";
import type { SnapshotEntry } from "../../generator/ledger/entry.ts";
import { measureSlotMilliseconds } from "../../generator/ledger/epochs.ts";
import { toName, toUrl } from "../../generator/ledger/text.ts";
import { check, crowd, FIRST_EPOCH, keyOf, snapshot, tell, timeAt, validatorOf } from "./story.ts";

const facts = [...crowd(4), { name: "A" }];
const identity = keyOf("identity of A");

describe("hostile text", () => {
  it.each([
    ["Plain Name", "Plain Name"],
    ["  spaced  ", "spaced"],
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["evil\u202etxt.exe", "eviltxt.exe"],
    ["zero\u200bwidth\ufeff", "zerowidth"],
    ["line\nbreak\u0000\u0085", "linebreak"],
    ["e\u0301", "é"],
    ["\u2066\u2069\u200d", null],
    ["", null],
    [null, null],
    ["🙂".repeat(100), "🙂".repeat(80)],
    ["half \ud800 pair", "half  pair"],
  ])("%j is named %j", (raw, name) => {
    expect(toName(raw)).toBe(name);
  });

  it.each([
    ["https://example.org/icon.png", "https://example.org/icon.png"],
    ["http://example.org/icon.png", null],
    ["javascript:alert(1)", null],
    ["data:image/png;base64,AAAA", null],
    ["https://user:secret@example.org/", null],
    [`https://example.org/${"a".repeat(300)}`, null],
    ["//example.org", null],
    ["", null],
  ])("an icon at %j is %j", (raw, url) => {
    expect(toUrl(raw, ["https:"])).toBe(url);
  });

  it("lets a website be http", () => {
    expect(toUrl("http://example.org", ["https:", "http:"])).toBe("http://example.org/");
  });
});

describe("software and names", () => {
  const nodes = (version: string | null, clientId: number | null): Partial<SnapshotEntry> => ({
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

  it("keeps the part that one look-up did not find", () => {
    const told = tell(snapshot(0, facts, place("Falkenstein", 24940)), snapshot(10, facts, place(null, 999_999)));
    expect(validatorOf(told, "A").location).toMatchObject({ city: "Falkenstein", dataCenter: "Some Org" });
  });
});

describe("performance", () => {
  const produced = (slots: number, blocks: number): Partial<SnapshotEntry> => ({
    production: { state: "ok", value: { rows: [[identity, slots, blocks]] } },
  });
  const earning = (credits: bigint) => [
    ...crowd(4),
    { name: "A", credits: [[FIRST_EPOCH, 1000n + credits, 1000n]] as [number, bigint, bigint][] },
  ];

  it("is shown as of the last full hour, the first reading at once", () => {
    const early = tell(snapshot(0, earning(5n), produced(4, 4)), snapshot(10, earning(50n), produced(8, 6)));
    expect(validatorOf(early, "A").performanceOfHour).toMatchObject({ voteCredits: 5n, leaderSlots: 4 });
    const later = tell(
      snapshot(0, earning(5n), produced(4, 4)),
      snapshot(10, earning(50n), produced(8, 6)),
      check(60, facts),
    );
    expect(validatorOf(later, "A").performanceOfHour).toMatchObject({
      voteCredits: 50n,
      leaderSlots: 8,
      blocksProduced: 6,
      asOf: timeAt(10),
    });
  });

  it("takes the newer unit where an epoch has two rows", () => {
    const migrating = [
      ...crowd(4),
      {
        name: "A",
        credits: [
          [FIRST_EPOCH, 1002n, 1000n],
          [FIRST_EPOCH, 52_000_001_002n, 1002n],
        ] as [number, bigint, bigint][],
      },
    ];
    const told = tell(snapshot(0, migrating, { creditsUnit: "lamports" }));
    expect(validatorOf(told, "A").performance).toMatchObject({ voteCredits: 52_000_000_000n, unit: "lamports" });
  });
});

describe("slot time", () => {
  it("is measured between snapshots, over the last hour", () => {
    const told = tell(snapshot(0, facts), snapshot(10, facts), snapshot(100, facts), snapshot(110, facts));
    expect(told.ledger.slotTimeAnchors.map(({ time }) => time)).toEqual([timeAt(100), timeAt(110)]);
    expect(measureSlotMilliseconds(told.ledger.slotTimeAnchors)).toBe(200);
  });

  it("is not known from a single reading", () => {
    expect(measureSlotMilliseconds(tell(snapshot(0, facts)).ledger.slotTimeAnchors)).toBeNull();
  });
});
