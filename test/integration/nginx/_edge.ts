import { parseTrustedProxies } from "../../../proxy/limits/client-address.ts";
import { findFreePort } from "../../free-port.ts";
import { waitUntilOpen } from "../open-port.ts";
import { createWorld, listen, type World } from "../../proxy/_setup.ts";
import { MAINNET, type PublishedObject } from "../../proxy/fixtures.ts";
import type { Site } from "../../../proxy/site.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { isPresent } from "../../required.ts";

/** Whether nginx is installed; `.ci/install-package nginx` installs Debian's. */
export const hasNginx = isPresent(
  "nginx",
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .some((directory) => existsSync(join(directory, "nginx"))),
);

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Question {
  method?: string;
  headers?: Record<string, string>;
  /** The client's loopback address; by default a fresh one. */
  from?: string;
  body?: string;
}

export type Ask = (path: string, question?: Question) => Promise<Answer>;

/** nginx with our configuration before a real proxy and an in-memory store. */
export interface Edge {
  world: World;
  url: string;
  proxyUrl: string;
  ask: Ask;
  askProxy: Ask;
  closeProxy: () => Promise<void>;
  ageCache: (seconds: number) => Promise<void>;
  readLog: () => Promise<string[]>;
  close: () => Promise<void>;
}

export interface EdgeOptions {
  published?: readonly PublishedObject[];
  perMinute?: number;
  site?: Site;
}

export async function startEdge(options: EdgeOptions = {}): Promise<Edge> {
  const { published = MAINNET, perMinute = 100_000, site } = options;
  const trusted = parseTrustedProxies("1")!;
  const made = await createWorld(published, { perMinute, trusted, ...(site && { site }) });
  const { world } = made;
  const proxy = await listen(made);
  const proxyUrl = proxy.url;
  const nginx = await startNginx(new URL(proxyUrl).host);
  let isOpen = true;
  const closeProxy = async () => {
    if (isOpen) await proxy.close();
    isOpen = false;
  };
  return {
    world,
    url: nginx.url,
    proxyUrl,
    ask: askAt(nginx.url),
    askProxy: askAt(proxyUrl),
    closeProxy,
    ageCache: (seconds) => ageCache(join(nginx.directory, "written"), seconds),
    readLog: async () =>
      (await readFile(join(nginx.directory, "written/trouble.log"), "utf8")).trim().split("\n"),
    async close() {
      await nginx.stop();
      await closeProxy();
    },
  };
}

const START_MILLISECONDS = 10_000;

/** @param tls as in {@link NginxPlace} */
export async function startNginx(proxy: string, tls?: NginxPlace["tls"]) {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-nginx-"));
  const port = await findFreePort();
  const args = await placeNginx({
    directory,
    listen: `127.0.0.1:${port}`,
    proxy,
    ...(tls && { tls }),
  });
  // A machine's default limit; the configuration asks for more.
  const nginx = spawn("sh", ["-c", 'ulimit -Sn 1024 && exec nginx "$@"', "sh", ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaints = "";
  nginx.stderr.on("data", (data: Buffer) => (complaints += data.toString()));
  const ended = once(nginx, "exit");
  const failed = ended.then(() => Promise.reject(new Error(`nginx does not start: ${complaints}`)));
  failed.catch(() => undefined);
  await Promise.race([waitUntilOpen(port, AbortSignal.timeout(START_MILLISECONDS)), failed]);
  return {
    url: `http://127.0.0.1:${port}`,
    directory,
    async stop() {
      nginx.kill("SIGTERM");
      await ended;
      await rm(directory, { recursive: true });
    },
  };
}

const FILES = join(import.meta.dirname, "../../../infra/nginx");

interface NginxPlace {
  directory: string;
  listen: string;
  /** `ADDRESS:PORT` of the proxy, numeric: nothing resolves names as Docker does. */
  proxy: string;
  /** Also listens on these `ADDRESS:PORT`: over TLS, with this directory's certificate; `plain` redirects. */
  tls?: { listen: string; plain: string; directory: string };
}

/**
 * Logs to a file: a Node process's stdout is a socket, which cannot be opened by name.
 * @returns nginx's arguments
 */
export async function placeNginx({ directory, listen, proxy, tls }: NginxPlace): Promise<string[]> {
  const configuration = join(directory, "configuration");
  const written = join(directory, "written");
  await cp(FILES, configuration, { recursive: true });
  await mkdir(written, { recursive: true });
  // Started by root, nginx works as another user.
  for (const open of [directory, written]) await chmod(open, 0o755);
  const addresses = join(configuration, "addresses.conf");
  if (tls !== undefined) {
    await rename(join(configuration, "addresses.tls.conf"), addresses);
    await replaceIn(addresses, {
      "listen 8443 ": `listen ${tls.listen} `,
      "listen [::]:8443 ssl http2;": "",
      "listen 8081;": `listen ${tls.plain};`,
      "listen [::]:8081;": "",
      "($server_port = 8081)": `($server_port = ${new URL(`http://${tls.plain}`).port})`,
      "root /etc/certificates;": `root ${tls.directory};`,
      "/etc/certificates/fullchain.pem": join(tls.directory, "fullchain.pem"),
      "/etc/certificates/privkey.pem": join(tls.directory, "privkey.pem"),
    });
  }
  await replaceIn(addresses, {
    "listen 8080;": `listen ${listen};`,
    "set $proxy proxy:8080;": `set $proxy ${proxy};`,
  });
  await replaceIn(join(configuration, "nginx.conf"), {
    "access_log /dev/stdout ": "access_log trouble.log ",
  });
  return ["-p", `${written}/`, "-c", join(configuration, "nginx.conf")];
}

async function replaceIn(
  file: string,
  replacements: Readonly<Record<string, string>>,
): Promise<void> {
  let text = await readFile(file, "utf8");
  for (const [there, here] of Object.entries(replacements)) {
    if (!text.includes(there))
      throw new Error(`${file} has no «${there}» to put «${here}» in its place.`);
    text = text.replace(there, () => here);
  }
  await writeFile(file, text);
}

let clients = 0;

/** The loopback has 16 million addresses, each a client. */
export function newClient(): string {
  clients += 1;
  return `127.1.${(clients >> 8) & 255}.${clients & 255}`;
}

export function askAt(url: string): Ask {
  const { hostname, port } = new URL(url);
  return (path, { method = "GET", headers = {}, from = newClient(), body } = {}) =>
    new Promise((resolve, reject) => {
      const options = {
        hostname,
        port,
        path,
        method,
        headers,
        localAddress: from,
        agent: false,
        setHost: true,
      };
      const request = httpRequest(options, (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece)).on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(pieces),
          }),
        );
      });
      request.on("error", reject).end(body);
    });
}

/** Offset of `valid_sec` in ngx_http_file_cache_header_t, after its version. */
const VALID_SECONDS_OFFSET = 8;

async function ageCache(directory: string, seconds: number): Promise<void> {
  for (const path of await findCached(directory)) {
    const file = await open(path, "r+");
    const valid = Buffer.alloc(8);
    await file.read(valid, 0, 8, VALID_SECONDS_OFFSET);
    valid.writeBigInt64LE(valid.readBigInt64LE() - BigInt(seconds));
    await file.write(valid, 0, 8, VALID_SECONDS_OFFSET);
    await file.close();
  }
}

/** The cached files, once written: a client may get its answer earlier. */
async function findCached(directory: string): Promise<string[]> {
  for (;;) {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && /^[0-9a-f]{32}/.test(entry.name));
    // Unfinished files have a number after their name.
    const areWritten = files.length > 0 && files.every(({ name }) => name.length === 32);
    if (areWritten) return files.map(({ parentPath, name }) => join(parentPath, name));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
