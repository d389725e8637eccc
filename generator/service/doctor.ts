import type { Network } from "../contract/networks.ts";
import { createDispatcher } from "../rpc/http.ts";
import {
  assertWatched,
  toNetworks,
  type Settings,
  type SettingsDiagnosis,
} from "../settings/settings.ts";
import { openStore } from "../store/open.ts";
import type { Clock } from "./context.ts";
import { checkAlerts } from "./doctor/alerts.ts";
import {
  LIMITS,
  runCheck,
  toFinding,
  type CheckContext,
  type Finding,
  type Level,
} from "./doctor/check.ts";
import { checkDatabases } from "./doctor/databases.ts";
import { checkEndpoints } from "./doctor/endpoints.ts";
import { checkJournal } from "./doctor/journal.ts";
import { checkMev } from "./doctor/mev.ts";
import { checkStores } from "./doctor/stores.ts";

type Check = [
  section: string,
  subject: string,
  check: (context: CheckContext) => Promise<Finding[]>,
];

/** All run at once: a diagnosis takes as long as the slowest. */
const CHECKS: Check[] = [
  ["Stores", "stores", checkStores],
  ["Location databases", "location databases", checkDatabases],
  ["Alerts", "alerts", checkAlerts],
];

/** Each network is a section. */
const toNetworkChecks = (network: Network): Check[] => [
  [network, "endpoints", (context) => checkEndpoints(network, context)],
  [network, "MEV API", (context) => checkMev(network, context)],
  [network, "journal", (context) => checkJournal(network, context)],
];

interface DoctorOptions {
  examined: SettingsDiagnosis;
  clock: Clock;
  network: Network | "all";
  signal: AbortSignal;
  limits?: typeof LIMITS;
}

/** What `generate doctor` found, as `--json` prints it. */
export interface Diagnosis {
  command: "doctor";
  network: Network | "all";
  /** No problem was found; there may be warnings. */
  healthy: boolean;
  counts: Record<Level, number>;
  sections: { title: string; findings: Finding[] }[];
  durationMs: number;
}

/**
 * `generate doctor`: checks all that a snapshot needs.
 * Ends within half a minute and leaves nothing behind.
 */
export async function doctor({ examined, ...options }: DoctorOptions): Promise<Diagnosis> {
  const { clock, network, signal } = options;
  const startedAt = clock.timer();
  const others = examined.settings === null ? [] : await runChecks(examined.settings, options);
  signal.throwIfAborted();
  const sections = [{ title: "Settings", findings: judgeSettings(examined) }, ...others];
  const counts = { ok: 0, warning: 0, problem: 0 };
  for (const { level } of sections.flatMap(({ findings }) => findings)) counts[level] += 1;
  const durationMs = Math.round(clock.timer() - startedAt);
  return {
    command: "doctor",
    network,
    healthy: counts.problem === 0,
    counts,
    sections,
    durationMs,
  };
}

/** Which variables are set and which are wrong. Never shows values: some hold keys. */
export function judgeSettings({ set, misspelt, complaints }: SettingsDiagnosis): Finding[] {
  return [
    toFinding("ok", "set", set.join(", ") || "no variable"),
    ...misspelt.map(({ name, meant }) =>
      toFinding(
        "warning",
        "unknown",
        `${name}; did you mean ${meant}?`,
        "Rugwatch ignores it. Rename it or unset it.",
      ),
    ),
    ...complaints.map((one) =>
      toFinding("problem", "wrong", one, "generator/README.md has the table of variables."),
    ),
  ];
}

async function runChecks(
  settings: Settings,
  { clock, network, signal, limits = LIMITS }: Omit<DoctorOptions, "examined">,
): Promise<Diagnosis["sections"]> {
  assertWatched(network, settings);
  const networks = toNetworks(network, settings);
  const stores = {
    publicStore: openStore(settings.publicStore),
    stateStore: openStore(settings.stateStore),
  };
  const dispatcher = createDispatcher();
  const context = { settings, networks, ...stores, clock, dispatcher, signal, limits };
  const checks = [...CHECKS, ...networks.flatMap(toNetworkChecks)];
  try {
    const findings = await Promise.all(
      checks.map(([, subject, check]) => runCheck(subject, check, context)),
    );
    const bySection = Map.groupBy(checks.entries(), ([, [section]]) => section);
    return [...bySection].map(([title, own]) => ({
      title,
      findings: own.flatMap(([index]) => findings[index] ?? []),
    }));
  } finally {
    await dispatcher.destroy();
  }
}
