import { parseArgs } from "node:util";
import { startLiveProxy } from "./fuzz/live-proxy.ts";
import { fuzz } from "./fuzz/run.ts";

const HELP = `Sends made-up requests, most of them almost right, to a proxy in a process of its own, and checks every answer by the
OpenAPI document that it serves.

node test/proxy/fuzz.ts [--requests 100000] [--seed 1]

Ends with 1 when an answer is not as described, or the proxy logs an error or ends.`;

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) say(HELP);
else process.exitCode = await main();

async function main(): Promise<number> {
  const requests = toCount("requests", values.requests);
  const seed = toCount("seed", values.seed);
  const proxy = await startLiveProxy();
  const { statuses, faults } = await fuzz({
    url: proxy.url,
    requests,
    seed,
    onProgress: (done) => say(`${done} requests`),
  });
  faults.push(...(await proxy.stop()));
  say(`${requests} requests of seed ${seed}: ${JSON.stringify(statuses)}, ${faults.length} faults`);
  for (const fault of faults) say(fault);
  return faults.length > 0 ? 1 : 0;
}

function toCount(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} must be a whole number from 1, not ${text}.`);
  return count;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
