import { expect, test } from "vitest";
import { STANDING_RUGS_MAX } from "../../generator/contract/standing-rugs.ts";
import {
  EPOCH,
  ledgerOf,
  read,
  recordCommissions,
  recordStake,
  watchEnds,
  type EventFacts,
  type ValidatorFacts,
} from "./fixtures.ts";

type Rates = Parameters<typeof recordCommissions>[2];

interface Story {
  /** Newest first; paid long ago by default. */
  events: Partial<EventFacts>[];
  rates?: Rates;
  validators?: Partial<ValidatorFacts>[];
}

const NAMES = ["A", "B", "C"] as const;
const LONG_AGO = { epoch: EPOCH - 60, effectiveEpoch: EPOCH - 58, effectiveEpochLatest: EPOCH - 58 };
const COMING = { effectiveEpoch: EPOCH + 1, effectiveEpochLatest: EPOCH + 1 };
const FALL = { severity: "INFO", from: 10_000, to: 500 } as const;

function tell({ events, rates = {}, validators = [] }: Story) {
  const ledger = ledgerOf({
    validators: NAMES.map((name, at) => ({ name, activeStake: BigInt(10 ** (9 + at)), ...validators[at] })),
    events: events.map((facts, at) => ({ of: "A", ...LONG_AGO, id: `${at}`, slot: 1_000 - at, ...facts })),
  });
  recordCommissions(ledger, "A", rates);
  watchEnds(ledger, "A", [EPOCH - 2]);
  for (const epoch of [EPOCH - 2, EPOCH - 1, EPOCH]) recordStake(ledger, "A", { epoch, lamports: 1n });
  return read(ledger, "rugsPerEpoch", {}).meta.standing;
}

const tellWorst = (story: Story) =>
  tell(story).worst.map(
    ({ event, paid, appliedCommission }) =>
      `${event.validatorName} ${event.id} ${paid ? "paid" : "to come"} at ${appliedCommission ?? "?"} %`,
  );
const paying = (inflation: number): Rates => ({ [EPOCH - 61]: { inflation }, [EPOCH]: { inflation } });

test.each<[string, Story, string[]]>([
  ["a rise of 60 epochs ago that is paid stands", { events: [{}], rates: paying(10_000) }, ["A 0 paid at 100 %"]],
  ["where what is paid is not known, events decide", { events: [{}] }, ["A 0 paid at ? %"]],
  ["what is known to be paid is less", { events: [{}], rates: paying(500) }, []],
  ["who came down again is none", { events: [FALL, {}] }, []],
  ["who will come down still takes it", { events: [{ ...FALL, ...COMING }, {}] }, ["A 1 paid at ? %"]],
  ["a fall that nobody paid took nothing back", { events: [{ ...FALL, supersededBy: "x" }, {}] }, ["A 1 paid at ? %"]],
  [
    "it stands since the rise over 90 %, whatever came above",
    { events: [{ ...FALL, to: 9_200 }, { from: 9_500 }, { to: 9_500 }, { ...FALL }, {}] },
    ["A 2 paid at ? %"],
  ],
  ["a rise told by its steps is told by them", { events: [{ replacedBy: "step" }] }, []],
  ["what may be paid later is to come", { events: [{ ...COMING, effectiveEpoch: EPOCH }] }, ["A 0 to come at ? %"]],
  ["an announcement that is taken back is none", { events: [{ ...FALL, ...COMING }, COMING] }, []],
  ["of MEV too", { events: [{ source: "MEV" }], validators: [{ mev: 10_000 }] }, ["A 0 paid at ? %"]],
  ["unless its MEV rate is lower now", { events: [{ source: "MEV" }], validators: [{ mev: 800 }] }, []],
  ["or it takes no part in MEV", { events: [{ source: "MEV" }], validators: [{ mev: "disabled" }] }, []],
  ["who has no stake takes nothing", { events: [{}], validators: [{ activeStake: 0n }] }, []],
  ["who left is none", { events: [{}], validators: [{ listed: false }] }, []],
  ["who always took all betrayed nobody", { events: [], rates: paying(10_000) }, []],
  [
    "one row a validator, what is paid first, then the most stake",
    { events: [{ of: "C", ...COMING }, COMING, { source: "MEV" }, { of: "B" }] },
    ["B 3 paid at ? %", "A 2 paid at ? %", "C 0 to come at ? %"],
  ],
])("%s", (_, story, expected) => expect(tellWorst(story)).toEqual(expected));

test("all are counted, ten are told one by one", () => {
  const names = Array.from({ length: 14 }, (_, at) => `V${at}`);
  const ledger = ledgerOf({
    validators: names.map((name, at) => ({ name, activeStake: BigInt(at + 1) * 10n ** 9n })),
    events: names.map((of, at) => ({ of, ...(at < 2 ? COMING : LONG_AGO) })),
  });
  const { standing } = read(ledger, "rugsPerEpoch", {}).meta;
  expect(standing).toMatchObject({ validatorsPaid: 12, validatorsAnnounced: 2, activeStake: { sol: 102 } });
  expect(standing.worst.map(({ event }) => event.validatorName)).toEqual(
    names.toReversed().slice(0, STANDING_RUGS_MAX),
  );
});
