import type { Network } from "../../contract/networks.ts";
import { WITNESSES_MAX } from "../../contract/values.ts";
import { toOrigin } from "../../rpc/ranking.ts";
import { toEndpointNumber, toVariable, withoutLabel, type UsableExamination } from "./endpoints.ts";
import { ok, toGrouped, toSpan, warning, warnIf, type Finding } from "./findings.ts";

/** What this many witnesses guarantee. */
const GUARANTEES = [
  "nothing can be confirmed",
  "not guarded against its lies",
  "nothing false is told while an honest one answers, but one that lies can keep a change disputed for ever",
  "one of them may lie",
  "one of them may lie",
];

/**
 * Counts the witnesses: the first four distinct origins.
 * @param labels of all configured endpoints, preferred first
 */
export function judgeWitnesses(network: Network, labels: readonly string[]): Finding {
  const origins = new Set(labels.map(toOrigin)).size;
  const count = Math.min(origins, WITNESSES_MAX);
  let number = String(origins);
  if (origins > WITNESSES_MAX) number = `${WITNESSES_MAX}, the first of ${origins} origins`;
  else if (origins < labels.length)
    number = `${origins} (${labels.length} endpoints: those at one origin are one witness)`;
  const advice = `Give ${toVariable(network)} endpoints of three or four providers who do not depend on each other: then one of them may lie.`;
  return warnIf(count <= 2, "witnesses", `${number}: ${GUARANTEES[count] ?? ""}`, advice);
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
