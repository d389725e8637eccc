import type { Network } from "../../contract/networks.ts";
import { WITNESSES_MAX } from "../../contract/values.ts";
import type { EndpointExamination } from "../../observe/endpoint-examination.ts";
import { BEHIND_SLOTS, GENESIS_HASHES, medianOf, toOrigin } from "../../rpc/ranking.ts";
import { findAdvice } from "./advice.ts";
import { toFinding, toGrouped, toSpan, type Finding } from "./findings.ts";

/** A network's endpoints as observations would use them. */
export interface Panel {
  variable: string;
  /** The first four distinct origins. */
  witnesses: string[];
  /** Preferred first. */
  usable: EndpointExamination[];
}

/**
 * Which endpoints can be used, by the rules of observations: right cluster, healthy, near the other witnesses, able
 * to list vote accounts. One that cannot is a problem only if no other can.
 * @param known the genesis hash to insist on; null: the first one told
 */
export function judgeEndpoints(
  network: Network,
  known: string | null,
  examinations: EndpointExamination[],
): { findings: Finding[]; panel: Panel } {
  const variable = `${network.toUpperCase()}_RPC_URLS`;
  const genesis = known ?? examinations.find((one) => one.genesis.value !== undefined)?.genesis.value ?? null;
  const clusterSlot = findClusterSlot(examinations.filter((one) => one.genesis.value === genesis));
  const judged = examinations.map((one) => ({ one, fault: findFault(one, { variable, genesis, clusterSlot }) }));
  const usable = judged.flatMap(({ one, fault }) => (fault === null ? [one] : []));
  const level = usable.length > 0 ? "warning" : "problem";
  const findings = judged.map(({ one, fault }) =>
    fault === null ? toFinding("ok", one.label, describe(one, clusterSlot)) : toFinding(level, one.label, ...fault),
  );
  const witnesses = [...new Set(examinations.map(({ label }) => toOrigin(label)))].slice(0, WITNESSES_MAX);
  return { findings, panel: { variable, witnesses, usable } };
}

export function countWitnesses({ witnesses }: Panel, endpoints: readonly EndpointExamination[]): number {
  return witnesses.filter((origin) => endpoints.some(({ label }) => toOrigin(label) === origin)).length;
}

/** `#0`: the network's first lines say which endpoint that is. */
export function toEndpointNumber({ label }: EndpointExamination): string {
  return label.slice(label.lastIndexOf("#"));
}

/** null: it can be used. */
function findFault(
  { genesis: own, health, epoch, votes }: EndpointExamination,
  { variable, genesis, clusterSlot }: { variable: string; genesis: string | null; clusterSlot: number },
): [found: string, advice: string | null] | null {
  if (own.value !== undefined && own.value !== genesis) {
    const advice = `Take it out of ${variable}; if the cluster began anew, take a snapshot with --new-series.`;
    return [`another cluster: ${nameGenesis(own.value)}, not ${nameGenesis(genesis)}`, advice];
  }
  const failure = [own, epoch, health, votes].find(({ failed }) => failed !== undefined);
  if (failure?.failed !== undefined) return [failure.failed, findAdvice(`${failure.kind} ${failure.failed}`)];
  const slots = (epoch.value?.absoluteSlot ?? 0) - clusterSlot;
  if (Math.abs(slots) <= BEHIND_SLOTS) return null;
  return [
    `${describeDistance(slots)} where most witnesses are`,
    "It is read last, and what it says counts for nothing until it is where they are; if it stays so, choose another.",
  ];
}

/** One slot an origin: several addresses there are one witness. */
function findClusterSlot(examinations: readonly EndpointExamination[]): number {
  const slots = examinations.flatMap(({ label, epoch }) =>
    epoch.value === undefined ? [] : [[toOrigin(label), epoch.value.absoluteSlot] as const],
  );
  // Reversed: the first of an origin stays.
  return medianOf([...new Map(slots.toReversed()).values()]);
}

function nameGenesis(genesis: string | null): string {
  const [known] = Object.entries(GENESIS_HASHES).find(([, hash]) => hash === genesis) ?? [];
  return known ?? `genesis ${genesis ?? "unknown"}`;
}

function describe({ version, epoch, votes, milliseconds }: EndpointExamination, clusterSlot: number): string {
  const { epoch: number = 0, absoluteSlot = 0 } = epoch.value ?? {};
  const slots = absoluteSlot - clusterSlot;
  const distance = slots === 0 ? "" : ` (${describeDistance(slots)} most witnesses)`;
  const position = `epoch ${number}, slot ${toGrouped(absoluteSlot)}${distance}`;
  const list = `${toGrouped(votes.value?.validators ?? 0)} vote accounts`;
  return `version ${version.value ?? "unknown"}, ${position}, ${list} in ${toSpan(milliseconds)}`;
}

function describeDistance(slots: number): string {
  return `${toGrouped(Math.abs(slots))} slots ${slots < 0 ? "behind" : "ahead of"}`;
}
