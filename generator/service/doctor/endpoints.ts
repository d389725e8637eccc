import { NODES_DIFFER_SLOTS } from "../../chain/slots.ts";
import { medianOf } from "../../contract/numbers.ts";
import { originOf } from "../../contract/origin.ts";
import type { Network } from "../../contract/networks.ts";
import { WITNESSES_MAX } from "../../contract/panel.ts";
import { readSeries } from "../../journal/series.ts";
import { examineEndpoint, type EndpointExamination } from "../../observe/endpoint-examination.ts";
import { GENESIS_HASHES } from "../../rpc/genesis.ts";
import { createRpc } from "../../rpc/rpc.ts";
import { toFinding, toSpan, within, type CheckContext, type Finding } from "./check.ts";
import { judgePanel } from "./panel.ts";

/**
 * Which endpoints can be used, by the rules of observations: right cluster, healthy, near the
 * other witnesses, able to list vote accounts. An unusable endpoint is a problem only if all are
 * unusable. Then what the usable ones provide together.
 */
export async function checkEndpoints(network: Network, context: CheckContext): Promise<Finding[]> {
  const { settings, stateStore, clock, dispatcher, signal, limits } = context;
  const { now, timer } = clock;
  const rpc = createRpc({ endpoints: settings.rpcUrls[network], now: timer, dispatcher, signal });
  const [series, ...examinations] = await Promise.all([
    // The check of the journal reports what cannot be read.
    within(limits.answerMilliseconds, clock, () => readSeries(stateStore, network)).catch(() => []),
    ...rpc.endpoints.map((endpoint) => examineEndpoint({ endpoint, now, timer, ...limits })),
  ]);
  const variable = `${network.toUpperCase()}_RPC_URLS`;
  const [answered = null] = examinations.flatMap(({ genesis }) => genesis.value ?? []);
  const genesis = series.at(-1)?.genesis ?? GENESIS_HASHES[network] ?? answered;
  const clusterSlot = findClusterSlot(examinations.filter((one) => one.genesis.value === genesis));
  const judged = examinations.map((one) => ({
    one,
    fault: findFault(one, { variable, genesis, clusterSlot }),
  }));
  const usable = judged.flatMap(({ one, fault }) => (fault === null ? [one] : []));
  const findings = judged.map(({ one, fault }) => {
    if (fault === null) return describeEndpoint(one, variable);
    return toFinding(usable.length > 0 ? "warning" : "problem", one.label, ...fault);
  });
  const witnesses = [...new Set(examinations.map(({ label }) => originOf(label)))].slice(
    0,
    WITNESSES_MAX,
  );
  return [...findings, ...judgePanel({ variable, witnesses, usable })];
}

/**
 * By kind and message of a failure: `forbidden getHealth: HTTP status 403`. The first match counts.
 */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^network .*(ENOTFOUND|EAI_AGAIN)/,
    "The name is not found: check its spelling, and this machine's DNS.",
  ],
  [
    /^network .*ECONNREFUSED/,
    "Nothing listens there: check host and port, and whether the node runs.",
  ],
  [
    /^network .*(CERT|TLS|SSL)/,
    "No trustworthy TLS: check the certificate, and whether it should be http.",
  ],
  [/^network /, "Check the address, and this machine's way there."],
  [
    /^timeout /,
    "It is too slow, hangs, or a firewall is in the way: choose another, or one nearer to " +
      "this machine.",
  ],
  [/^forbidden /, "It refuses this machine: check the key in its address."],
  [
    /^(limited|resting) /,
    "It allows no more requests for now: ask less often, or get a larger plan.",
  ],
  [/^behind /, "It is left out until it has caught up; if it stays so, choose another."],
  [/^http .*status 404/, "No JSON-RPC at this path: check the address."],
  [/^http .*status 5/, "It is out of service: wait, or choose another."],
  [/^/, "It does not serve what Rugwatch needs: choose an endpoint of an Agave-family node."],
];

/** null: it can be used. */
function findFault(
  { genesis: own, health, epoch, votes }: EndpointExamination,
  {
    variable,
    genesis,
    clusterSlot,
  }: { variable: string; genesis: string | null; clusterSlot: number },
): [found: string, advice: string | null] | null {
  if (own.value !== undefined && own.value !== genesis) {
    const advice = `Take it out of ${variable}; if the cluster began anew, take a snapshot with --new-series.`;
    return [`another cluster: ${nameGenesis(own.value)}, not ${nameGenesis(genesis)}`, advice];
  }
  const failure = [own, epoch, health, votes].find(({ failed }) => failed !== undefined);
  if (failure?.failed !== undefined) {
    const named = `${failure.kind} ${failure.failed}`;
    return [failure.failed, ADVICE.find(([pattern]) => pattern.test(named))?.[1] ?? null];
  }
  const slots = (epoch.value?.absoluteSlot ?? 0) - clusterSlot;
  if (Math.abs(slots) <= NODES_DIFFER_SLOTS) return null;
  const found = `${Math.abs(slots).toLocaleString("en")} slots ${slots < 0 ? "behind" : "ahead of"} where most witnesses are`;
  return [
    found,
    "What it says counts for nothing until it is where they are; if it stays so, choose another.",
  ];
}

/** One slot for each origin: several addresses there are one witness. */
function findClusterSlot(examinations: readonly EndpointExamination[]): number {
  const byOrigin = Map.groupBy(examinations, ({ label }) => originOf(label));
  const slots = [...byOrigin.values()].flatMap(
    (own) => own.flatMap(({ epoch }) => epoch.value?.absoluteSlot ?? [])[0] ?? [],
  );
  return medianOf(slots) ?? 0;
}

function nameGenesis(genesis: string | null): string {
  const [known] = Object.entries(GENESIS_HASHES).find(([, hash]) => hash === genesis) ?? [];
  return known ?? `genesis ${genesis ?? "unknown"}`;
}

function describeEndpoint(examination: EndpointExamination, variable: string): Finding {
  const { label, version, epoch, votes, milliseconds, methods } = examination;
  const proves = methods["transactions of a whole epoch"].failed === undefined;
  const found = [
    `version ${version.value ?? "unknown"}`,
    `epoch ${epoch.value?.epoch ?? 0}`,
    `slot ${(epoch.value?.absoluteSlot ?? 0).toLocaleString("en")}`,
    `${(votes.value?.validators ?? 0).toLocaleString("en")} vote accounts in ${toSpan(milliseconds)}`,
    `${proves ? "keeps" : "does not keep"} an epoch of transactions`,
  ].join(", ");
  if (votes.value?.inBasisPoints === true) return toFinding("ok", label, found);
  const advice = `Where only these answer, changes of less than a percent are not seen: put newer nodes first in ${variable}.`;
  return toFinding(
    "warning",
    label,
    `${found}, whole percents only, as nodes before Agave 4.1 send`,
    advice,
  );
}
