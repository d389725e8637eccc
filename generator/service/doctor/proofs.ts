import type { Network } from "../../contract/networks.ts";
import { WITNESSES_MAX } from "../../contract/values.ts";
import { toOrigin } from "../../rpc/ranking.ts";
import { toCount, toSpan } from "./durations.ts";
import { toVariable, withoutLabel, type UsableExamination } from "./endpoints.ts";
import { ok, warning, type Finding } from "./findings.ts";

interface ProofOptions {
  network: Network;
  /** Of all configured endpoints, preferred first. */
  labels: readonly string[];
  usable: readonly UsableExamination[];
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Whether changes of commissions can be proved by their transactions (design §7): which endpoints keep a history of them, how
 * far back, and whether so many witnesses do as must tell a transaction's slot and success alike.
 */
export function judgeProofs({ network, labels, usable, now }: ProofOptions): Finding[] {
  return [...usable.map((one) => judgeHistory(one, { network, now })), judgeMajority({ network, labels, usable })];
}

function judgeHistory(
  { label, answers: { history }, epoch }: UsableExamination,
  { network, now }: { network: Network; now: number },
): Finding {
  const subject = `transactions ${label.slice(label.lastIndexOf("#"))}`;
  if ("failed" in history) {
    const advice = `It proves no change: choose an endpoint for ${toVariable(network)} that keeps a history of transactions, or start your own node with --enable-rpc-transaction-history.`;
    return warning(subject, `none (${withoutLabel(history.failed, label)})`, advice);
  }
  const { firstSlot, firstAt } = history.value;
  const slots = epoch.absoluteSlot - firstSlot;
  const span = firstAt === null ? "" : `, ${toSpan(now - firstAt)} back`;
  const found = `kept from slot ${toCount(firstSlot)} on, ${toCount(Math.max(slots, 0))} slots${span}`;
  if (slots >= epoch.slotsInEpoch) return ok(subject, found);
  const advice = `Each authority is searched once an epoch, so that it leaves gaps: choose an endpoint for ${toVariable(network)} that keeps more than an epoch, or let your own node keep more (--limit-ledger-size).`;
  return warning(subject, `${found}: less than an epoch`, advice);
}

function judgeMajority({ network, labels, usable }: Omit<ProofOptions, "now">): Finding {
  const subject = "proofs";
  const witnesses = [...new Set(labels.map(toOrigin))].slice(0, WITNESSES_MAX);
  const keeping = new Set(
    usable.flatMap(({ label, answers }) => ("value" in answers.history ? [toOrigin(label)] : [])),
  );
  const count = witnesses.filter((origin) => keeping.has(origin)).length;
  const needed = Math.floor(witnesses.length / 2) + 1;
  const found = `${count} of ${witnesses.length} ${witnesses.length === 1 ? "witness keeps" : "witnesses keep"} transactions`;
  if (count < needed) {
    const advice = `Give ${toVariable(network)} endpoints that keep a history of transactions until ${needed} witnesses do.`;
    return warning(subject, `${found}, and ${needed} must tell one alike: no change is proved`, advice);
  }
  if (witnesses.length === 1) return ok(subject, `${found}: what it says of slot and success is believed`);
  const spare = count - needed;
  return ok(
    subject,
    `${found}, and ${needed} must tell one alike: ${spare === 0 ? "none" : spare} of them may be silent`,
  );
}
