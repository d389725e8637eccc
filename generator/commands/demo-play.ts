import { readSettings } from "../../proxy/settings.ts";
import { createLog } from "../../proxy/operations/log.ts";
import { assertPortFree } from "../../proxy/server.ts";
import { readDemoConfig } from "../config.ts";
import { SettingsError } from "../contract/variables.ts";
import type { EventRecord, MevState } from "../ledger/records.ts";
import type { Clock } from "./clock.ts";
import { demo, type Stage } from "./demo.ts";
import { buildSite } from "./demo-site.ts";
import type { StoryRequest } from "./demo-story.ts";
import { createProgress } from "./progress.ts";
import type { Report } from "./report.ts";
import type { Station } from "./station.ts";

export interface DemoFlags extends StoryRequest {
  epochMinutes: number;
  fresh: boolean;
}

interface Terminal {
  world: Clock;
  signal: AbortSignal;
  say: (line: string) => void;
  complain: (error: unknown) => void;
}

/** Plays the demo to a person at a terminal. */
export async function playDemo(flags: DemoFlags, { world, signal, say, complain }: Terminal): Promise<void> {
  const [config, settings] = readTogether(readDemoConfig, readSettings);
  await assertPortFree(settings);
  const siteDirectory = settings.siteDirectory ?? (await buildSite({ signal, say }));
  const tellProgress = createProgress("minutes of the story observed", say);
  say("The story so far is being observed; this takes half a minute.");
  await demo({
    ...flags,
    config,
    proxySettings: { ...settings, publicStore: config.publicStore, siteDirectory },
    onProxyLog: createLog({ write: (line) => say(line.trimEnd()), now: world.now, level: "warn" }).log,
    world,
    signal,
    onProgress: ({ network, done, total }) =>
      tellProgress({ network, folded: toMinutes(done), total: toMinutes(total) }),
    onReady: ({ url, speed, stages }) => say(welcome({ url, speed, stages, hasSite: siteDirectory !== null })),
    onReport: (report, station) => tellEvents(report, station, say),
    onError: complain,
  });
  say("Stopped. Run it again and the story goes on where it was left.");
}

/** Generator and proxy have settings of their own: what is wrong in either is told at once. */
function readTogether<One, Other>(readOne: () => One, readOther: () => Other): [One, Other] {
  const wrong = new Set<string>();
  const attempt = <Value>(read: () => Value): Value[] => {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      for (const line of error.message.split("\n")) wrong.add(line);
      return [];
    }
  };
  const [[one], [other]] = [attempt(readOne), attempt(readOther)];
  if (one === undefined || other === undefined) throw new SettingsError([...wrong].join("\n"));
  return [one, other];
}

function welcome({ url, speed, stages, hasSite }: { url: string; speed: number; stages: Stage[]; hasSite: boolean }) {
  const now = new Date(stages[0]?.clock.now() ?? 0).toISOString().slice(0, 16).replace("T", " ");
  return `
Rugwatch is at ${url}, with three simulated clusters. An hour there takes ${Math.round(3600 / speed)} s; it is ${now} UTC.
${hasSite ? `Open ${url} in a browser, or ask the API:` : "Ask the API:"}

  curl '${url}/api/v1/events?severity=RUG'          who rugged in the last ten epochs
  curl '${url}/api/v1/validators?limit=5'           the five largest validators
  curl '${url}/api/v1/search?q=va'                  find one by name or key
  curl '${url}/api/v1/epoch?network=testnet'        how far testnet's epoch is
  curl '${url}/api/v1/stats/stake-concentration'    who could stop the cluster
  curl '${url}/api/v1/openapi.json'                 all endpoints, described

New events are told here as they are confirmed. Ctrl-C stops.
`;
}

/** Changes as they are confirmed, mainnet's only: three clusters at once are too many to read. */
function tellEvents({ network, events }: Report, { keeper }: Station, say: (line: string) => void): void {
  if (network !== "mainnet" || events === 0) return;
  const { validators, events: all } = keeper.ledger();
  for (const event of all.slice(-events)) {
    const { vote, name } = validators[event.ordinal] ?? { vote: "", name: null };
    say(`${event.createdAt?.slice(0, 16).replace("T", " ")}  ${toSentence(event)}  ${name ?? vote}`);
  }
}

function toSentence({ severity, source, from, to, epoch, ...event }: EventRecord): string {
  const { effectiveEpoch: first, effectiveEpochLatest: last } = event;
  const epochs = first === last ? String(first) : `${first} to ${last}`;
  const kind = source === "MEV" ? "MEV commission" : "commission";
  return `${severity.padEnd(7)} ${kind} ${toText(from)} → ${toText(to)} in epoch ${epoch}, pays from ${epochs}`;
}

function toText(state: MevState): string {
  return typeof state === "number" ? `${state / 100} %` : (state ?? "unknown");
}

function toMinutes(milliseconds: number): number {
  return Math.round(milliseconds / 60_000);
}
