import { isPublicKey } from "../chain/public-key.ts";
import { toSubjectText } from "../ledger/rulings.ts";
import type { ConfirmedBy } from "../contract/event.ts";
import type { Network } from "../contract/networks.ts";
import { toPercent } from "../contract/numbers.ts";
import { toPlainLine, toReason, toVisibleJson } from "../contract/strangers-text.ts";
import type { MevState } from "../ledger/records.ts";
import {
  type Explanation,
  explain,
  explainPaid,
  type PaidExplanation,
} from "../service/explain.ts";
import type { Evidence, Role } from "../service/explain/evidence.ts";
import type { Reading } from "../service/explain/readings.ts";
import type { ExplainedEvent } from "../service/explain/event.ts";
import { describePaid, toPaidBlocks } from "./explain/paid-text.ts";
import { toTransactionBlocks } from "./explain/transaction-text.ts";
import { readSettings } from "../settings/settings.ts";
import { clock, signal, logProgress, type Flags } from "./command.ts";

/** @param subject an event's id, or the first digits of it, or a vote account */
export async function explainCommand(
  subject: string,
  { network, json }: Flags & { network: Network },
): Promise<void> {
  const options = {
    settings: readSettings(),
    network,
    now: clock.now,
    onProgress: logProgress,
    signal,
  };
  if (isPublicKey(subject)) {
    const explanation = await explainPaid({ ...options, votePubkey: subject });
    print(json ? toJsonLine(explanation) : describePaid(explanation));
  } else {
    const explanation = await explain({ ...options, event: subject });
    print(json ? toJsonLine(explanation) : describeExplanation(explanation));
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** `--json` has all. */
const BETWEEN_MOST = 6;

const ROLES: Record<Role, string> = {
  before: "last with the old value",
  between: "in between, decided nothing",
  first: "first with the new value",
  second: "confirmed it",
  history: "public history",
  ruling: "ruling",
};

const CONFIRMATIONS: Record<ConfirmedBy, string> = {
  transaction: "the transaction that made it",
  witnesses: "a majority of the witnesses",
  account: "the vote account, or the tip account, itself, at one endpoint",
  observations: "further observations",
};

const PARTS: Record<Reading["of"], string> = {
  votes: "list of vote accounts",
  account: "vote account itself",
  tips: "tip account on chain",
  history: "point of the history",
};

const LACKS: Record<Reading["of"], string> = {
  votes: "no row of it",
  account: "there is none",
  tips: "there is none",
  history: "no row of it",
};

const SIDES: Record<Reading["shows"], string> = {
  old: "the old value",
  new: "the new value",
  either: "a percent that can be both",
  another: "another value",
  nothing: "no value",
};

/** The explanation as text for a terminal. */
export function describeExplanation(explanation: Explanation): string {
  const { event, evidence, unreadable } = explanation;
  const between = evidence.filter(({ role }) => role === "between");
  const left = new Set(between.slice(BETWEEN_MOST));
  const blocks = evidence.filter((piece) => !left.has(piece)).map((piece) => toBlock(piece, event));
  const notes = [
    ...(left.size === 0
      ? []
      : [`${left.size} more in between that decided nothing: --json has them`]),
    ...unreadable.map((one) => toPlainLine(`cannot be read: ${one.name}: ${one.unreadable}`)),
  ];
  return [
    toHead(event),
    ...blocks,
    ...toTransactionBlocks(event, explanation),
    ...toPaidBlocks(explanation.paid),
    ...(notes.length === 0 ? [] : [notes.join("\n")]),
  ].join("\n\n");
}

function toHead(event: ExplainedEvent): string {
  const { epoch, previousSlot, slot, ruling } = event;
  const seen =
    previousSlot === null ? `at slot ${slot}` : `between the slots ${previousSlot} and ${slot}`;
  const state =
    ruling === null
      ? "stands"
      : `${ruling.verdict === "ignore" ? "taken back" : "stands, by a ruling"} since ${ruling.ruledAt}: ${ruling.reason}`;
  return [
    toTitle(event),
    `  event      ${event.id}`,
    `  validator  ${event.votePubkey}${event.validatorName === null ? "" : ` (${event.validatorName})`}`,
    `  when       epoch ${epoch}, ${seen}; ${toEffect(event)}`,
    `  seen       ${toSeen(event)}`,
    `  record     ${state}`,
  ].join("\n");
}

function toSeen({
  confirmed,
  confirmedBy,
  isSwept,
  createdAt,
  confirmedAt,
}: ExplainedEvent): string {
  if (!confirmed) return "by nobody: worked out from a public history";
  if (isSwept)
    return `by nobody: its transaction shows it, read ${createdAt ?? "over two epochs later"}`;
  return `${createdAt ?? ""}, confirmed ${confirmedAt ?? ""}, by ${CONFIRMATIONS[confirmedBy ?? "observations"]}`;
}

function toEffect({
  effectiveEpoch: first,
  effectiveEpochLatest: last,
  effectiveEpochFinal,
  supersededBy,
  replacedBy,
}: ExplainedEvent): string {
  if (replacedBy !== null) return `shown by its steps, of which event ${replacedBy} is the last`;
  if (supersededBy !== null)
    return `never paid, event ${supersededBy} took it away in the same epoch`;
  const epochs = first === last ? `epoch ${first}` : `an epoch from ${first} to ${last}`;
  return `pays from ${epochs}${effectiveEpochFinal ? "" : ", provisionally"}`;
}

/** What happened, in one line: `RUG of inflation commission: 5 % → 100 %`. */
export function toTitle({ severity, source, from, to }: ExplainedEvent): string {
  const kind = source === "MEV" ? "MEV" : "inflation";
  return `${severity} of ${kind} commission: ${toValue(from)} → ${toValue(to)}`;
}

function toValue(value: MevState): string {
  if (value === null) return "not known";
  return value === "disabled" ? "disabled" : `${toPercent(value)} %`;
}

function toBlock(piece: Evidence, { confirmedAt }: ExplainedEvent): string {
  // A majority decides in one observation.
  const isBoth = piece.role === "first" && piece.time === confirmedAt;
  const where = [
    piece.time,
    ...(piece.slot === null ? [] : [`slot ${piece.slot}`]),
    ...(piece.epoch === null ? [] : [`epoch ${piece.epoch}`]),
    ...(piece.endpoint === null ? [] : [toPlainLine(piece.endpoint)]),
  ];
  return [
    `${ROLES[piece.role]}${isBoth ? ", and confirmed" : ""}  ${piece.name}`,
    `  ${where.join("  ")}`,
    ...piece.readings.map((reading) => `  ${toReadingLine(reading)}`),
    ...(piece.role === "before" && piece.readings.length === 0
      ? ["  nothing of it: the end of its epoch"]
      : []),
    ...(piece.refused === null ? [] : [`  does not count: ${toPlainLine(piece.refused)}`]),
    ...(piece.ruling === null ? [] : [`  ${toRulingLine(piece.ruling)}`]),
  ].join("\n");
}

function toReadingLine({ of, by, row, shows }: Reading): string {
  if (by !== null && "reason" in by)
    return `${by.endpoint}: no answer: ${toReason(by.reason) ?? ""}`;
  const who = by === null ? "" : `${by.endpoint} at slot ${by.slot}: `;
  return `${who}${SIDES[shows]}, by the ${PARTS[of]}: ${row === null ? LACKS[of] : toFields(row)}`;
}

/** They say nothing about this event. */
const LEFT_OUT = ["vote", "rank"];

function toFields(row: object): string {
  return Object.entries(row)
    .filter(([name]) => !LEFT_OUT.includes(name))
    .map(
      ([name, value]) =>
        `${name} ${toPlainLine(String(value))}${typeof value === "bigint" ? " lamports" : ""}`,
    )
    .join(", ");
}

function toRulingLine({
  subject,
  verdict,
  reason,
  ruledAt,
}: NonNullable<Evidence["ruling"]>): string {
  const about = subject.of === "event" ? "the event" : `the observation ${toSubjectText(subject)}`;
  return `${verdict} ${about}, said ${ruledAt}: ${toReason(reason) ?? ""}`;
}

/** Safe for a terminal; amounts are decimal strings. */
export function toJsonLine(explanation: Explanation | PaidExplanation): string {
  const toJson = (_: string, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value;
  return toVisibleJson(JSON.stringify(explanation, toJson));
}
