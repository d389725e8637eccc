import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findFreePort } from "../../free-port.ts";
import { hasNginx, placeNginx } from "../nginx/_edge.ts";
import { makeDirectory } from "../../store/directory.ts";
import { waitUntilOpen } from "../open-port.ts";
import { planHere, readServices, type Places } from "./compose.ts";
import { isPresent } from "../../required.ts";

// infra/compose.yaml without Docker: its commands,
// settings and order, with nginx's real configuration.

const HOUSE = join(import.meta.dirname, "../../..");
const TOOLS = join(HOUSE, ".data/tools/bin");
const START_MILLISECONDS = 60_000;

export const SECRETS = {
  GENERATOR_SECRET: "g".repeat(64),
  PROXY_SECRET: "p".repeat(64),
  VALKEY_PASSWORD: "v".repeat(64),
};

const versitygw = existsSync(TOOLS)
  ? readdirSync(TOOLS).findLast((name) => name.startsWith("versitygw-"))
  : undefined;
const valkey = ["valkey-server", "redis-server"].find(
  (name) => spawnSync(name, ["--version"]).status === 0,
);

export const hasPrograms = isPresent(
  "nginx, an S3 server or Valkey",
  hasNginx && versitygw !== undefined && valkey !== undefined,
);

export interface Machine {
  urlOf(service: string): string;
  runAgain(service: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param variables of infra/.env, without the secrets
 * @throws {Error} naming a service that does not start
 */
export async function startMachine(variables: Readonly<Record<string, string>>): Promise<Machine> {
  const { directory, remove } = await makeDirectory();
  // nginx, started by root, works as another user and must reach its directory.
  await chmod(directory, 0o711);
  const services = readServices(readFileSync(join(HOUSE, "infra/compose.yaml"), "utf8"), {
    ...SECRETS,
    ...variables,
  });
  const places = await findPlaces(directory);
  const portOf = (service: string) =>
    places.ports.get(`${service}:${services.get(service)?.expose[0]}`);
  const urlOf = (service: string) => `http://127.0.0.1:${portOf(service)}`;
  const hostOf = (service: string) => new URL(urlOf(service)).host;
  const nginx = {
    directory: join(directory, "nginx"),
    listen: hostOf("nginx"),
    proxy: hostOf("proxy"),
  };
  await placeNginx(nginx);
  const path = await linkPrograms(join(directory, "programs"));
  const lines: string[] = [];
  const running = [remove];

  function start(name: string) {
    const { program, args, environment } = planHere(name, services, places);
    const env = { ...environment, PATH: path };
    const child = spawn(program, args, { cwd: HOUSE, env, stdio: ["ignore", "pipe", "pipe"] });
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on("line", (line) => lines.push(`${name} ${line}`));
    return { child, ended: once(child, "exit") as Promise<[number | null]> };
  }

  async function runOnce(name: string): Promise<void> {
    const [status] = await start(name).ended;
    if (status !== 0) throw new Error(`${name} ended with ${status}:\n${lines.join("\n")}`);
  }

  async function findPlaces(root: string): Promise<Places> {
    const ports = new Map<string, number>();
    for (const [name, { expose }] of services)
      for (const port of expose) ports.set(`${name}:${port}`, await findFreePort());
    const mounts = [...services.values()].flatMap(({ volumes, tmpfs }) => [
      ...volumes.map((volume) => volume.split(":")[1] ?? ""),
      ...tmpfs,
    ]);
    const directories = Object.fromEntries(
      mounts.map((mount) => [mount, join(root, mount.replaceAll("/", "-"))]),
    );
    for (const mount of Object.values(directories)) await mkdir(mount, { recursive: true });
    const site = join(root, "site");
    const build = ["build", join(HOUSE, "public"), "--outDir", site, "--emptyOutDir"];
    // As the image is built. What it writes is in the error of one that fails.
    execFileSync(process.execPath, [join(HOUSE, "node_modules/vite/bin/vite.js"), ...build], {
      stdio: "pipe",
      env: { ...process.env, RUGWATCH_CONTACT: "mailto:operator@example.org" },
    });
    const ofNginx = {
      "/etc/rugwatch": join(root, "nginx/configuration"),
      "/var/cache/nginx": join(root, "nginx/written"),
    };
    return { ports, directories: { ...directories, ...ofNginx, "public/dist": site } };
  }

  const machine: Machine = {
    urlOf,
    runAgain: runOnce,
    async stop() {
      for (const end of running.splice(0)) await end();
    },
  };
  try {
    const isOnce = (name: string) =>
      [...services.values()].some(
        ({ depends_on: on }) => on[name]?.condition === "service_completed_successfully",
      );
    for (const [name, { stop_signal: signal }] of services) {
      if (isOnce(name)) {
        await runOnce(name);
        continue;
      }
      const { child, ended } = start(name);
      running.unshift(async () => {
        child.kill(signal);
        await ended;
      });
      const port = portOf(name);
      const failed = ended.then(([status]) =>
        Promise.reject(new Error(`${name} ended with ${status}:\n${lines.join("\n")}`)),
      );
      failed.catch(() => undefined);
      if (port !== undefined)
        await Promise.race([waitUntilOpen(port, AbortSignal.timeout(START_MILLISECONDS)), failed]);
    }
  } catch (error) {
    await machine.stop();
    throw error;
  }
  return machine;
}

async function linkPrograms(directory: string): Promise<string> {
  await mkdir(directory);
  const server = execFileSync("sh", ["-c", `command -v ${valkey}`], { encoding: "utf8" }).trim();
  const programs = {
    "valkey-server": server,
    versitygw: join(TOOLS, versitygw!),
    node: process.execPath,
  };
  for (const [name, program] of Object.entries(programs))
    await symlink(program, join(directory, name));
  return `${directory}:${process.env["PATH"]}`;
}
