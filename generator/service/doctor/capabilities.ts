import type { Network } from "../../contract/networks.ts";
import type { ProbedMethod } from "../../observe/method-probes.ts";
import { toEndpointNumber, toVariable, withoutLabel, type UsableExamination } from "./endpoints.ts";
import { ok, toSpan, warning, warnIf, type Finding } from "./findings.ts";

/** What is read beside the vote accounts, and the methods of which one is enough. */
const METHODS: Record<string, ProbedMethod[]> = {
  "second readings": ["getMultipleAccounts"],
  gossip: ["getClusterNodes"],
  "block production": ["getBlockProduction"],
  "validator info": ["getProgramAccounts of the Config program"],
  "stake accounts": ["getProgramAccounts of the Stake program", "getProgramAccountsV2 of the Stake program"],
  "slot time": ["getRecentPerformanceSamples"],
  "epoch schedule": ["getEpochSchedule"],
  "alpenglow certificate": ["getAgGenesisCert"],
  "inflation rate": ["getInflationRate"],
  supply: ["getSupply"],
};

/** What the operator lives without. */
const LACKS: Record<keyof typeof METHODS, string> = {
  "second readings": "A change is then confirmed by a later observation only, half a minute on at the earliest",
  gossip: "Versions, clients and locations will stay as they were last known",
  "block production": "Skip rates will stay unknown",
  "validator info": "Names, icons and websites will stay unknown",
  "stake accounts": "Stake that is being delegated or withdrawn will stay unknown",
  "slot time": "It is then measured between snapshots only: no epoch end is estimated at first",
  "epoch schedule": "History of past epochs cannot be given its slots",
  "alpenglow certificate": "Whether vote credits are lamports is then guessed from the credits themselves",
  "inflation rate": "What a change costs its delegators will stay unknown",
  supply: "What a change costs its delegators will stay unknown",
};

const STAKE_NOTE = " (the way is open; the whole scan, hundreds of megabytes on mainnet, was not tried)";

/** For each thing read beside the vote accounts: which usable endpoints offer it, and how fast. */
export function judgeCapabilities(network: Network, usable: UsableExamination[]): Finding[] {
  const variable = toVariable(network);
  const findings = Object.entries(METHODS).map(([subject, methods]) => {
    const isOffered = usable.some(({ answers }) => methods.some((method) => "value" in answers.methods[method]));
    const told = methods.map((method) => `${method}: ${usable.map((one) => describe(one, method)).join(", ")}`);
    const note = isOffered && subject === "stake accounts" ? STAKE_NOTE : "";
    const advice = `${LACKS[subject] ?? ""}: add an endpoint that serves ${methods.join(" or ")} to ${variable}.`;
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
  const positions = lacking.map(({ label }) => toEndpointNumber(label)).join(", ");
  const found = `${positions}: commissions in whole percents only, as nodes older than Agave 4.1 tell them`;
  const advice =
    lacking.length === usable.length
      ? `Changes of less than a percent will not be seen: add a newer node to ${variable}.`
      : `Put the others first in ${variable}: where only this one answers, changes of less than a percent are not seen.`;
  return warning("basis points", found, advice);
}
