import type { Network } from "../../contract/networks.ts";
import { BEHIND_SLOTS, GENESIS_HASHES, medianOf, toOrigin } from "../../rpc/ranking.ts";
import type { EndpointAnswers, EndpointExamination, Failure } from "../../observe/endpoint-examination.ts";
import type { EpochInfo } from "../../rpc/epoch.ts";
import { toCount, toSpan } from "./durations.ts";
import { ok, problem, warning, type Finding } from "./findings.ts";

/** An endpoint that observations would use. */
export interface UsableExamination {
  label: string;
  answers: EndpointAnswers;
  epoch: EpochInfo;
}

export interface EndpointVerdict {
  findings: Finding[];
  /** Preferred first. */
  usable: UsableExamination[];
}

interface JudgeOptions {
  network: Network;
  /** Genesis hash to insist on; null: that of the first endpoint that tells one. */
  genesis: string | null;
  examinations: EndpointExamination[];
}

interface Fault {
  found: string;
  advice: string;
}

/** Clusters that are known by their genesis hash, the networks of Rugwatch among them. */
const CLUSTERS = new Map<string | null, string>([
  [GENESIS_HASHES.mainnet, "mainnet"],
  [GENESIS_HASHES.testnet, "testnet"],
  ["EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG", "devnet"],
]);

/**
 * Which endpoints can be used, by the same rules as observations go by: of the right cluster, healthy by their own word,
 * where most of the witnesses are, and able to list the vote accounts. One that cannot is a problem only when no other can.
 */
export function judgeEndpoints({ network, genesis: known, examinations }: JudgeOptions): EndpointVerdict {
  const genesis = known ?? examinations.map(genesisOf).find((hash) => hash !== null) ?? null;
  const clusterSlot = findClusterSlot(examinations.filter((one) => genesisOf(one) === genesis));
  const judged = examinations.map((one) => ({ one, fault: findFault(one, { network, genesis, clusterSlot }) }));
  const usable = judged.flatMap(({ one, fault }) => (fault === null ? toUsable(one) : []));
  const toFinding = usable.length > 0 ? warning : problem;
  const findings = judged.map(({ one, fault }) =>
    fault === null ? ok(one.label, describe(one, clusterSlot)) : toFinding(one.label, fault.found, fault.advice),
  );
  return { findings: [...findings, countUsable(usable.length, network)], usable };
}

function countUsable(count: number, network: Network): Finding {
  const variable = toVariable(network);
  const subject = "usable endpoints";
  if (count === 0) return problem(subject, "none", `Nothing can be observed: give ${variable} an endpoint that works.`);
  if (count > 1) return ok(subject, String(count));
  const advice = `Add one of another provider to ${variable}: while this one is out of order nothing is observed.`;
  return warning(subject, "one", advice);
}

/** The environment variable with the endpoints of a network. */
export function toVariable(network: Network): string {
  return `${network.toUpperCase()}_RPC_URLS`;
}

function findFault(
  { label, contact, answers }: EndpointExamination,
  { network, genesis, clusterSlot }: { network: Network; genesis: string | null; clusterSlot: number },
): Fault | null {
  const variable = toVariable(network);
  if (answers === null)
    return { found: `no connection: ${contact.failed}`, advice: adviseOnConnection(contact.failed) };
  const { genesis: own, health, epoch, votes } = answers;
  const failure = [own, epoch, health, votes].find((outcome) => "failed" in outcome);
  if ("failed" in own) return toFault(own, label, contact.status);
  if (own.value !== genesis) {
    const advice = known(own.value)
      ? `Take it out of ${variable}, or put it where it belongs.`
      : `Take it out of ${variable}; if the cluster began anew, take a snapshot with --new-series.`;
    return { found: `another cluster: ${nameGenesis(own.value)}, not ${nameGenesis(genesis)}`, advice };
  }
  if (failure !== undefined) return toFault(failure, label, contact.status);
  const distance = describeDistance("value" in epoch ? epoch.value.absoluteSlot - clusterSlot : 0);
  if (distance === null) return null;
  const advice =
    "It is read last, and what it says counts for nothing until it is where they are; if it stays so, choose another.";
  return { found: distance, advice };
}

/** One slot of each origin counts: several addresses there are one witness. */
function findClusterSlot(examinations: readonly EndpointExamination[]): number {
  const slots = new Map<string, number>();
  for (const one of examinations) {
    const [origin, slot] = [toOrigin(one.label), slotOf(one)];
    if (slot !== null && !slots.has(origin)) slots.set(origin, slot);
  }
  return medianOf([...slots.values()]);
}

/** @returns null for no more than nodes that are well differ */
function describeDistance(slots: number): string | null {
  if (Math.abs(slots) <= BEHIND_SLOTS) return null;
  return `${toCount(Math.abs(slots))} slots ${slots < 0 ? "behind" : "ahead of"} where most witnesses are`;
}

const known = (genesis: string) => CLUSTERS.has(genesis);

function nameGenesis(genesis: string | null): string {
  return CLUSTERS.get(genesis) ?? `genesis ${genesis ?? "unknown"}`;
}

function describe({ contact, answers }: EndpointExamination, clusterSlot: number): string {
  if (answers === null) return contact.failed;
  const { genesis, health, version, epoch, votes } = answers;
  const parts = ["roundTripMilliseconds" in contact ? toSpan(contact.roundTripMilliseconds) : ""];
  if ("value" in genesis) parts.push(nameGenesis(genesis.value));
  if ("value" in health) parts.push(health.value === "ok" ? "healthy" : "tells no health");
  if ("value" in version) parts.push(`version ${version.value}`);
  if ("value" in epoch) parts.push(describeSlot(epoch.value, clusterSlot));
  if ("value" in votes) parts.push(`${toCount(votes.value.validators)} vote accounts in ${toSpan(votes.milliseconds)}`);
  return parts.join(", ");
}

function describeSlot({ epoch, absoluteSlot }: EpochInfo, clusterSlot: number): string {
  const slots = absoluteSlot - clusterSlot;
  const distance = slots === 0 ? "" : ` (${Math.abs(slots)} ${slots < 0 ? "behind" : "ahead of"} most witnesses)`;
  return `epoch ${epoch}, slot ${toCount(absoluteSlot)}${distance}`;
}

function genesisOf({ answers }: EndpointExamination): string | null {
  return answers !== null && "value" in answers.genesis ? answers.genesis.value : null;
}

function slotOf({ answers }: EndpointExamination): number | null {
  return answers !== null && "value" in answers.epoch ? answers.epoch.value.absoluteSlot : null;
}

function toUsable({ label, answers }: EndpointExamination): UsableExamination[] {
  return answers !== null && "value" in answers.epoch ? [{ label, answers, epoch: answers.epoch.value }] : [];
}

/** A message of the client begins with the endpoint's label, which the finding names already. */
export function withoutLabel(message: string, label: string): string {
  return message.startsWith(`${label} `) ? message.slice(label.length + 1) : message;
}

function adviseOnConnection(code: string): string {
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return "The name is not found: check its spelling, and this machine's DNS and way to the internet.";
  if (code === "ECONNREFUSED") return "Nothing listens there: check host and port, and whether the node runs.";
  if (code.includes("TIMEOUT") || code === "TimeoutError" || code === "EHOSTUNREACH" || code === "ENETUNREACH")
    return "No answer: check this machine's way there (firewall, proxy), and whether the node runs.";
  if (code.includes("CERT") || code.includes("TLS") || code.includes("SSL"))
    return "No trustworthy TLS: check the certificate, and whether it should be http instead of https.";
  return "Check the address, and this machine's way there.";
}

function toFault(failure: Failure, label: string, status: number): Fault {
  return { found: withoutLabel(failure.failed, label), advice: adviseOnFailure(failure, status) };
}

/** @param status HTTP status of the first contact, which tells more than what the client made of the failure. */
function adviseOnFailure({ kind }: Failure, status: number): string {
  if (status === 401 || status === 403) return "It does not let this machine in: check the key in its address.";
  if (status === 404) return "It speaks no JSON-RPC under this path: check the address.";
  if (status === 429 || kind === "limited")
    return "It allows no more requests for now: ask less, or take a larger plan.";
  if (status >= 500) return "It is out of order: wait, or choose another.";
  if (kind === "timeout") return "It is too slow, or hangs: choose another, or one nearer to this machine.";
  if (kind === "behind") return "It is left out until it has caught up; if it stays so, choose another.";
  return "It does not serve what Rugwatch needs: choose an endpoint of an Agave-family node.";
}
