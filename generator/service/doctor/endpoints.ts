import type { Network } from "../../contract/networks.ts";
import type { EndpointAnswers, EndpointExamination, Failure } from "../../observe/endpoint-examination.ts";
import type { EpochInfo } from "../../rpc/epoch.ts";
import { BEHIND_SLOTS, GENESIS_HASHES, medianOf, toOrigin } from "../../rpc/ranking.ts";
import { ok, problem, toGrouped, toFinding, toSpan, warnIf, type Finding } from "./findings.ts";

/** An endpoint that observations would use. */
export interface UsableExamination {
  label: string;
  answers: EndpointAnswers;
  epoch: EpochInfo;
}

interface JudgeOptions {
  network: Network;
  /** The genesis hash to insist on; null: the first one told. */
  genesis: string | null;
  examinations: EndpointExamination[];
}

const CLUSTERS = new Map<string | null, string>([
  [GENESIS_HASHES.mainnet, "mainnet"],
  [GENESIS_HASHES.testnet, "testnet"],
  ["EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG", "devnet"],
]);

/**
 * Which endpoints can be used, by the rules of observations: right cluster, healthy, near the other witnesses, able
 * to list vote accounts. One that cannot is a problem only if no other can.
 * @returns `usable`: preferred first
 */
export function judgeEndpoints({ network, genesis: known, examinations }: JudgeOptions): {
  findings: Finding[];
  usable: UsableExamination[];
} {
  const variable = toVariable(network);
  const genesis = known ?? examinations.map(genesisOf).find((hash) => hash !== null) ?? null;
  const clusterSlot = findClusterSlot(examinations.filter((one) => genesisOf(one) === genesis));
  const judged = examinations.map((one) => ({ one, fault: findFault(one, { variable, genesis, clusterSlot }) }));
  const usable = judged.flatMap(({ one: { label, answers }, fault }) =>
    fault === null && answers !== null && "value" in answers.epoch
      ? [{ label, answers, epoch: answers.epoch.value }]
      : [],
  );
  const level = usable.length > 0 ? "warning" : "problem";
  const findings = judged.map(({ one, fault }) =>
    fault === null ? ok(one.label, describe(one, clusterSlot)) : toFinding(level, one.label, ...fault),
  );
  return { findings: [...findings, countUsable(usable.length, variable)], usable };
}

function countUsable(count: number, variable: string): Finding {
  const subject = "usable endpoints";
  if (count === 0) return problem(subject, "none", `Nothing can be observed: give ${variable} an endpoint that works.`);
  const advice = `Add one of another provider to ${variable}: while this one is down nothing is observed.`;
  return warnIf(count === 1, subject, count === 1 ? "one" : String(count), advice);
}

/** The environment variable with the endpoints of a network. */
export function toVariable(network: Network): string {
  return `${network.toUpperCase()}_RPC_URLS`;
}

/** `#0`: the network's first lines say which endpoint that is. */
export function toEndpointNumber(label: string): string {
  return label.slice(label.lastIndexOf("#"));
}

/** The client's messages begin with the endpoint's label, which the finding already names. */
export function withoutLabel(message: string, label: string): string {
  return message.startsWith(`${label} `) ? message.slice(label.length + 1) : message;
}

/** What was found, and what to do; null: it can be used. */
function findFault(
  { label, contact, answers }: EndpointExamination,
  { variable, genesis, clusterSlot }: { variable: string; genesis: string | null; clusterSlot: number },
): [found: string, advice: string] | null {
  if (answers === null) return [`no connection: ${contact.failed}`, adviseOnConnection(contact.failed)];
  const { genesis: own, health, epoch, votes } = answers;
  if ("value" in own && own.value !== genesis) {
    const advice = CLUSTERS.has(own.value)
      ? ", or put it where it belongs."
      : "; if the cluster began anew, take a snapshot with --new-series.";
    const found = `another cluster: ${nameGenesis(own.value)}, not ${nameGenesis(genesis)}`;
    return [found, `Take it out of ${variable}${advice}`];
  }
  const failure = [own, epoch, health, votes].find((outcome) => "failed" in outcome);
  if (failure !== undefined) return [withoutLabel(failure.failed, label), adviseOnFailure(failure, contact.status)];
  const slots = "value" in epoch ? epoch.value.absoluteSlot - clusterSlot : 0;
  if (Math.abs(slots) <= BEHIND_SLOTS) return null;
  return [
    `${toGrouped(Math.abs(slots))} slots ${slots < 0 ? "behind" : "ahead of"} where most witnesses are`,
    "It is read last, and what it says counts for nothing until it is where they are; if it stays so, choose another.",
  ];
}

/** One slot an origin: several addresses there are one witness. */
function findClusterSlot(examinations: readonly EndpointExamination[]): number {
  const slots = examinations.flatMap(({ label, answers }) =>
    answers !== null && "value" in answers.epoch ? [[toOrigin(label), answers.epoch.value.absoluteSlot] as const] : [],
  );
  // Reversed: the first of an origin stays.
  return medianOf([...new Map(slots.toReversed()).values()]);
}

function nameGenesis(genesis: string | null): string {
  return CLUSTERS.get(genesis) ?? `genesis ${genesis ?? "unknown"}`;
}

function genesisOf({ answers }: EndpointExamination): string | null {
  return answers !== null && "value" in answers.genesis ? answers.genesis.value : null;
}

function describe({ contact, answers }: EndpointExamination, clusterSlot: number): string {
  if (answers === null) return contact.failed;
  const { genesis, health, version, epoch, votes } = answers;
  const parts = [toSpan(contact.roundTripMilliseconds)];
  if ("value" in genesis) parts.push(nameGenesis(genesis.value));
  if ("value" in health) parts.push(health.value === "ok" ? "healthy" : "tells no health");
  if ("value" in version) parts.push(`version ${version.value}`);
  if ("value" in epoch) parts.push(describeSlot(epoch.value, clusterSlot));
  if ("value" in votes)
    parts.push(`${toGrouped(votes.value.validators)} vote accounts in ${toSpan(votes.milliseconds)}`);
  return parts.join(", ");
}

function describeSlot({ epoch, absoluteSlot }: EpochInfo, clusterSlot: number): string {
  const slots = absoluteSlot - clusterSlot;
  const distance = slots === 0 ? "" : ` (${Math.abs(slots)} ${slots < 0 ? "behind" : "ahead of"} most witnesses)`;
  return `epoch ${epoch}, slot ${toGrouped(absoluteSlot)}${distance}`;
}

function adviseOnConnection(code: string): string {
  if (/^(?:ENOTFOUND|EAI_AGAIN)$/.test(code))
    return "The name is not found: check its spelling, and this machine's DNS and way to the internet.";
  if (code === "ECONNREFUSED") return "Nothing listens there: check host and port, and whether the node runs.";
  if (/TIMEOUT|^(?:TimeoutError|EHOSTUNREACH|ENETUNREACH)$/.test(code))
    return "No answer: check this machine's way there (firewall, proxy), and whether the node runs.";
  if (/CERT|TLS|SSL/.test(code))
    return "No trustworthy TLS: check the certificate, and whether it should be http instead of https.";
  return "Check the address, and this machine's way there.";
}

/** @param status HTTP status of the first contact: more precise than the client's failure */
function adviseOnFailure({ kind }: Failure, status: number): string {
  if (status === 401 || status === 403) return "It refuses this machine: check the key in its address.";
  if (status === 404) return "No JSON-RPC at this path: check the address.";
  if (status === 429 || kind === "limited")
    return "It allows no more requests for now: ask less often, or get a larger plan.";
  if (status >= 500) return "It is out of service: wait, or choose another.";
  if (kind === "timeout") return "It is too slow, or hangs: choose another, or one nearer to this machine.";
  if (kind === "behind") return "It is left out until it has caught up; if it stays so, choose another.";
  return "It does not serve what Rugwatch needs: choose an endpoint of an Agave-family node.";
}
