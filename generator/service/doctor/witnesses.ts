import type { Network } from "../../contract/networks.ts";
import { WITNESSES_MAX, witnessesNeeded } from "../../contract/values.ts";
import type { EndpointExamination } from "../../observe/endpoint-examination.ts";
import { toOrigin } from "../../rpc/ranking.ts";
import { toEndpointNumber, toVariable, withoutLabel, type UsableExamination } from "./endpoints.ts";
import { ok, problem, toGrouped, toSpan, warning, warnIf, type Finding } from "./findings.ts";

/** What this many witnesses guarantee. */
const GUARANTEES = [
  "nothing can be confirmed",
  "not guarded against its lies",
  "nothing false is told while an honest one answers, but one that lies can keep a change disputed for ever",
  "one of them may lie",
  "one of them may lie",
];

interface WitnessOptions {
  /** Of all configured endpoints, preferred first. */
  examinations: readonly Pick<EndpointExamination, "label" | "answers">[];
  usable: readonly Pick<UsableExamination, "label">[];
}

/** Counts the witnesses (the first four distinct origins), and those that can confirm a change now. */
export function judgeWitnesses(network: Network, { examinations, usable }: WitnessOptions): Finding {
  const origins = [...new Set(examinations.map(({ label }) => toOrigin(label)))];
  const witnesses = origins.slice(0, WITNESSES_MAX);
  const usableOrigins = new Set(usable.map(({ label }) => toOrigin(label)));
  const lost = witnesses.filter((origin) => !usableOrigins.has(origin));
  if (lost.length > 0) {
    const isReached = examinations.some(({ label, answers }) => answers !== null && lost.includes(toOrigin(label)));
    return judgeLost(toVariable(network), { lost: lost.length, count: witnesses.length, isReached });
  }
  const count = witnesses.length;
  let number = String(count);
  if (origins.length > WITNESSES_MAX) number = `${WITNESSES_MAX}, the first of ${origins.length} origins`;
  else if (count < examinations.length)
    number = `${count} (${examinations.length} endpoints: those at one origin are one witness)`;
  const advice = `Give ${toVariable(network)} endpoints of three or four providers who do not depend on each other: then one of them may lie.`;
  return warnIf(count <= 2, "witnesses", `${number}: ${GUARANTEES[count] ?? ""}`, advice);
}

/** @param lost.isReached whether one of them answers, but cannot be used */
function judgeLost(
  variable: string,
  { lost, count, isReached }: { lost: number; count: number; isReached: boolean },
): Finding {
  const left = count - lost;
  const needed = witnessesNeeded(count);
  const missing = `${lost} of ${count} ${toVerb(lost, isReached)}`;
  const fix = `Their lines above say why: repair them, or replace them in ${variable}`;
  if (left === 0) {
    const found = `0 of ${count} ${isReached ? "can be used" : count === 1 ? "answers" : "answer"}: nothing is observed, and no change can be confirmed`;
    return problem("witnesses", found, `${fix}.`);
  }
  if (left < needed) {
    const found = `${missing}: no change can be confirmed. Changes wait in pending.`;
    return problem("witnesses", found, `${fix}. Once ${needed} of ${count} answer, the next checks confirm them.`);
  }
  const guarantee =
    left === 1
      ? "the other confirms changes alone, three minutes late and not guarded against its lies"
      : `a majority still answers, and nothing false is told if one of these ${left} lies, but changes then wait`;
  return warning("witnesses", `${missing}: ${guarantee}`, `${fix}.`);
}

function toVerb(lost: number, isReached: boolean): string {
  if (isReached) return "cannot be used";
  return lost === 1 ? "does not answer" : "do not answer";
}

interface ProofOptions {
  network: Network;
  /** Of all configured endpoints, preferred first. */
  labels: readonly string[];
  usable: readonly UsableExamination[];
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Whether changes can be proved by transactions: which endpoints keep them, how far back, and whether a majority
 * does.
 */
export function judgeProofs({ network, labels, usable, now }: ProofOptions): Finding[] {
  const variable = toVariable(network);
  const witnesses = [...new Set(labels.map(toOrigin))].slice(0, WITNESSES_MAX);
  const keeping = new Set(
    usable.filter(({ answers }) => "value" in answers.history).map(({ label }) => toOrigin(label)),
  );
  const count = witnesses.filter((origin) => keeping.has(origin)).length;
  return [
    ...usable.map((one) => judgeHistory(one, { variable, now })),
    judgeMajority(count, witnesses.length, variable),
  ];
}

function judgeHistory(
  { label, answers: { history }, epoch }: UsableExamination,
  { variable, now }: { variable: string; now: number },
): Finding {
  const subject = `transactions ${toEndpointNumber(label)}`;
  if ("failed" in history) {
    const advice = `It proves no change: choose an endpoint for ${variable} that keeps a history of transactions, or start your own node with --enable-rpc-transaction-history.`;
    return warning(subject, `none (${withoutLabel(history.failed, label)})`, advice);
  }
  const { firstSlot, firstAt } = history.value;
  const slots = epoch.absoluteSlot - firstSlot;
  const span = firstAt === null ? "" : `, ${toSpan(now - firstAt)} back`;
  const found = `kept from slot ${toGrouped(firstSlot)} on, ${toGrouped(Math.max(slots, 0))} slots${span}`;
  if (slots >= epoch.slotsInEpoch) return ok(subject, found);
  const advice = `Each authority is searched once an epoch, so that it leaves gaps: choose an endpoint for ${variable} that keeps more than an epoch, or let your own node keep more (--limit-ledger-size).`;
  return warning(subject, `${found}: less than an epoch`, advice);
}

function judgeMajority(count: number, witnesses: number, variable: string): Finding {
  const needed = Math.floor(witnesses / 2) + 1;
  const found = `${count} of ${witnesses} ${witnesses === 1 ? "witness keeps" : "witnesses keep"} transactions`;
  if (count < needed) {
    const advice = `Give ${variable} endpoints that keep a history of transactions until ${needed} witnesses do.`;
    return warning("proofs", `${found}, and ${needed} must tell one alike: no change is proved`, advice);
  }
  if (witnesses === 1) return ok("proofs", `${found}: what it says of slot and success is believed`);
  const spare = count === needed ? "none" : count - needed;
  return ok("proofs", `${found}, and ${needed} must tell one alike: ${spare} of them may be silent`);
}
