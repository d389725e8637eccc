import { readCounts, say } from "../soak/command-line.ts";
import { startLiveProxy } from "./fuzz/live-proxy.ts";
import { fuzz } from "./fuzz/run.ts";

const HELP = `Sends made-up requests, most of them almost right, to a proxy in a process of its own, and checks every answer by the
OpenAPI document that it serves.

npx node test/proxy/fuzz.ts [--requests 100000] [--seed 1]

Ends with 1 when an answer is not as described, or the proxy logs an error or ends.`;

const { requests, seed } = readCounts(HELP, {
  requests: { default: 100_000 },
  seed: { default: 1 },
});
const proxy = await startLiveProxy();
const onProgress = (done: number) => say(`${done} requests`);
const { statuses, faults } = await fuzz({ url: proxy.url, requests, seed, onProgress });
faults.push(...(await proxy.stop()));
say(`${requests} requests of seed ${seed}: ${JSON.stringify(statuses)}, ${faults.length} faults`);
for (const fault of faults) say(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
