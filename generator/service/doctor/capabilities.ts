import type { Network } from "../../contract/networks.ts";
import type { ProbedMethod } from "../../observe/method-probes.ts";
import { toPosition, toVariable, withoutLabel, type UsableExamination } from "./endpoints.ts";
import { ok, toSpan, warning, type Finding } from "./findings.ts";

/** What is read of a cluster, the ways to read it, and what is missing where no endpoint offers one. */
interface Capability {
  subject: string;
  /** Any one of them is enough. */
  methods: ProbedMethod[];
  /** What the operator lives without. */
  lack: string;
  /** Added where it works. */
  note?: string;
}

const CAPABILITIES: Capability[] = [
  {
    subject: "second readings",
    methods: ["getMultipleAccounts"],
    lack: "A change is then confirmed by a later observation only, half a minute on at the earliest",
  },
  {
    subject: "gossip",
    methods: ["getClusterNodes"],
    lack: "Versions, clients and locations will stay as they were last known",
  },
  { subject: "block production", methods: ["getBlockProduction"], lack: "Skip rates will stay unknown" },
  {
    subject: "validator info",
    methods: ["getProgramAccounts of the Config program"],
    lack: "Names, icons and websites will stay unknown",
  },
  {
    subject: "stake accounts",
    methods: ["getProgramAccounts of the Stake program", "getProgramAccountsV2 of the Stake program"],
    lack: "Stake that is being delegated or withdrawn will stay unknown",
    note: "the way is open; the whole scan, hundreds of megabytes on mainnet, was not tried",
  },
  {
    subject: "slot time",
    methods: ["getRecentPerformanceSamples"],
    lack: "It is then measured between snapshots only: no epoch end is estimated at first",
  },
  {
    subject: "epoch schedule",
    methods: ["getEpochSchedule"],
    lack: "History of past epochs cannot be given its slots",
  },
  {
    subject: "alpenglow certificate",
    methods: ["getAgGenesisCert"],
    lack: "Whether vote credits are lamports is then guessed from the credits themselves",
  },
];

/** For each thing that is read beside the vote accounts: which of the usable endpoints offer it, and how fast. */
export function judgeCapabilities(network: Network, usable: UsableExamination[]): Finding[] {
  const variable = toVariable(network);
  return [judgeBasisPoints(variable, usable), ...CAPABILITIES.map((one) => judgeCapability(one, variable, usable))];
}

function judgeCapability(capability: Capability, variable: string, usable: UsableExamination[]): Finding {
  const { subject, methods, lack, note } = capability;
  const found = methods
    .map((method) => `${method}: ${usable.map((endpoint) => describe(endpoint, method)).join(", ")}`)
    .join("; ");
  const isOffered = usable.some(({ answers }) => methods.some((method) => "value" in answers.methods[method]));
  if (isOffered) return ok(subject, note === undefined ? found : `${found} (${note})`);
  const advice = `${lack}: add an endpoint that serves ${methods.join(" or ")} to ${variable}.`;
  return warning(subject, found, advice);
}

function describe({ label, answers }: UsableExamination, method: ProbedMethod): string {
  const outcome = answers.methods[method];
  if ("value" in outcome) return `${toPosition(label)} ${toSpan(outcome.milliseconds)}`;
  // What refuses says so after the method's name, which the finding has already.
  return `${toPosition(label)} no (${withoutLabel(outcome.failed, label).replace(/^\w+: /, "")})`;
}

/** Any of them may be the one that a list comes from. */
function judgeBasisPoints(variable: string, usable: UsableExamination[]): Finding {
  const subject = "basis points";
  const lacking = usable.filter(({ answers: { votes } }) => !("value" in votes && votes.value.inBasisPoints));
  if (lacking.length === 0) return ok(subject, "commissions come in basis points");
  const positions = lacking.map(({ label }) => toPosition(label)).join(", ");
  const found = `${positions}: commissions in whole percents only, as nodes older than Agave 4.1 tell them`;
  const advice =
    lacking.length === usable.length
      ? `Changes of less than a percent will not be seen: add a newer node to ${variable}.`
      : `Put the others first in ${variable}: where only this one answers, changes of less than a percent are not seen.`;
  return warning(subject, found, advice);
}
