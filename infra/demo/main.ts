import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettings as readProxySettings } from "../../proxy/settings.ts";
import { createSystemClock, type Context } from "../../generator/service/context.ts";
import { toComplaints } from "../../generator/commands/complaint.ts";
import { createLog } from "../../proxy/log.ts";
import { assertPortFree } from "../../generator/monitoring/listen.ts";
import { readDemoSettings } from "../../generator/settings/settings.ts";
import { SettingsError } from "../../generator/settings/variables.ts";
import type { EventRecord } from "../../generator/ledger/event-record.ts";
import type { MevState } from "../../generator/ledger/records.ts";
import { demo, type Ready } from "./demo.ts";
import { buildSite } from "./site.ts";
import type { Report } from "../../generator/service/report.ts";
import { Command } from "commander";

const FAILED = 1;
const WRONG_USE = 2;

const clock = createSystemClock();
const stopping = new AbortController();
const { signal } = stopping;
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => stopping.abort(new Error(`stopped by ${name}`)));
}

const program = new Command("demo")
  .description(
    "Shows Rugwatch over three simulated clusters: replays a recorded day of theirs as if it " +
      "ended now, and goes on to observe them. Generator, proxy and site run in one process. " +
      "Each run begins anew and keeps nothing.",
  )
  .addHelpText(
    "after",
    [
      "",
      "The demo also reads the environment variables in generator/README.md and proxy/README.md.",
      "Examples:",
      "  npm run demo                       then open http://127.0.0.1:8080",
      "  PORT=9000 npm run demo             on another port",
      "  RUGWATCH_PUBLIC=file:demo/public RUGWATCH_STATE=file:demo/state npm run demo",
      "                                     keeps what it publishes and its journal; both must be empty",
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

async function play(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-demo-"));
  try {
    const [settings, proxySettings] = readTogether(
      () => readDemoSettings(directory),
      readProxySettings,
    );
    await assertPortFree(proxySettings);
    await demo({
      settings,
      proxySettings,
      directory,
      site: Promise.resolve(proxySettings.siteDirectory ?? buildSite({ signal, say })),
      clock,
      signal,
      onProxyLog: createLog({
        write: (line) => say(line.trimEnd()),
        now: clock.now,
        level: "warn",
      }),
      onReplay: (network, observations) =>
        say(`Replaying ${observations} observations of ${network}.`),
      onReady: (ready) => say(welcome(ready)),
      onReport: (report, context) => tellEvents(report, context, say),
      onError: complain,
    });
  } finally {
    await rm(directory, { recursive: true });
  }
  say("Stopped.");
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

function welcome({ url, hasSite, mainnet: { cluster, simulator } }: Ready): string {
  const wallet = cluster.stakeProgram.walletAt(8);
  const rpcUrls = simulator.rpcUrls("mainnet").join(",");
  const mevUrl = simulator.mevUrl("mainnet") ?? "none";
  return `
Rugwatch runs at ${url}, with three simulated clusters; testnet and alpenglow follow in seconds.
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
terminal:

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

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function complain(error: unknown): void {
  for (const line of toComplaints(error)) say(line);
}
