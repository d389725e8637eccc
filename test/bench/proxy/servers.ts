import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LIST_PATH } from "./questions.ts";
import { spawnProxy } from "../../proxy/spawn-proxy.ts";
import { placeNginx } from "../../integration/nginx/_edge.ts";
import { findFreePort } from "../../free-port.ts";

const START_MILLISECONDS = 10_000;
const STOP_MILLISECONDS = 10_000;

export interface Measured {
  url: string;
  stop(): Promise<void>;
}

export function startProxy(directory: string): Promise<Measured> {
  const flags = (process.env["RUGWATCH_BENCH_NODE_FLAGS"] ?? "")
    .split(" ")
    .filter((flag) => flag !== "");
  return startNode(
    ["--max-semi-space-size=32", "--no-allocation-site-pretenuring", ...flags, "proxy/main.ts"],
    {
      TRUST_PROXY: "1",
      // What nginx does not cache it asks for one client.
      RATE_LIMIT_PER_MINUTE: "1000000",
      RUGWATCH_PUBLIC: `file:${directory}`,
      // No cluster: nothing here may leave the machine.
      MAINNET_RPC_URLS: "http://127.0.0.1:9",
      TESTNET_RPC_URLS: "http://127.0.0.1:9",
      ALPENGLOW_RPC_URLS: "http://127.0.0.1:9",
    },
  );
}

export function startBaseline(
  framework: "node" | "h3",
  headersFile: string,
  bodyFile: string,
): Promise<Measured> {
  return startNode(["test/bench/proxy/baseline.ts", framework, headersFile, bodyFile], {});
}

/** All load comes from one client. */
export async function startShippedNginx(directory: string, proxy: Measured): Promise<Measured> {
  const port = await findFreePort();
  const listen = `127.0.0.1:${port}`;
  const args = await placeNginx({ directory, listen, proxy: new URL(proxy.url).host });
  const child = spawn("nginx", args, { stdio: "ignore" });
  await once(child, "spawn");
  const url = `http://${listen}`;
  await waitUntilAnswers(url);
  return toMeasured(child, url);
}

interface NginxOptions {
  directory: string;
  list: Uint8Array;
  headers: readonly (readonly [name: string, value: string])[];
}

/** As many workers and the same headers as the shipped one; files stay open, no log. */
export async function startNginx({ directory, list, headers }: NginxOptions): Promise<Measured> {
  await mkdir(join(directory, "root"));
  await writeFile(join(directory, "root/list.json"), list);
  const port = await findFreePort();
  await writeFile(
    join(directory, "nginx.conf"),
    toNginxConfiguration({ directory, port, headers }),
  );
  const child = spawn("nginx", ["-p", directory, "-c", join(directory, "nginx.conf")], {
    stdio: "ignore",
  });
  await once(child, "spawn");
  const url = `http://127.0.0.1:${port}`;
  await waitUntilAnswers(url);
  return toMeasured(child, url);
}

/** nginx makes these itself. */
const OWN_HEADERS = new Set(["content-length", "content-type", "etag", "last-modified"]);

function toNginxConfiguration({
  directory,
  port,
  headers,
}: Omit<NginxOptions, "list"> & { port: number }): string {
  const added = headers.filter(([name]) => !OWN_HEADERS.has(name));
  return `daemon off; worker_processes auto; pid ${directory}/nginx.pid; error_log ${directory}/error.log crit;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; etag on;
  keepalive_requests 1000000000; keepalive_timeout 60;
  open_file_cache max=10000 inactive=300s; open_file_cache_valid 300s; open_file_cache_min_uses 1;
  client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxied;
  fastcgi_temp_path ${directory}/fastcgi; uwsgi_temp_path ${directory}/uwsgi; scgi_temp_path ${directory}/scgi;
  default_type "application/json; charset=utf-8";
  ${added.map(([name, value]) => `add_header ${name} ${JSON.stringify(value)};`).join(" ")}
  server {
    listen 127.0.0.1:${port};
    root ${directory}/root;
    location = ${LIST_PATH} { try_files /list.json =404; }
  }
}
`;
}

async function startNode(args: string[], environment: Record<string, string>): Promise<Measured> {
  const server = spawnProxy(environment, args);
  return {
    url: await server.getUrl(),
    async stop() {
      await server.stop(STOP_MILLISECONDS);
    },
  };
}

function toMeasured(child: ChildProcess, url: string): Measured {
  const ended = once(child, "exit");
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function waitUntilAnswers(url: string): Promise<void> {
  const until = performance.now() + START_MILLISECONDS;
  while (performance.now() < until) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${url} does not answer`);
}
