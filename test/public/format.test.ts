import { describe, expect, it } from "vitest";
import type { Epoch } from "../../generator/contract/epoch.ts";
import { VERIFIED } from "../../generator/contract/event.ts";
import { NETWORKS as CONTRACT_NETWORKS } from "../../generator/contract/networks.ts";
import { STATUS_SOURCES, type Status } from "../../generator/contract/status.ts";
import * as events from "../../public/format/events.ts";
import { toFreshness, toVerdict } from "../../public/format/freshness.ts";
import * as url from "../../public/format/url.ts";
import * as values from "../../public/format/values.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

describe("values for people", () => {
  it.each([
    ["0", "0"],
    ["1", "< 0.01"],
    ["9999999", "< 0.01"],
    ["10000000", "0.01"],
    ["1500000000", "1.50"],
    ["99994999999", "99.99"],
    ["100500000000", "101"],
    ["9999499999999", "9,999"],
    ["10000000000000", "10.0k"],
    ["901349999999999", "901.3k"],
    ["1000000000000000", "1.00M"],
    ["12345678000000000", "12.35M"],
    ["412345678901234567890", "412.35B"],
  ])("shorten %s lamports to %s", (lamports, text) =>
    expect(values.toShortSol(lamports)).toBe(text),
  );

  it.each([
    [
      "lamports exactly",
      "9,007,199,254,740,993.000000001",
      () => values.toExactSol("9007199254740993000000001"),
    ],
    [
      "no zeros at the end",
      "1,234.5 10",
      () => all(values.toExactSol, "1234500000000", "10000000000"),
    ],
    ["percentages", "7.5\u00a0% 100\u00a0% not known", () => all(values.toPercent, 7.5, 100, null)],
    [
      "MEV commissions",
      "8\u00a0% off not known",
      () =>
        all(
          values.toMevText,
          { mev: { mevCommission: 8 }, mevVendorEnabled: false },
          { mev: { mevCommission: null }, mevVendorEnabled: false },
          { mev: { mevCommission: null }, mevVendorEnabled: true },
        ),
    ],
    [
      "shares",
      "33.33\u00a0% 19.50\u00a0% 0.01\u00a0%",
      () => all(values.toSharePercent, 33.3333, 19.5, 0.005),
    ],
    [
      "sentences with percentages",
      "From 0\u00a0% to 7.5\u00a0%, in % of all",
      () => values.keepPercents("From 0 % to 7.5 %, in % of all"),
    ],
    ["small shares", "<\u00a00.01\u00a0% 0.00\u00a0%", () => all(values.toSharePercent, 0.0049, 0)],
    [
      "one and many",
      "1 event 1,200 events",
      () => all((count) => values.toCounted(count, "event"), 1, 1_200),
    ],
    ["odd plurals", "2 entities", () => values.toCounted(2, "entity", "entities")],
    ["small sizes", "0 bytes 1 byte 999 bytes", () => all(values.toSize, 0, 1, 999)],
    [
      "sizes",
      "1 kB 1.34 kB 68.3 kB 12 MB 5,000 GB",
      () => all(values.toSize, 1e3, 1_340, 68_323, 12e6, 5e12),
    ],
    ["no time before none", "0 s 12 s", () => all(values.toDuration, -5, 12.9 * SECOND)],
    ["minutes", "4 min 5 s 2 h", () => all(values.toDuration, 4 * MINUTE + 5 * SECOND, 2 * HOUR)],
    [
      "hours",
      "3 h 12 min 1 d 4 h",
      () => all(values.toDuration, 3 * HOUR + 12 * MINUTE, DAY + 4.9 * HOUR),
    ],
    ["what was just now", "just now just now", () => all(values.toAgo, -MINUTE, 59 * SECOND)],
    [
      "ages",
      "59 min ago 47 h ago 12 d ago",
      () => all(values.toAgo, 59 * MINUTE, 47 * HOUR, 12 * DAY),
    ],
    ["times", "2026-11-20 15:30 UTC", () => values.toUtc("2026-11-20T15:30:59.999Z")],
  ])("tell %s: %s", (_, text, tell) => expect(tell()).toBe(text));
});

function all<Value>(toText: (value: Value) => string, ...of: Value[]): string {
  return of.map(toText).join(" ");
}

describe("addresses", () => {
  it("leave out defaults and null, and encode what was typed", () => {
    expect(url.toAddress("/", { network: "mainnet", severity: null })).toBe("/");
    expect(url.toAddress("/validators", { network: "testnet", page: 2 })).toBe(
      "/validators?network=testnet&page=2",
    );
    expect(url.toAddress("/validators", { q: "a&b=ü#" })).toBe("/validators?q=a%26b%3D%C3%BC%23");
    expect(url.toValidatorAddress("../x", "alpenglow")).toBe(
      "/validators/..%2Fx?network=alpenglow",
    );
  });

  it("name every network of the API, or else the default one", () => {
    expect(url.NETWORKS).toEqual(CONTRACT_NETWORKS);
    expect(url.readNetwork({ network: "testnet" })).toBe("testnet");
    for (const network of ["", "TESTNET", "__proto__"])
      expect(url.readNetwork({ network })).toBe("mainnet");
    expect(url.readNetwork({})).toBe("mainnet");
  });

  it("are read with care: what is no choice and no number within its bounds is the default", () => {
    expect(["RUG", "rug"].map((text) => url.readChoice(text, ["RUG", "INFO"], "all"))).toEqual([
      "RUG",
      "all",
    ]);
    const bounds = { min: 1, max: 50, otherwise: 10 };
    expect(url.readWhole("50", bounds)).toBe(50);
    for (const text of [undefined, "", "0", "51", "-1", "1.5", "1e1", " 7", "9".repeat(400)])
      expect(url.readWhole(text, bounds)).toBe(10);
  });

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "//host",
    "ftp://host/x",
    "https://user:pass@host/",
    "",
    null,
  ])("from the chain are no link if they are %s", (text) =>
    expect(url.toWebAddress(text)).toBeNull(),
  );

  it("from the chain are links over http, and images only over https", () => {
    expect(url.toWebAddress("http://host/a b")).toBe("http://host/a%20b");
    expect(url.toWebAddress("http://host/icon.png", ["https:"])).toBeNull();
    expect(url.toWebAddress("https://host/icon.png", ["https:"])).toBe("https://host/icon.png");
  });

  const KEY = "Vote111111111111111111111111111111111111111";
  const SIGNATURE = "5".repeat(88);

  it("of an account are 32 bytes: what lost a letter in copying is no key", () => {
    expect([KEY, "1".repeat(32), "J".repeat(43)].map(url.isKey)).toEqual([true, true, true]);
    for (const text of [KEY.slice(1), "1".repeat(33), "z".repeat(44), `${KEY.slice(1)}0`, ""])
      expect(url.isKey(text), text).toBe(false);
  });

  it("in the explorer name the cluster, where the explorer knows it", () => {
    const explorer = "https://explorer.solana.com";
    expect(url.toExplorerAddress("tx", SIGNATURE, "mainnet")).toBe(`${explorer}/tx/${SIGNATURE}`);
    expect(url.toExplorerAddress("address", KEY, "testnet")).toBe(
      `${explorer}/address/${KEY}?cluster=testnet`,
    );
    expect(url.toExplorerAddress("tx", SIGNATURE, "alpenglow")).toBeNull();
  });

  it.each([
    "",
    "short",
    "../../evil",
    `${KEY}?x`,
    `${KEY}#`,
    "0".repeat(44),
    `${KEY}\n`,
    "5".repeat(89),
  ])("in the explorer are none for %j, which is no name of the chain", (name) =>
    expect(url.toExplorerAddress("tx", name, "mainnet")).toBeNull(),
  );
});

describe("a change", () => {
  const START = Date.parse("2026-11-20T00:00:00.000Z");
  const now = START + 4 * HOUR;
  const epoch = {
    epoch: 1_000,
    epochStartedAt: new Date(START).toISOString(),
    epochEndsAt: new Date(START + 10 * HOUR).toISOString(),
  } as Epoch;
  const unmeasured: Epoch = { ...epoch, epochStartedAt: null, epochEndsAt: null };
  const neither = { supersededBy: null, replacedBy: null };
  const paid = (effectiveEpoch: number | null, effectiveEpochLatest = effectiveEpoch) => ({
    effectiveEpoch,
    effectiveEpochLatest,
    ...neither,
  });

  it.each([
    [
      "since the running epoch",
      paid(1_000),
      epoch,
      { kind: "since", epochs: "epoch 1000", epochsAgo: 0 },
    ],
    [
      "since an earlier one",
      paid(997),
      epoch,
      { kind: "since", epochs: "epoch 997", epochsAgo: 3 },
    ],
    ["from the next epoch", paid(1_001), epoch, { kind: "from", inMilliseconds: 6 * HOUR }],
    [
      "after a whole epoch between",
      paid(1_002),
      epoch,
      { kind: "from", inMilliseconds: 16 * HOUR },
    ],
    [
      "at no time that is measured",
      paid(1_002),
      unmeasured,
      { kind: "from", inMilliseconds: null },
    ],
    ["who knows when", paid(null), epoch, { kind: "unknown" }],
    ["who knows when, without the epoch", paid(1_000), null, { kind: "unknown" }],
    [
      "from one or another",
      paid(1_001, 1_002),
      epoch,
      { epochs: "epoch 1001 or 1002", inMilliseconds: 6 * HOUR },
    ],
    ["perhaps already", paid(1_000, 1_001), epoch, { kind: "from", inMilliseconds: null }],
    ["since it is not certain when", paid(999, 1_000), epoch, { kind: "since", epochsAgo: null }],
    [
      "never, where another took it away",
      { ...paid(1_001), supersededBy: "b" },
      epoch,
      { kind: "never" },
    ],
    [
      "as its steps say",
      { ...paid(1_001), supersededBy: "b", replacedBy: "b" },
      epoch,
      { kind: "steps" },
    ],
  ])("is paid %s", (_, event, running, effect) =>
    expect(events.toEffect(event, running, now)).toMatchObject(effect),
  );

  it("may be paid from several epochs", () =>
    expect(events.toEpochs(paid(1_001, 1_004))).toBe("one of epochs 1001 to 1004"));

  it("tells what is off from what is not known", () => {
    const none = {
      fromCommission: null,
      toCommission: null,
      fromDisabled: false,
      toDisabled: false,
    };
    expect(events.toSides({ ...none, fromCommission: 5, toCommission: 100 })).toEqual([
      "5\u00a0%",
      "100\u00a0%",
    ]);
    expect(events.toSides({ ...none, fromDisabled: true, toCommission: 8 })).toEqual([
      "off",
      "8\u00a0%",
    ]);
    expect(events.toSides({ ...none, toDisabled: true })).toEqual(["not known", "off"]);
  });

  it("is a rise only where delegators pay more than they did", () =>
    expect([0.5, -5, null].map((delta) => events.isRise({ delta }))).toEqual([true, false, false]));

  it("has words for each way of being verified, and the API's for one to come", () => {
    const texts = VERIFIED.map(events.toProofText);
    expect(new Set(texts).size).toBe(VERIFIED.length);
    expect(texts.filter((text) => (VERIFIED as readonly string[]).includes(text))).toEqual([]);
    expect(events.toProofText("by two moons")).toBe("by two moons");
  });

  it("is swept where its transaction alone tells of it", () => {
    const transaction = {
      signature: "s",
      slot: 1,
      blockTime: null,
      signer: "k",
      verified: "signature",
      verifiedBy: "signature" as const,
      steps: [],
    };
    expect(events.isSwept({ transaction, previousSlot: null })).toBe(true);
    expect(events.isSwept({ transaction, previousSlot: 0 })).toBe(false);
    expect(events.isSwept({ transaction: null, previousSlot: null })).toBe(false);
  });

  it("tells every rate in between with its slot", () => {
    const step = (commission: number, slot: number) => ({ signature: "s", commission, slot });
    const steps = [step(100, 1_000), step(0.25, 1_002)];
    expect(events.toStepsText(5, steps)).toBe(
      "5\u00a0% → 100\u00a0% in slot 1,000 → 0.25\u00a0% in slot 1,002",
    );
    expect(events.toStepsText(null, [step(7, 1)])).toBe("not known → 7\u00a0% in slot 1");
  });
});

describe("the freshness of a network", () => {
  const SNAPSHOT = "2026-11-20T07:30:00.000Z";
  const after = (minutes: number) => Date.parse(SNAPSHOT) + minutes * MINUTE;
  type Source = Status["sources"][number];
  const facts = (
    states: Partial<Record<Source["name"], Source["state"]>>,
    snapshotAt: string | null = SNAPSHOT,
  ) => ({
    sources: STATUS_SOURCES.map((name) => ({
      name,
      state: states[name] ?? "ok",
      lastSuccessAt: null,
      reason: null,
    })),
    snapshotAt,
  });

  it.each([
    [SNAPSHOT, after(0), "fresh"],
    [SNAPSHOT, after(12), "fresh"],
    [SNAPSHOT, after(12.01), "late"],
    [SNAPSHOT, after(30), "late"],
    [SNAPSHOT, after(30.01), "old"],
    [null, after(0), "unknown"],
    [SNAPSHOT, null, "unknown"],
  ])("of a snapshot at %s, at %s, is %s", (at, now, freshness) =>
    expect(toFreshness(at, now)).toBe(freshness),
  );

  it.each([
    ["all is read, sources that it does not have aside", facts({ mev: "off" }), after(5), "ok"],
    ["sources fail", facts({ mev: "degraded", locations: "failed" }), after(5), "degraded"],
    ["a snapshot is overdue", facts({}), after(20), "degraded"],
    ["the snapshot is old", facts({}), after(31), "failed"],
    ["commissions cannot be read", facts({ votes: "degraded" }), after(1), "failed"],
    ["nothing was ever read", facts({}, null), after(1), "failed"],
    ["the time is not known", facts({}), null, "ok"],
  ])("while %s", (_, of, now, state) => expect(toVerdict(of, now).state).toBe(state));

  it("counts the sources that fail", () => {
    const two = facts({ mev: "degraded", locations: "failed" });
    expect(toVerdict(two, after(5)).sentence).toContain("2 of 9 sources have trouble");
    expect(toVerdict(facts({ mev: "degraded" }), after(5)).sentence).toContain(
      "1 of 9 sources has trouble",
    );
  });
});
