import type { Network } from "../../contract/networks.ts";
import type { EndpointAnswers, EndpointExamination } from "../../observe/endpoint-examination.ts";
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
  if (answers === null) return [`no connection: ${contact.failed}`, advise(contact.failed)];
  const { genesis: own, health, epoch, votes } = answers;
  if ("value" in own && own.value !== genesis) {
    const advice = CLUSTERS.has(own.value)
      ? ", or put it where it belongs."
      : "; if the cluster began anew, take a snapshot with --new-series.";
    const found = `another cluster: ${nameGenesis(own.value)}, not ${nameGenesis(genesis)}`;
    return [found, `Take it out of ${variable}${advice}`];
  }
  const failure = [own, epoch, health, votes].find((outcome) => "failed" in outcome);
  if (failure !== undefined) return [withoutLabel(failure.failed, label), advise(`${contact.status} ${failure.kind}`)];
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

/** What to do, by the code of a failed connection, or by HTTP status and kind of failure as in `503 server`. */
const ADVICE: [RegExp, string][] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, "The name is not found: check its spelling, and this machine's DNS and internet."],
  [/^ECONNREFUSED$/, "Nothing listens there: check host and port, and whether the node runs."],
  [
    /TIMEOUT|^(?:TimeoutError|EHOSTUNREACH|ENETUNREACH)$/,
    "No answer: check firewall and proxy, and whether the node runs.",
  ],
  [/CERT|TLS|SSL/, "No trustworthy TLS: check the certificate, and whether it should be http instead of https."],
  [/^[A-Z]/i, "Check the address, and this machine's way there."],
  [/^40[13] /, "It refuses this machine: check the key in its address."],
  [/^404 /, "No JSON-RPC at this path: check the address."],
  [/^429 |limited$/, "It allows no more requests for now: ask less often, or get a larger plan."],
  [/^5/, "It is out of service: wait, or choose another."],
  [/timeout$/, "It is too slow, or hangs: choose another, or one nearer to this machine."],
  [/behind$/, "It is left out until it has caught up; if it stays so, choose another."],
  [/ /, "It does not serve what Rugwatch needs: choose an endpoint of an Agave-family node."],
];

function advise(failure: string): string {
  return ADVICE.find(([pattern]) => pattern.test(failure))?.[1] ?? "";
}
