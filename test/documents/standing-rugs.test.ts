import { expect, test } from "vitest";
import { STANDING_RUGS_MAX } from "../../generator/contract/standing-rugs.ts";
import {
  EPOCH,
  ledgerOf,
  recordCommissions,
  recordOutside,
  recordStake,
  watchEnds,
  voteOf,
  type EventFacts,
  type ValidatorFacts,
} from "./fixtures.ts";
import { read } from "./read.ts";

type Rates = Parameters<typeof recordCommissions>[2];

interface Story {
  /** Newest first; by default paid long ago, an epoch apart. */
  events: Partial<EventFacts>[];
  rates?: Rates;
  /** By default A announces all. */
  validators?: Partial<ValidatorFacts>[];
}

const NAMES = ["A", "B", "C"] as const;
const ago = (epochs: number) => ({
  epoch: EPOCH - epochs,
  effectiveEpoch: EPOCH - epochs + 2,
  effectiveEpochLatest: EPOCH - epochs + 2,
});
const LONG_AGO = ago(60);
/** Of the epoch's tips. */
const MEV = {
  ...ago(20),
  source: "MEV",
  effectiveEpoch: EPOCH - 20,
  effectiveEpochLatest: EPOCH - 20,
} as const;
const COMING = { effectiveEpoch: EPOCH + 1, effectiveEpochLatest: EPOCH + 1 };
const ANNOUNCES_LITTLE = { commissionBasisPoints: 500 };
const FALL = { severity: "INFO", from: 10_000, to: 500 } as const;

function tell({ events, rates = {}, validators = [] }: Story) {
  const ledger = ledgerOf({
    validators: NAMES.map((name, at) => ({
      ...{ name, activeStake: BigInt(10 ** (9 + at)), commissionBasisPoints: 10_000 },
      ...validators[at],
    })),
    events: events.map((facts, at) => ({
      of: "A",
      ...ago(60 + at),
      id: `${at}`,
      slot: 1_000 - at,
      ...facts,
    })),
  });
  recordCommissions(ledger, "A", rates);
  watchEnds(ledger, "A", [EPOCH - 2]);
  for (const epoch of [EPOCH - 2, EPOCH - 1, EPOCH])
    recordStake(ledger, "A", { epoch, lamports: 1n });
  return read(ledger, "rugsPerEpoch", {}).meta.standing;
}

const tellWorst = (story: Story) =>
  tell(story).worst.map(
    ({ event, paid, appliedCommission }) =>
      `${event.validatorName} ${event.id} ${paid ? "paid" : "to come"} at ${appliedCommission ?? "?"} %`,
  );
const paying = (inflation: number): Rates => ({
  [EPOCH - 61]: { inflation },
  [EPOCH]: { inflation },
});

test.each<[string, Story, string[]]>([
  [
    "a rise of 60 epochs ago that is paid stands",
    { events: [{}], rates: paying(10_000) },
    ["A 0 paid at 100 %"],
  ],
  ["where what is paid is not known, events decide", { events: [{}] }, ["A 0 paid at ? %"]],
  ["what is known to be paid is less", { events: [{}], rates: paying(500) }, []],
  ["who came down again is none", { events: [FALL, {}], validators: [ANNOUNCES_LITTLE] }, []],
  [
    "who will come down still takes it",
    { events: [{ ...FALL, ...COMING }, {}], rates: paying(10_000), validators: [ANNOUNCES_LITTLE] },
    ["A 1 paid at 100 %"],
  ],
  [
    "a fall that nobody paid took nothing back",
    { events: [{ ...FALL, supersededBy: "x" }, {}] },
    ["A 1 paid at ? %"],
  ],
  [
    "it stands since the rise over 90 %, whatever came above",
    { events: [{ ...FALL, to: 9_200 }, { from: 9_500 }, { to: 9_500 }, { ...FALL }, {}] },
    ["A 2 paid at ? %"],
  ],
  ["a rise told by its steps is told by them", { events: [{ replacedBy: "step" }] }, []],
  [
    "what may be paid later is to come",
    { events: [{ ...COMING, effectiveEpoch: EPOCH }] },
    ["A 0 to come at ? %"],
  ],
  [
    "an announcement that is taken back is none",
    { events: [{ ...FALL, ...COMING }, COMING], validators: [ANNOUNCES_LITTLE] },
    [],
  ],
  [
    "of MEV too",
    { events: [MEV], validators: [{ ...ANNOUNCES_LITTLE, mev: 10_000 }] },
    ["A 0 paid at ? %"],
  ],
  ["unless its MEV rate is lower now", { events: [MEV], validators: [{ mev: 800 }] }, []],
  ["or it takes no part in MEV", { events: [MEV], validators: [{ mev: "disabled" }] }, []],
  [
    "or nothing else is bad of it, and the rise is long past",
    { events: [{ source: "MEV" }], validators: [{ ...ANNOUNCES_LITTLE, mev: 10_000 }] },
    [],
  ],
  ["who has no stake takes nothing", { events: [{}], validators: [{ activeStake: 0n }] }, []],
  ["who left is none", { events: [{}], validators: [{ listed: false }] }, []],
  ["who always took all betrayed nobody", { events: [], rates: paying(10_000) }, []],
  [
    "one row a validator, what is paid first, then the most stake",
    { events: [{ of: "C", ...COMING }, COMING, MEV, { of: "B" }] },
    ["B 3 paid at ? %", "A 2 paid at ? %", "C 0 to come at ? %"],
  ],
])("%s", (_, story, expected) => expect(tellWorst(story)).toEqual(expected));

test("who is in no validator set is paid nothing, and takes nothing now", () => {
  const ledger = ledgerOf({
    validators: [
      { name: "A", activeStake: 10n ** 15n, commissionBasisPoints: 10_000, inValidatorSet: false },
    ],
    events: [{ of: "A", ...ago(20) }],
    epochs: Array.from({ length: 30 }, (_, at) => EPOCH - 29 + at),
  });
  recordCommissions(ledger, "A", {
    [EPOCH - 21]: { inflation: 500 },
    [EPOCH - 20]: { inflation: 10_000 },
  });
  watchEnds(
    ledger,
    "A",
    Array.from({ length: 20 }, (_, at) => EPOCH - 20 + at),
  );
  const told = () => [
    read(ledger, "rugsPerEpoch", {}).meta.standing.validatorsPaid,
    ...read(ledger, "validator", { votePubkey: voteOf("A") }).data.verdict.reasons.map(
      ({ text }) => text,
    ),
  ];
  const raised = `It raised its inflation commission from 5 % to 100 % in epoch ${EPOCH - 20}; rewards paid 100 % in`;
  expect(told()).toEqual([
    1,
    `It takes 100 % of the rewards of epoch ${EPOCH}, as announced.`,
    `${raised} epochs ${EPOCH - 18} to ${EPOCH}.`,
  ]);
  for (let epoch = EPOCH - 5; epoch <= EPOCH; epoch += 1) recordOutside(ledger, "A", epoch);
  expect(told()).toEqual([
    0,
    `In epoch ${EPOCH} it announces an inflation commission of 100 %.`,
    `${raised} epochs ${EPOCH - 18} to ${EPOCH - 6}.`,
  ]);
});

test("all are counted, ten are told one by one", () => {
  const names = Array.from({ length: 14 }, (_, at) => `V${at}`);
  const ledger = ledgerOf({
    validators: names.map((name, at) => ({
      name,
      activeStake: BigInt(at + 1) * 10n ** 9n,
      commissionBasisPoints: 10_000,
    })),
    events: names.map((of, at) => ({ of, ...(at < 2 ? COMING : LONG_AGO) })),
  });
  const { standing } = read(ledger, "rugsPerEpoch", {}).meta;
  expect(standing).toMatchObject({
    validatorsPaid: 12,
    validatorsAnnounced: 2,
    activeStake: { sol: 102 },
  });
  expect(standing.worst.map(({ event }) => event.validatorName)).toEqual(
    names.toReversed().slice(0, STANDING_RUGS_MAX),
  );
});

test("each comes with what its newest epochs paid, as in the list", () => {
  const { worst } = tell({ events: [{}], rates: paying(10_000) });
  expect(worst.map(({ appliedCommissions }) => appliedCommissions.at(-1))).toEqual([100]);
});
