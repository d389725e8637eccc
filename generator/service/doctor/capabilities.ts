import type { Network } from "../../contract/networks.ts";
import { WITNESSES_MAX } from "../../contract/values.ts";
import type { ProbedMethod } from "../../observe/method-probes.ts";
import { toOrigin } from "../../rpc/ranking.ts";
import { toEndpointNumber, toVariable, withoutLabel, type UsableExamination } from "./endpoints.ts";
import { ok, toSpan, warning, warnIf, type Finding } from "./findings.ts";

/** What is read beside the vote accounts: by which methods, of which any one is enough. */
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

/** Believed only where a majority of the witnesses tells the same. */
const OF_THE_PANEL: ReadonlySet<string> = new Set(["inflation rate", "supply"]);

/**
 * Which of the usable endpoints offer what is read beside the vote accounts, and how fast.
 * @param labels of all configured endpoints, preferred first
 */
export function judgeCapabilities(
  network: Network,
  { labels, usable }: { labels: readonly string[]; usable: readonly UsableExamination[] },
): Finding[] {
  const variable = toVariable(network);
  const witnesses = [...new Set(labels.map(toOrigin))].slice(0, WITNESSES_MAX);
  // Of two witnesses one decides when the other stays silent.
  const majority = witnesses.length === 2 ? 1 : Math.floor(witnesses.length / 2) + 1;
  const findings = Object.entries(METHODS).map(([subject, methods]) => {
    const offering = usable.filter(({ answers }) => methods.some((method) => "value" in answers.methods[method]));
    const origins = new Set(offering.map(({ label }) => toOrigin(label)));
    const isOffered = OF_THE_PANEL.has(subject)
      ? witnesses.filter((origin) => origins.has(origin)).length >= majority
      : offering.length > 0;
    const told = methods.map((method) => `${method}: ${usable.map((one) => describe(one, method)).join(", ")}`);
    const note = isOffered && subject === "stake accounts" ? STAKE_NOTE : "";
    const served = methods.join(" or ");
    const toDo = OF_THE_PANEL.has(subject)
      ? `put endpoints that serve ${served} among the witnesses, the first four of ${variable}`
      : `add an endpoint that serves ${served} to ${variable}`;
    const advice = `${LACKS[subject] ?? ""}: ${toDo}.`;
    return warnIf(!isOffered, subject, told.join("; ") + note, advice);
  });
  return [judgeBasisPoints(variable, usable), ...findings];
}

function describe({ label, answers }: UsableExamination, method: ProbedMethod): string {
  const outcome = answers.methods[method];
  if ("value" in outcome) return `${toEndpointNumber(label)} ${toSpan(outcome.milliseconds)}`;
  // What refuses says so after the method's name, which the finding has already.
  return `${toEndpointNumber(label)} no (${withoutLabel(outcome.failed, label).replace(/^\w+: /, "")})`;
}

/** Any of them may be the one that a list comes from. */
function judgeBasisPoints(variable: string, usable: readonly UsableExamination[]): Finding {
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
