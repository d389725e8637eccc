import { readFile } from "node:fs/promises";
import type { Dispatcher } from "undici";
import { toNetworks, type Settings, type SettingsDiagnosis } from "../settings/settings.ts";
import type { Network } from "../contract/networks.ts";
import { readSeries, type Series } from "../journal/series.ts";
import { examineEndpoint } from "../observe/endpoint-examination.ts";
import { GENESIS_HASHES } from "../rpc/ranking.ts";
import { createDispatcher } from "../rpc/http.ts";
import { createRpc } from "../rpc/rpc.ts";
import type { ServerContact } from "../rpc/clock.ts";
import { openStore } from "../store/open.ts";
import type { Clock } from "./context.ts";
import { examineAlerts } from "./doctor/alerts.ts";
import { judgeCapabilities } from "./doctor/capabilities.ts";
import { judgeChainClock, judgeClock } from "./doctor/clock.ts";
import { examineDatabases } from "./doctor/databases.ts";
import { judgeEndpoints } from "./doctor/endpoints.ts";
import { guard, ok, toFinding, warning, warnIf, type Finding, type Level, type Section } from "./doctor/findings.ts";
import { examineJournal } from "./doctor/journal.ts";
import { examineMev } from "./doctor/mev.ts";
import { examineStores } from "./doctor/stores.ts";
import { judgeProofs, judgeWitnesses } from "./doctor/witnesses.ts";

export interface DoctorOptions {
  examined: SettingsDiagnosis;
  clock: Clock;
  network: Network | "all";
  /** As `process.versions.node`. */
  nodeVersion: string;
  signal: AbortSignal;
}

/** What works, and what to fix. */
export interface Diagnosis {
  command: "doctor";
  network: Network | "all";
  /** No problem; there may be warnings. */
  healthy: boolean;
  counts: Record<Level, number>;
  sections: Section[];
  durationMs: number;
}

/** Longest time of each look, and of all: they run at once. */
const LOOK_MILLISECONDS = 50_000;
const NVMRC = new URL("../../.nvmrc", import.meta.url);

/**
 * `generate doctor`: looks at all that a snapshot needs. A failure is a finding. Ends within a minute and leaves
 * nothing behind.
 */
export async function doctor(options: DoctorOptions): Promise<Diagnosis> {
  const { examined, clock, network, signal } = options;
  const startedAt = clock.timer();
  const sections = await examineAll(options);
  signal.throwIfAborted();
  const counts = { ok: 0, warning: 0, problem: 0 };
  for (const { level } of sections.flatMap(({ findings }) => findings)) counts[level] += 1;
  const healthy = examined.settings !== null && counts.problem === 0;
  const durationMs = Math.round(clock.timer() - startedAt);
  return { command: "doctor", network, healthy, counts, sections, durationMs };
}

async function examineAll(options: DoctorOptions): Promise<Section[]> {
  const { examined, clock, network } = options;
  const settingsSection = { title: "Settings", findings: examineSettings(examined) };
  const node = examineNode({ running: options.nodeVersion, wanted: await readFile(NVMRC, "utf8").catch(() => null) });
  const { settings } = examined;
  if (settings === null) return [{ title: "Machine", findings: [node] }, settingsSection];

  const dispatcher = createDispatcher();
  const look = (subject: string, work: () => Promise<Finding[]>, waitingFor?: ReadonlyMap<string, string>) =>
    guard({ clock, subject, milliseconds: LOOK_MILLISECONDS, ...(waitingFor && { waitingFor }) }, work);
  const stuck = new Map<string, string>();
  try {
    const contacts: ServerContact[] = [];
    const [stores, databases, alerts, ...networks] = await Promise.all([
      look("stores", () => examineStores({ settings, timer: clock.timer, waitingFor: stuck }), stuck),
      look("location databases", () => examineDatabases({ geo: settings.geo, now: clock.now() })),
      look("alerts", () =>
        examineAlerts({
          alerts: settings.alerts,
          networks: toNetworks(network),
          stateStore: openStore(settings.stateStore),
        }),
      ),
      ...toNetworks(network).map((one) =>
        examineNetwork({ ...options, settings, network: one, dispatcher, contacts, look }),
      ),
    ]);
    return [
      { title: "Machine", findings: [node, judgeClock(contacts)] },
      settingsSection,
      { title: "Stores", findings: stores },
      { title: "Location databases", findings: databases },
      { title: "Alerts", findings: alerts },
      ...networks,
    ];
  } finally {
    await dispatcher.destroy();
  }
}

/**
 * @param running `24.21.0`
 * @param wanted from `.nvmrc`, `24` or `24.21`; null: there is none
 */
export function examineNode({ running, wanted }: { running: string; wanted: string | null }): Finding {
  if (wanted === null) return ok("Node", `${running}; no .nvmrc here to compare it with`);
  const version = wanted.trim().replace(/^v/, "");
  const isWanted = `${running}.`.startsWith(`${version}.`);
  const found = isWanted ? `${running}, as .nvmrc wants` : `${running}, but .nvmrc wants ${version}`;
  return warnIf(!isWanted, "Node", found, `Use npm run, or install Node ${version}.`);
}

/** Which variables are set and which are wrong. Never shows values: some hold keys. */
export function examineSettings({ set, unset, misspelt, complaints }: SettingsDiagnosis): Finding[] {
  const table = "generator/README.md has the table of variables.";
  return [
    ok("set", set.length === 0 ? "no variable" : set.join(", ")),
    ok("default", unset.length === 0 ? "no variable" : unset.join(", ")),
    ...misspelt.map(({ name, meant }) =>
      warning("unknown", `${name}; did you mean ${meant}?`, "Rugwatch ignores it. Rename it or unset it."),
    ),
    ...complaints.map((complaint, index) =>
      toFinding("problem", "wrong", complaint, index === complaints.length - 1 ? table : null),
    ),
  ];
}

interface NetworkOptions extends DoctorOptions {
  settings: Settings;
  network: Network;
  dispatcher: Dispatcher;
  /** Receives every server that answered. */
  contacts: ServerContact[];
  look: (subject: string, work: () => Promise<Finding[]>) => Promise<Finding[]>;
}

async function examineNetwork(options: NetworkOptions): Promise<Section> {
  const { network, settings, clock, look } = options;
  const stores = { publicStore: openStore(settings.publicStore), stateStore: openStore(settings.stateStore) };
  const known = readSeries(stores.stateStore, network);
  const [cluster, journal] = await Promise.all([
    // The journal's section says what cannot be read; it must not stop this one.
    look("endpoints", async () => examineCluster(options, await known.catch(() => []))),
    look("journal", async () => examineJournal({ ...stores, network, series: await known, now: clock.now() })),
  ]);
  return { title: network, findings: [...cluster, ...journal] };
}

async function examineCluster(options: NetworkOptions, series: Series[]): Promise<Finding[]> {
  const { network, settings, clock, dispatcher, contacts, signal } = options;
  const addresses = settings.rpcUrls[network];
  const { timer, now } = clock;
  const rpc = createRpc({ endpoints: addresses, now: timer, dispatcher, signal });
  const examinations = await Promise.all(
    rpc.endpoints.map((endpoint, position) =>
      examineEndpoint({ endpoint, address: addresses[position] ?? "", dispatcher, now, timer, signal }),
    ),
  );
  const genesis = series.at(-1)?.genesis ?? GENESIS_HASHES[network];
  const { findings, usable } = judgeEndpoints({ network, genesis, examinations });
  const labels = examinations.map(({ label }) => label);
  const epoch = usable[0]?.epoch.epoch ?? null;
  const mev = await examineMev({ network, mevUrl: settings.mevUrls[network], epoch, dispatcher, now, timer, signal });
  const answered = [...examinations.map(({ contact }) => contact), mev.contact];
  contacts.push(...answered.flatMap((contact) => (contact === null || "failed" in contact ? [] : [contact])));
  const ofUsable = [
    judgeChainClock(network, usable),
    ...judgeCapabilities(network, { labels, usable }),
    ...judgeProofs({ network, labels, usable, now: now() }),
  ];
  return [
    ...findings,
    judgeWitnesses(network, { examinations, usable }),
    ...(usable.length > 0 ? ofUsable : []),
    ...mev.findings,
  ];
}
