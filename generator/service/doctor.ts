import type { Dispatcher } from "undici";
import type { Network } from "../contract/networks.ts";
import { readSeries, type Series } from "../journal/series.ts";
import { examineEndpoint } from "../observe/endpoint-examination.ts";
import { createDispatcher } from "../rpc/http.ts";
import { GENESIS_HASHES } from "../rpc/ranking.ts";
import { createRpc } from "../rpc/rpc.ts";
import { toNetworks, type Settings, type SettingsDiagnosis } from "../settings/settings.ts";
import { openStore } from "../store/open.ts";
import type { Clock } from "./context.ts";
import { examineAlerts } from "./doctor/alerts.ts";
import { judgeCapabilities } from "./doctor/capabilities.ts";
import { judgeClock } from "./doctor/clock.ts";
import { examineDatabases } from "./doctor/databases.ts";
import { judgeEndpoints } from "./doctor/endpoints.ts";
import { look, toFinding, type Finding, type Level } from "./doctor/findings.ts";
import { examineJournal } from "./doctor/journal.ts";
import { examineMev } from "./doctor/mev.ts";
import { examineStores } from "./doctor/stores.ts";
import { judgeProofs, judgeWitnesses } from "./doctor/witnesses.ts";

interface DoctorOptions {
  examined: SettingsDiagnosis;
  clock: Clock;
  network: Network | "all";
  signal: AbortSignal;
}

export interface Diagnosis {
  command: "doctor";
  network: Network | "all";
  /** There may be warnings. */
  healthy: boolean;
  counts: Record<Level, number>;
  sections: Section[];
  durationMs: number;
}

interface Section {
  title: string;
  findings: Finding[];
}

/**
 * `generate doctor`: looks at all that a snapshot needs. A failure is a finding. Ends within a minute and leaves
 * nothing behind.
 */
export async function doctor(options: DoctorOptions): Promise<Diagnosis> {
  const { examined, clock, network, signal } = options;
  const startedAt = clock.timer();
  const others = examined.settings === null ? [] : await examineAll(examined.settings, options);
  signal.throwIfAborted();
  const sections = [{ title: "Settings", findings: examineSettings(examined) }, ...others];
  const counts = { ok: 0, warning: 0, problem: 0 };
  for (const { level } of sections.flatMap((section) => section.findings)) counts[level] += 1;
  const durationMs = Math.round(clock.timer() - startedAt);
  return { command: "doctor", network, healthy: counts.problem === 0, counts, sections, durationMs };
}

/** Which variables are set and which are wrong. Never shows values: some hold keys. */
export function examineSettings({ set, misspelt, complaints }: SettingsDiagnosis): Finding[] {
  return [
    toFinding("ok", "set", set.join(", ") || "no variable"),
    ...misspelt.map(({ name, meant }) =>
      toFinding("warning", "unknown", `${name}; did you mean ${meant}?`, "Rugwatch ignores it. Rename it or unset it."),
    ),
    ...complaints.map((one) => toFinding("problem", "wrong", one, "generator/README.md has the table of variables.")),
  ];
}

async function examineAll(settings: Settings, options: DoctorOptions): Promise<Section[]> {
  const { clock, network } = options;
  const networks = toNetworks(network);
  const dispatcher = createDispatcher();
  const section = async (title: string, work: () => Promise<Finding[]>) => ({
    title,
    findings: await look(clock, title.toLowerCase(), work),
  });
  try {
    return await Promise.all([
      section("Stores", () => examineStores(settings)),
      section("Location databases", () => examineDatabases(settings.geo, clock.now())),
      section("Alerts", () =>
        examineAlerts({ alerts: settings.alerts, networks, stateStore: openStore(settings.stateStore) }),
      ),
      ...networks.map((one) => examineNetwork(one, settings, { ...options, dispatcher })),
    ]);
  } finally {
    await dispatcher.destroy();
  }
}

type NetworkOptions = DoctorOptions & { dispatcher: Dispatcher };

async function examineNetwork(network: Network, settings: Settings, options: NetworkOptions): Promise<Section> {
  const { clock, dispatcher, signal } = options;
  const stores = { publicStore: openStore(settings.publicStore), stateStore: openStore(settings.stateStore) };
  const known = readSeries(stores.stateStore, network);
  const findings = await Promise.all([
    look(clock, "endpoints", async () =>
      // The look at the journal says what cannot be read.
      examineEndpoints(network, settings.rpcUrls[network], await known.catch(() => []), options),
    ),
    look(clock, "MEV API", () =>
      examineMev(network, settings.mevUrls[network], { dispatcher, now: clock.timer, signal }),
    ),
    look(clock, "journal", async () => examineJournal({ network, ...stores, series: await known, now: clock.now() })),
  ]);
  return { title: network, findings: findings.flat() };
}

async function examineEndpoints(
  network: Network,
  endpoints: string[],
  series: Series[],
  { clock: { timer, now }, dispatcher, signal }: NetworkOptions,
): Promise<Finding[]> {
  const rpc = createRpc({ endpoints, now: timer, dispatcher, signal });
  const examinations = await Promise.all(rpc.endpoints.map((endpoint) => examineEndpoint({ endpoint, now, timer })));
  const genesis = series.at(-1)?.genesis ?? GENESIS_HASHES[network];
  const { findings, panel } = judgeEndpoints(network, genesis, examinations);
  const ofUsable = () => [judgeClock(network, panel.usable), ...judgeCapabilities(panel), judgeProofs(panel)];
  return [...findings, judgeWitnesses(panel), ...(panel.usable.length > 0 ? ofUsable() : [])];
}
