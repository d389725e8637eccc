import { readSettings as readProxySettings } from "../../proxy/settings.ts";
import { createSystemClock, type Context } from "../../generator/service/context.ts";
import { wholeNumberBetween } from "../../generator/commands/flag-values.ts";
import { toComplaints } from "../../generator/commands/complaint.ts";
import { createLog } from "../../proxy/log.ts";
import { assertPortFree } from "../../generator/monitoring/listen.ts";
import { readDemoSettings } from "../../generator/settings/settings.ts";
import { SettingsError } from "../../generator/settings/variables.ts";
import type { EventRecord } from "../../generator/ledger/event-record.ts";
import type { MevState } from "../../generator/ledger/records.ts";
import { demo, type Stage, buildSite } from "./demo.ts";
import type { StoryRequest } from "./story.ts";
import type { Report } from "../../generator/service/report.ts";
import { Command } from "commander";

interface Flags extends StoryRequest {
  epochMinutes: number;
  fresh?: true;
}

const FAILED = 1;
const WRONG_USE = 2;

const world = createSystemClock();
const stopping = new AbortController();
const { signal } = stopping;
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => stopping.abort(new Error(`stopped by ${name}`)));
}

const program = new Command("demo")
  .description(
    "Runs three simulated clusters, the generator that observes them, the proxy and the site " +
      "in one process. Keeps its data in .data/demo and continues the same story the next time.",
  )
  .option(
    "--validators <count>",
    "validators of mainnet; other networks have fewer",
    wholeNumberBetween(40, 3000),
    200,
  )
  .option(
    "--stake-accounts <count>",
    "stake accounts of mainnet",
    wholeNumberBetween(240, 1_200_000),
    4000,
  )
  .option("--epoch-minutes <minutes>", "real minutes per epoch", wholeNumberBetween(1, 1440), 2)
  .option(
    "--seed <number>",
    "another seed plays another story",
    wholeNumberBetween(0, 1_000_000),
    1,
  )
  .option("--fresh", "delete the stored story and start a new one")
  .addHelpText(
    "after",
    [
      "",
      "The demo also reads the environment variables in generator/README.md and proxy/README.md.",
      "Examples:",
      "  npm run demo                                       then open http://127.0.0.1:8080",
      "  PORT=9000 npm run demo -- --fresh --epoch-minutes 5  a new, slower story on another port",
    ].join("\n"),
  )
  .showHelpAfterError("(run with --help for usage)")
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : WRONG_USE))
  .action(play);

try {
  await program.parseAsync();
} catch (error) {
  complain(error);
  process.exitCode = error instanceof SettingsError ? WRONG_USE : FAILED;
}

async function play(flags: Flags): Promise<void> {
  const [settings, proxySettings] = readTogether(readDemoSettings, readProxySettings);
  await assertPortFree(proxySettings);
  const siteDirectory = proxySettings.siteDirectory ?? (await buildSite({ signal, say }));
  const tellProgress = createProgressTelling();
  say("Playing the story so far. This takes half a minute.");
  await demo({
    ...flags,
    fresh: flags.fresh === true,
    settings,
    proxySettings: { ...proxySettings, publicStore: settings.publicStore, siteDirectory },
    onProxyLog: createLog({ write: (line) => say(line.trimEnd()), now: world.now, level: "warn" }),
    world,
    signal,
    onProgress: tellProgress,
    onReady: ({ url, speed, stages }) =>
      say(welcome({ url, speed, stages, hasSite: siteDirectory !== null })),
    onReport: (report, context) => tellEvents(report, context, say),
    onError: complain,
  });
  say("Stopped. Run npm run demo to continue, or npm run demo -- --fresh to start over.");
}

/** One error lists what is wrong for generator and proxy. */
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

function welcome({
  url,
  speed,
  stages,
  hasSite,
}: {
  url: string;
  speed: number;
  stages: Stage[];
  hasSite: boolean;
}) {
  const mainnet = stages.find(({ network }) => network === "mainnet");
  const wallet = mainnet?.cluster.stakeProgram.walletAt(8) ?? "";
  const rpcUrls = mainnet?.simulator.rpcUrls("mainnet").join(",") ?? "";
  const mevUrl = mainnet?.simulator.mevUrl("mainnet") ?? "none";
  const now = new Date(stages[0]?.clock.now() ?? 0).toISOString().slice(0, 16).replace("T", " ");
  return `
Rugwatch runs at ${url}, with three simulated clusters. Their clock shows ${now} UTC; an hour takes ${Math.round(3600 / speed)} s.
${hasSite ? `Open ${url} in a browser, or “My stake” at ${url}/wallet?wallet=${wallet}. Or ask the API:` : "Ask the API:"}

  curl '${url}/api/v1/events?severity=RUG'          rugs of the last ten epochs
  curl '${url}/api/v1/validators?limit=5'           the five largest validators
  curl '${url}/api/v1/search?q=va'                  search validators by name or key
  curl '${url}/api/v1/epoch?network=testnet'        testnet's epoch and progress
  curl '${url}/api/v1/wallets/${wallet}'
                                                    stake accounts of a wallet
  curl '${url}/api/v1/stats/stake-concentration'    validators that together could halt the cluster
  curl '${url}/api/v1/openapi.json'                 description of all endpoints

The simulated mainnet has RPC endpoints and a MEV API, for npm run generate -- doctor in another
terminal (it finds the clock of the chain behind):

  export MAINNET_RPC_URLS=${rpcUrls} MAINNET_MEV_URL=${mevUrl}

The demo prints new events of mainnet here. Press Ctrl-C to stop.
`;
}

/** Three clusters at once are too many to read. */
function tellEvents(
  { network, events }: Report,
  { projection }: Context,
  say: (line: string) => void,
): void {
  if (network !== "mainnet" || events === 0) return;
  const { validators, events: all } = projection.ledger();
  for (const event of all.slice(-events)) {
    const { vote, name } = validators[event.validatorIndex] ?? { vote: "", name: null };
    say(
      `${event.createdAt?.slice(0, 16).replace("T", " ")}  ${toSentence(event)}  ${name ?? vote}`,
    );
  }
}

function toSentence({ severity, source, from, to, epoch, ...event }: EventRecord): string {
  const { effectiveEpoch: first, effectiveEpochLatest: last } = event;
  const epochs = first === last ? String(first) : `${first} to ${last}`;
  const kind = source === "MEV" ? "MEV commission" : "commission";
  return `${severity.padEnd(7)} ${kind} ${toText(from)} → ${toText(to)} in epoch ${epoch}, applies from epoch ${epochs}`;
}

function toText(state: MevState): string {
  return typeof state === "number" ? `${state / 100} %` : (state ?? "unknown");
}

function createProgressTelling() {
  const told = new Map<string, number>();
  return ({ network, done, total }: { network: string; done: number; total: number }): void => {
    const tenth = total === 0 ? 10 : Math.floor((done * 10) / total);
    if ((told.get(network) ?? 0) >= tenth) return;
    told.set(network, tenth);
    say(`${network}: observed ${toMinutes(done)} of ${toMinutes(total)} story minutes`);
  };
}

function toMinutes(milliseconds: number): number {
  return Math.round(milliseconds / 60_000);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function complain(error: unknown): void {
  for (const line of toComplaints(error)) say(line);
}
