import { expect, test } from "vitest";
import { FEEDS } from "../../generator/contract/feed.ts";
import { toObjectKey } from "../../generator/contract/object-keys.ts";
import { OBJECTS, type ObjectReference } from "../../generator/contract/objects.ts";
import { allReferences, touchedReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import { createTouched, type Touched } from "../../generator/ledger/touched.ts";
import {
  EPOCH,
  ledgerOf,
  location,
  recordCommissions,
  recordDay,
  recordStake,
  voteOf,
} from "./fixtures.ts";
import { documentOf, readDocument } from "./read.ts";

const keyOf = ({ kind, names }: ObjectReference) => toObjectKey("mainnet", kind, names);

function fullLedger() {
  const ledger = ledgerOf({
    validators: [
      { name: "one", location: location(), clientId: 1, version: "4.2.1", mev: 800 },
      { name: "two", activeStake: 38_263_229_364_446_900n },
      {
        name: "left",
        listed: false,
        rank: 3,
        activeStake: 0n,
        delinquent: true,
        location: location({ city: null }),
      },
    ],
    events: [
      { of: "one" },
      {
        of: "left",
        source: "MEV",
        from: "disabled",
        to: 9500,
        severity: "CAUTION",
        createdAt: null,
        epoch: EPOCH - 1,
      },
    ],
  });
  recordCommissions(ledger, "one", {
    [EPOCH - 1]: { inflation: 500, mev: 800 },
    [EPOCH]: { inflation: 10_000, mev: "disabled" },
  });
  recordStake(ledger, "two", { epoch: EPOCH, lamports: 38_263_229_364_446_900n, rank: 1 });
  recordDay(ledger, "left", { date: "2026-11-19", checks: 1440, delinquent: 7 });
  return ledger;
}

test("every object that the journal brings about is rendered as its schema says, and no other", () => {
  const ledger = fullLedger();
  const renderer = createRenderer(ledger);
  const references = allReferences(ledger);
  for (const reference of references) {
    const bytes = renderer.render(reference);
    // Validators without events have no feed.
    if (
      bytes === null &&
      reference.kind.startsWith("validator") &&
      reference.kind.endsWith("Feed")
    ) {
      const { data } = documentOf(
        ledger,
        "validatorEvents",
        reference.names as { votePubkey: string },
      )!;
      expect(data.filter(({ createdAt }) => createdAt !== null)).toEqual([]);
      continue;
    }
    if (reference.kind === "location" && bytes === null) {
      const [{ location }] = ledger.validators.filter(
        ({ vote }) => vote === reference.names.votePubkey,
      ) as [(typeof ledger.validators)[number]];
      expect(location).toBeNull();
      continue;
    }
    if (bytes === null) throw new Error(`${keyOf(reference)} is not rendered`);
    expect(readDocument(reference.kind, bytes)).toBeDefined();
  }
  const kinds = new Set(references.map(({ kind }) => kind));
  expect([...kinds, "changeSegment", "status", "walletShard", "wallets"].sort()).toEqual(
    Object.keys(OBJECTS).sort(),
  );
  expect(new Set(references.map(keyOf)).size).toBe(references.length);
});

test("a network without data has its lists, empty, and nothing else", () => {
  const ledger = createLedger("testnet");
  const renderer = createRenderer(ledger);
  const rendered = allReferences(ledger).map((reference) => {
    const bytes = renderer.render(reference);
    return [reference.kind, bytes && readDocument(reference.kind, bytes)];
  });
  expect(Object.fromEntries(rendered)).toMatchObject({
    validators: { data: [], meta: { total: 0, totalPages: 0, snapshotAt: null } },
    events: { data: [], meta: { total: 0, latestEpoch: null } },
    rugsPerEpoch: {
      data: [],
      meta: {
        latestEpoch: null,
        total: 0,
        global: { averagePerEpoch: 0, peakEpoch: null },
        standing: { worst: [] },
      },
    },
    ...{ stakeConcentration: null, eventsCsv: null },
    index: { network: "testnet", epoch: null, latestEpoch: null, validators: [] },
  });
});

test("there is no object of an unknown validator, an unlocated one, an epoch not tracked, nor a status", () => {
  const { render } = createRenderer(ledgerOf({ validators: [{ name: "one" }] }));
  const votePubkey = voteOf("stranger");
  const histories = ["commissionHistory", "stakeHistory", "uptime"] as const;
  const kinds = [
    "validator",
    "validatorEvents",
    "validatorTransactions",
    ...histories,
    "location",
    "badge",
    "picture",
    "page",
  ] as const;
  expect(kinds.map((kind) => render({ kind, names: { votePubkey } }))).toEqual(
    kinds.map(() => null),
  );
  expect(render({ kind: "location", names: { votePubkey: voteOf("one") } })).toBeNull();
  expect(render({ kind: "epochEvents", names: { epoch: EPOCH - 2 } })).toBeNull();
  expect(render({ kind: "status", names: {} })).toBeNull();
});

test("equal ledgers give equal bytes, and rendering changes no ledger", () => {
  const [ledger, twin] = [fullLedger(), fullLedger()];
  const [first, second] = [createRenderer(ledger), createRenderer(twin)];
  const references = allReferences(ledger);
  const others = new Map(
    references.toReversed().map((reference) => [keyOf(reference), second.render(reference)]),
  );
  for (const reference of references)
    expect(first.render(reference)).toEqual(others.get(keyOf(reference)));
  expect(ledger).toEqual(fullLedger());
});

test("what was touched names its objects, and no others", () => {
  const touched = createTouched();
  touched.profiles.add(2).add(0);
  touched.uptime.add(1);
  touched.epochs.add(EPOCH).add(EPOCH - 1);
  touched.pointsSince = EPOCH - 1;
  const keys = touchedReferences(fullLedger(), touched).map((one) =>
    keyOf(one).replace("api/v1/mainnet/", ""),
  );
  const shareOf = (name: string) => [
    `badges/mainnet/${voteOf(name)}.svg`,
    `badges/mainnet/${voteOf(name)}.png`,
    `pages/mainnet/${voteOf(name)}.html`,
  ];
  const [one, two, left] = ["one", "two", "left"].map((name) => `validators/${voteOf(name)}`);
  expect(keys.sort()).toEqual(
    [
      ...[`${one}.json`, `${one}/location.json`, ...shareOf("one"), `${two}/uptime.json`],
      ...[`${left}.json`, `${left}/location.json`, ...shareOf("left")],
      ...[`epochs/${EPOCH - 1}/events.json`, `epochs/${EPOCH}/events.json`],
      ...["csv", "parquet"].map((form) => `exports/mainnet/history/${EPOCH - 1}.${form}`),
      ...["events", "costs", "rugs", "validators", "locations", "epochs"].flatMap((table) =>
        ["csv", "parquet"].map((form) => `exports/mainnet/${table}.${form}`),
      ),
      "exports.json",
      ...[
        "validators.json",
        "events.json",
        "epochs.json",
        "stats/rugs-per-epoch.json",
        "stats/stake-concentration.json",
      ],
      ...["pages/mainnet/sitemap.xml", "index.json"],
    ].sort(),
  );
});

type Part = Exclude<keyof Touched, "pointsSince" | "isTimeTouched">;
const OF_ONE = (...kinds: ObjectReference["kind"][]) =>
  kinds.map((kind) => `${kind} {"votePubkey":"${voteOf("one")}"}`);
const LISTS = [
  ...["validators", "events", "rugsPerEpoch", "stakeConcentration", "sitemap", "index"],
  ...["exports", "rugsCsv", "rugsParquet", "validatorsCsv", "validatorsParquet"],
];
const LOCATIONS = ["locationsCsv {}", "locationsParquet {}"];
const EPOCHS = ["epochs {}", "epochsCsv {}", "epochsParquet {}"];
const COSTS = ["costsCsv {}", "costsParquet {}"];
const FEEDS_OF_ALL = FEEDS.flatMap((feed) =>
  ["atomFeed", "jsonFeed"].map((kind) => `${kind} {"feed":"${feed}"}`),
);

test.each<[Part, unknown, string[]]>([
  ["profiles", 0, [...OF_ONE("validator", "location", "badge", "picture", "page"), ...LOCATIONS]],
  [
    "histories",
    0,
    [
      ...OF_ONE("validator", "commissionHistory", "stakeHistory", "badge", "picture", "page"),
      ...EPOCHS,
      ...LOCATIONS,
    ],
  ],
  ["uptime", 0, OF_ONE("uptime")],
  [
    "events",
    0,
    [
      ...OF_ONE("validator", "validatorEvents", "validatorTransactions", "commissionHistory"),
      ...OF_ONE("validatorAtomFeed", "validatorJsonFeed", "badge", "picture", "page"),
      `epochEvents {"epoch":${EPOCH}}`,
      ...FEEDS_OF_ALL,
    ],
  ],
  [
    "costs",
    0,
    [
      ...OF_ONE("validator", "validatorEvents", "badge", "picture", "page"),
      `epochEvents {"epoch":${EPOCH}}`,
      ...COSTS,
    ],
  ],
  ["epochs", EPOCH, [`epochEvents {"epoch":${EPOCH}}`, ...EPOCHS, ...LOCATIONS]],
  ["months", "2026-11", ['uptimeCsv {"month":"2026-11"}', 'uptimeParquet {"month":"2026-11"}']],
])(
  "what touches the %s of %s names what shows them, the lists, and nothing else",
  (part, touching, shown) => {
    const touched = { ...createTouched(), [part]: new Set([touching]) };
    const told = touchedReferences(fullLedger(), touched).map(
      ({ kind, names }) => `${kind} ${JSON.stringify(names)}`,
    );
    expect(told.sort()).toEqual([...shown, ...LISTS.map((kind) => `${kind} {}`)].sort());
  },
);
