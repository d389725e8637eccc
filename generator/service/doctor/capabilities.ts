import type { Network } from "../../contract/networks.ts";
import type { ProbedMethod } from "../../observe/method-probes.ts";
import { toEndpointNumber, toVariable, withoutLabel, type UsableExamination } from "./endpoints.ts";
import { ok, toSpan, warning, warnIf, type Finding } from "./findings.ts";

const NO_COSTS = "What a change costs its delegators will stay unknown";
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
];

const STAKE_NOTE = " (it answers; the whole scan, hundreds of megabytes on mainnet, was not tried)";

/** For each thing read beside the vote accounts: which usable endpoints offer it, and how fast. */
export function judgeCapabilities(network: Network, usable: UsableExamination[]): Finding[] {
  const variable = toVariable(network);
  const findings = CAPABILITIES.map(([subject, methods, lack]) => {
    const isOffered = usable.some(({ answers }) => methods.some((method) => "value" in answers.methods[method]));
    const told = methods.map((method) => `${method}: ${usable.map((one) => describe(one, method)).join(", ")}`);
    const note = isOffered && methods === STAKES ? STAKE_NOTE : "";
    const advice = `${lack}: add an endpoint that serves ${methods.join(" or ")} to ${variable}.`;
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
function judgeBasisPoints(variable: string, usable: UsableExamination[]): Finding {
  const lacking = usable.filter(({ answers: { votes } }) => !("value" in votes && votes.value.inBasisPoints));
  if (lacking.length === 0) return ok("basis points", "commissions come in basis points");
  const numbers = lacking.map(({ label }) => toEndpointNumber(label)).join(", ");
  const advice =
    lacking.length === usable.length
      ? `Changes of less than a percent will not be seen: add a newer node to ${variable}.`
      : `Put the others first in ${variable}: if only this one answers, changes of less than a percent are not seen.`;
  return warning("basis points", `${numbers}: whole percents only, as nodes before Agave 4.1 send`, advice);
}
