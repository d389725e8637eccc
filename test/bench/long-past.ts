import { encodePublicKey } from "../../generator/chain/public-key.ts";
import { createRandom } from "../cluster/random.ts";
import { NOT_RECORDED, setStake, setU16 } from "../../generator/ledger/columns.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import { createRates } from "../../generator/ledger/rates/timeline.ts";
import { createTouched } from "../../generator/ledger/touched.ts";
import { createTips } from "../../generator/ledger/tips/timeline.ts";
import type { Moment, ValidatorRecord } from "../../generator/ledger/records.ts";
import { updateEvents } from "../../generator/service/projection/update-events.ts";
import {
  DAY_MILLISECONDS,
  EPOCH_MILLISECONDS,
  KNOWN_VALIDATORS,
  SLOTS_PER_EPOCH,
} from "./planning-size.ts";

const random = createRandom("long past");

/** Between two changes of a validator: about three an epoch. */
const EPOCHS_OF_RATE = 430;
const EPOCHS_STAYED = 300;
const CHECKS_PER_DAY = 1440;

/** Made up, but as large as a real past. @param epochs before the first tracked one */
export function addLongPast(ledger: Ledger, epochs: number): void {
  const [begin] = ledger.epochs;
  if (begin === undefined) throw new Error("a ledger that tracks no epoch can be given no past");
  const listed = ledger.validators.length;
  for (let validatorIndex = listed; validatorIndex < KNOWN_VALIDATORS; validatorIndex += 1)
    addDeparted(ledger, validatorIndex, listed);
  const present = ledger.validators.map(({ rates, tips }) => ({
    rates: rates.runs,
    tips: tips.runs,
  }));
  for (const { rates, tips } of ledger.validators) [rates.runs, tips.runs] = [[], []];
  const past = Array.from({ length: epochs }, (_, index) => begin.epoch - epochs + index);
  for (const [index, epoch] of past.entries()) {
    const end = toMoment(begin.last, begin.epoch - epoch);
    const firstSlot = begin.firstSlot - (begin.epoch - epoch) * SLOTS_PER_EPOCH;
    const observed = { first: end, last: end };
    const record = { epoch, firstSlot, slotsInEpoch: SLOTS_PER_EPOCH, ...observed };
    ledger.epochs.splice(index, 0, record);
    for (const validatorIndex of presentIn(index, epochs, listed))
      addEpoch(ledger, validatorIndex, end);
    addDays(ledger, presentIn(index, epochs, listed), Date.parse(end.time));
  }
  for (const [validatorIndex, validator] of ledger.validators.entries()) {
    validator.firstEpoch -= epochs;
    validator.rates.runs.push(...(present[validatorIndex]?.rates ?? []));
    validator.tips.runs.push(...(present[validatorIndex]?.tips ?? []));
  }
  updateEvents(
    { ledger, touched: { ...createTouched(), events: new Set(ledger.validators.keys()) } },
    begin.last.time,
  );
}

function addDeparted(ledger: Ledger, validatorIndex: number, listed: number): void {
  const like = ledger.validators[validatorIndex % listed];
  if (like === undefined) throw new Error("nobody is listed");
  const vote = encodePublicKey(random.bytes("departed", validatorIndex));
  const departed: ValidatorRecord = {
    ...structuredClone(like),
    vote,
    listed: false,
    inValidatorSet: false,
    activeStake: 0n,
    delinquent: true,
    delinquentSince: like.seen.time,
    missedSnapshots: 2,
    rates: createRates(),
    tips: createTips(),
  };
  ledger.validators.push(departed);
  ledger.validatorIndexes.set(vote, validatorIndex);
}

function presentIn(index: number, epochs: number, listed: number): number[] {
  const present: number[] = [];
  for (let validatorIndex = 0; validatorIndex < KNOWN_VALIDATORS; validatorIndex += 1) {
    const came = random.whole(epochs, "came", validatorIndex);
    if (validatorIndex < listed || (index >= came && index < came + EPOCHS_STAYED))
      present.push(validatorIndex);
  }
  return present;
}

function addEpoch(
  { stakes, ranks, validators }: Ledger,
  validatorIndex: number,
  end: Moment,
): void {
  const { epoch } = end;
  // Random, because regular amounts would compress to nothing.
  const moved = random.whole(1_000_000_000, "stake", validatorIndex, epoch);
  setStake(
    stakes,
    epoch,
    validatorIndex,
    10_000_000_000_000n + BigInt(validatorIndex) * 7_919_000_333n + BigInt(moved),
  );
  setU16(ranks, epoch, validatorIndex, (validatorIndex % 1000) + 1, NOT_RECORDED);
  const validator = validators[validatorIndex];
  if (validator === undefined) return;
  const turn = Math.floor((epoch + validatorIndex) / EPOCHS_OF_RATE);
  addRate(validator, ((validatorIndex + turn) % 11) * 100, end);
  addTip(validator, ((validatorIndex + turn) % 9) * 100, end);
}

function addRate({ rates: { runs } }: ValidatorRecord, basisPoints: number, end: Moment): void {
  const last = runs.at(-1);
  if (last?.basisPoints === basisPoints) Object.assign(last, { until: end, lastEpoch: end.epoch });
  else {
    const believed = last === undefined ? null : { at: end.time, by: "witnesses" as const };
    runs.push({ basisPoints, exact: true, from: end, until: end, lastEpoch: end.epoch, believed });
  }
}

function addTip({ tips: { runs } }: ValidatorRecord, rate: number, end: Moment): void {
  const last = runs.at(-1);
  if (last?.rate === rate) Object.assign(last, { until: end.epoch, learned: end });
  else {
    const believed =
      last?.learned == null
        ? null
        : { at: end.time, by: "witnesses" as const, previous: last.learned, from: last.rate };
    runs.push({ rate, from: end.epoch, until: end.epoch, first: end, learned: end, believed });
  }
}

function addDays({ uptime }: Ledger, validatorIndexes: number[], endsAt: number): void {
  for (let time = endsAt - EPOCH_MILLISECONDS; time < endsAt; time += DAY_MILLISECONDS) {
    const day = new Date(time).toISOString().slice(0, "YYYY-MM-DD".length);
    for (const validatorIndex of validatorIndexes) {
      setU16(uptime.checks, day, validatorIndex, CHECKS_PER_DAY, 0);
      setU16(uptime.delinquentChecks, day, validatorIndex, validatorIndex % 17 === 0 ? 12 : 0, 0);
    }
  }
}

function toMoment(begin: Moment, epochsBefore: number): Moment {
  return {
    time: new Date(Date.parse(begin.time) - epochsBefore * EPOCH_MILLISECONDS).toISOString(),
    slot: begin.slot - epochsBefore * SLOTS_PER_EPOCH,
    epoch: begin.epoch - epochsBefore,
  };
}
