import { witnessesNeeded } from "../../contract/values.ts";
import type { ProbedMethod } from "../../observe/method-probes.ts";
import { countWitnesses, toEndpointNumber, type Panel } from "./endpoints.ts";
import { toFinding, type Finding } from "./findings.ts";

type Capability = [subject: string, methods: ProbedMethod[], lack: string];

const NO_COSTS = "What a change costs its delegators will stay unknown";
const NO_TIPS = "What a change of MEV commission costs will stay unknown until its epoch is settled";

/** What is read beside the vote accounts: the methods, of which one is enough, and what happens without any. */
const CAPABILITIES: Capability[] = [
  ["second readings", ["getMultipleAccounts"], "Only a later observation, half a minute on, will confirm a change"],
  ["gossip", ["getClusterNodes"], "Versions, clients and locations will stay as they were last known"],
  ["block production", ["getBlockProduction"], "Skip rates will stay unknown"],
  ["validator info", ["getProgramAccounts of the Config program"], "Names, icons and websites will stay unknown"],
  [
    "stake accounts",
    ["getProgramAccounts of the Stake program", "getProgramAccountsV2 of the Stake program"],
    "Stake that is being delegated or withdrawn will stay unknown",
  ],
  ["slot time", ["getRecentPerformanceSamples"], "Without it the first snapshots cannot estimate an epoch's end"],
  ["epoch schedule", ["getEpochSchedule"], "History of past epochs cannot be given its slots"],
  ["alpenglow certificate", ["getAgGenesisCert"], "Whether vote credits are lamports is guessed from the credits"],
  ["inflation rate", ["getInflationRate"], NO_COSTS],
  ["supply", ["getSupply"], NO_COSTS],
  ["rent", ["getMinimumBalanceForRentExemption"], NO_TIPS],
];

/** Believed only where a majority of the witnesses tells the same. */
const OF_THE_PANEL: ReadonlySet<string> = new Set(["inflation rate", "supply", "rent"]);

/** What too few endpoints offer, and a line for the rest. */
export function judgeCapabilities(panel: Panel): Finding[] {
  const lacking = CAPABILITIES.flatMap((capability) => judgeCapability(panel, capability));
  const well = CAPABILITIES.map(([subject]) => subject).filter(
    (one) => !lacking.some(({ subject }) => subject === one),
  );
  return [judgeBasisPoints(panel), ...lacking, toFinding("ok", "other sources", well.join(", ") || "nothing")];
}

function judgeCapability(panel: Panel, [subject, methods, lack]: Capability): Finding[] {
  const { variable, witnesses, usable } = panel;
  const offering = usable.filter((one) => methods.some((method) => one.methods[method].failed === undefined));
  const needed = OF_THE_PANEL.has(subject) ? witnessesNeeded(witnesses.length) : 1;
  if ((needed > 1 ? countWitnesses(panel, offering) : offering.length) >= needed) return [];
  const refusals = usable.flatMap((one) =>
    methods.flatMap((method) => {
      const { failed } = one.methods[method];
      return failed === undefined ? [] : [`${toEndpointNumber(one)} ${failed}`];
    }),
  );
  const place = needed > 1 ? `to ${needed} of the witnesses, the first four of ${variable}` : `to ${variable}`;
  return [
    toFinding(
      "warning",
      subject,
      refusals.join("; "),
      `${lack}: add endpoints that serve ${methods.join(" or ")} ${place}.`,
    ),
  ];
}

/** A list may come from any of them. */
function judgeBasisPoints({ variable, usable }: Panel): Finding {
  const lacking = usable.filter(({ votes }) => votes.value?.inBasisPoints !== true).map(toEndpointNumber);
  if (lacking.length === 0) return toFinding("ok", "basis points", "commissions come in basis points");
  const found = `${lacking.join(", ")}: whole percents only, as nodes before Agave 4.1 send`;
  const advice = `Where only these answer, changes of less than a percent are not seen: put newer nodes first in ${variable}.`;
  return toFinding("warning", "basis points", found, advice);
}
