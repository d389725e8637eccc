import { encodePublicKey } from "../../generator/chain/public-key.ts";
import { createRandom } from "../../infra/demo/cluster/random.ts";
import { NOT_RECORDED, setStake, setU16 } from "../../generator/ledger/columns.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import type { EventRecord, Moment, ValidatorRecord } from "../../generator/ledger/records.ts";
import { DAY_MILLISECONDS, EPOCH_MILLISECONDS, KNOWN_VALIDATORS, SLOTS_PER_EPOCH } from "./planning-size.ts";

const random = createRandom("long past");

const EVENTS_PER_EPOCH = 3;
const EPOCHS_STAYED = 300;
const CHECKS_PER_DAY = 1440;

/** Made up, but as large as a real past. @param epochs before the first tracked one */
export function addLongPast(ledger: Ledger, epochs: number): void {
  const [begin] = ledger.epochs;
  if (begin === undefined) throw new Error("a ledger that tracks no epoch can be given no past");
  const listed = ledger.validators.length;
  for (let validatorIndex = listed; validatorIndex < KNOWN_VALIDATORS; validatorIndex += 1)
    addDeparted(ledger, validatorIndex, listed);
  const past = Array.from({ length: epochs }, (_, index) => begin.epoch - epochs + index);
  for (const [index, epoch] of past.entries()) {
    const end = toMoment(begin.last, begin.epoch - epoch);
    const firstSlot = begin.firstSlot - (begin.epoch - epoch) * SLOTS_PER_EPOCH;
    ledger.epochs.splice(index, 0, { epoch, firstSlot, slotsInEpoch: SLOTS_PER_EPOCH, last: end });
    for (const validatorIndex of presentIn(index, epochs, listed)) addEpoch(ledger, validatorIndex, epoch);
    addDays(ledger, presentIn(index, epochs, listed), Date.parse(end.time));
    for (let turn = 0; turn < EVENTS_PER_EPOCH; turn += 1) ledger.events.push(toEvent(end, turn, listed));
  }
  for (const validator of ledger.validators) validator.firstEpoch -= epochs;
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
  };
  ledger.validators.push(departed);
  ledger.validatorIndexes.set(vote, validatorIndex);
}

function presentIn(index: number, epochs: number, listed: number): number[] {
  const present: number[] = [];
  for (let validatorIndex = 0; validatorIndex < KNOWN_VALIDATORS; validatorIndex += 1) {
    const came = random.whole(epochs, "came", validatorIndex);
    if (validatorIndex < listed || (index >= came && index < came + EPOCHS_STAYED)) present.push(validatorIndex);
  }
  return present;
}

function addEpoch({ stakes, ranks, inflation, mev }: Ledger, validatorIndex: number, epoch: number): void {
  // Random, because regular amounts would compress to nothing.
  const moved = random.whole(1_000_000_000, "stake", validatorIndex, epoch);
  setStake(
    stakes,
    epoch,
    validatorIndex,
    10_000_000_000_000n + BigInt(validatorIndex) * 7_919_000_333n + BigInt(moved),
  );
  setU16(ranks, epoch, validatorIndex, (validatorIndex % 1000) + 1, NOT_RECORDED);
  setU16(inflation, epoch, validatorIndex, ((validatorIndex + Math.floor(epoch / 90)) % 11) * 100, NOT_RECORDED);
  setU16(mev, epoch, validatorIndex, ((validatorIndex + Math.floor(epoch / 120)) % 9) * 100, NOT_RECORDED);
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

function toEvent(end: Moment, turn: number, listed: number): EventRecord {
  const { time, slot, epoch } = end;
  return {
    id: Buffer.from(random.bytes("event", epoch, turn))
      .toString("hex")
      .slice(0, 24),
    validatorIndex: random.whole(listed, "event", epoch, turn),
    cost: null,
    mevCost: null,
    source: turn === 2 ? "MEV" : "COMMISSION",
    severity: turn === 0 ? "RUG" : "INFO",
    epoch,
    createdAt: time,
    slot: slot - 1000 * turn,
    previousSlot: slot - 1000 * turn - 150,
    previousSeenAt: time,
    from: 500,
    to: turn === 0 ? 10_000 : 600,
    seenEpoch: epoch,
    madeIn: { earliest: epoch, latest: epoch },
    seenIn: { earliest: epoch, latest: epoch },
    transaction: null,
    isSwept: false,
    replacedBy: null,
    effectiveEpoch: epoch,
    effectiveEpochLatest: epoch,
    effectiveEpochFinal: true,
    supersededBy: null,
    confirmed: true,
    confirmedBy: "account",
    confirmedAt: time,
  };
}

function toMoment(begin: Moment, epochsBefore: number): Moment {
  return {
    time: new Date(Date.parse(begin.time) - epochsBefore * EPOCH_MILLISECONDS).toISOString(),
    slot: begin.slot - epochsBefore * SLOTS_PER_EPOCH,
    epoch: begin.epoch - epochsBefore,
  };
}
