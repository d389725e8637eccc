import type { Network } from "../../contract/networks.ts";
import { WITNESSES_MAX, witnessesNeeded } from "../../contract/values.ts";
import type { ProbedMethod } from "../../observe/method-probes.ts";
import { toOrigin } from "../../rpc/ranking.ts";
import { toEndpointNumber, toVariable, withoutLabel, type UsableExamination } from "./endpoints.ts";
import { ok, toSpan, warning, warnIf, type Finding } from "./findings.ts";

const NO_COSTS = "What a change costs its delegators will stay unknown";
const NO_TIPS = "What a change of MEV commission costs will stay unknown until its epoch is settled";
const STAKES = ["getProgramAccounts of the Stake program", "getProgramAccountsV2 of the Stake program"] as const;

/** What is read beside the vote accounts: the methods, of which one is enough, and what happens without any. */
const CAPABILITIES: readonly (readonly [subject: string, methods: readonly ProbedMethod[], lack: string])[] = [
  ["second readings", ["getMultipleAccounts"], "Only a later observation, half a minute on, will confirm a change"],
  ["gossip", ["getClusterNodes"], "Versions, clients and locations will stay as they were last known"],
  ["block production", ["getBlockProduction"], "Skip rates will stay unknown"],
  ["validator info", ["getProgramAccounts of the Config program"], "Names, icons and websites will stay unknown"],
  ["stake accounts", STAKES, "Stake that is being delegated or withdrawn will stay unknown"],
  ["slot time", ["getRecentPerformanceSamples"], "Without it the first snapshots cannot estimate an epoch's end"],
  ["epoch schedule", ["getEpochSchedule"], "History of past epochs cannot be given its slots"],
  ["alpenglow certificate", ["getAgGenesisCert"], "Whether vote credits are lamports is guessed from the credits"],
  ["inflation rate", ["getInflationRate"], NO_COSTS],
  ["supply", ["getSupply"], NO_COSTS],
  ["rent", ["getMinimumBalanceForRentExemption"], NO_TIPS],
];

const STAKE_NOTE = " (it answers; the whole scan, hundreds of megabytes on mainnet, was not tried)";

/** Believed only where a majority of the witnesses tells the same. */
const OF_THE_PANEL: ReadonlySet<string> = new Set(["inflation rate", "supply", "rent"]);

/**
 * For each thing read beside the vote accounts: which usable endpoints offer it, and how fast.
 * @param labels of all configured endpoints, preferred first
 */
export function judgeCapabilities(
  network: Network,
  { labels, usable }: { labels: readonly string[]; usable: readonly UsableExamination[] },
): Finding[] {
  const variable = toVariable(network);
  const witnesses = [...new Set(labels.map(toOrigin))].slice(0, WITNESSES_MAX);
  const majority = witnessesNeeded(witnesses.length);
  const findings = CAPABILITIES.map(([subject, methods, lack]) => {
    const offering = usable.filter(({ answers }) => methods.some((method) => "value" in answers.methods[method]));
    const origins = new Set(offering.map(({ label }) => toOrigin(label)));
    const isOffered = OF_THE_PANEL.has(subject)
      ? witnesses.filter((origin) => origins.has(origin)).length >= majority
      : offering.length > 0;
    const told = methods.map((method) => `${method}: ${usable.map((one) => describe(one, method)).join(", ")}`);
    const note = isOffered && methods === STAKES ? STAKE_NOTE : "";
    const served = methods.join(" or ");
    const toDo = OF_THE_PANEL.has(subject)
      ? `put endpoints that serve ${served} among the witnesses, the first four of ${variable}`
      : `add an endpoint that serves ${served} to ${variable}`;
    const advice = `${lack}: ${toDo}.`;
    return warnIf(!isOffered, subject, told.join("; ") + note, advice);
  });
  return [judgeBasisPoints(variable, usable), ...findings];
}

function describe({ label, answers }: UsableExamination, method: ProbedMethod): string {
  const outcome = answers.methods[method];
  if ("value" in outcome) return `${toEndpointNumber(label)} ${toSpan(outcome.milliseconds)}`;
  // The message repeats the method's name.
  return `${toEndpointNumber(label)} no (${withoutLabel(outcome.failed, label).replace(/^\w+: /, "")})`;
}

/** A list may come from any of them. */
function judgeBasisPoints(variable: string, usable: readonly UsableExamination[]): Finding {
  const lacking = usable.filter(({ answers: { votes } }) => !("value" in votes && votes.value.inBasisPoints));
  if (lacking.length === 0) return ok("basis points", "commissions come in basis points");
  const numbers = lacking.map(({ label }) => toEndpointNumber(label)).join(", ");
  const advice =
    lacking.length === usable.length
      ? `Changes of less than a percent will not be seen: add a newer node to ${variable}.`
      : `Put the others first in ${variable}: if only this one answers, changes of less than a percent are not seen.`;
  return warning("basis points", `${numbers}: whole percents only, as nodes before Agave 4.1 send`, advice);
}
