import { mkdir, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { readServices, type Service } from "./compose-file.ts";
import { planHere, type Places, type Plan } from "./here.ts";
import { placeNginx } from "./nginx-files.ts";
import { findFreePorts } from "./ports.ts";
import { startProcess, waitUntilOpen, type Process } from "./processes.ts";
import { linkPrograms } from "./programs.ts";
import { buildSite, SITE_IN_IMAGE } from "./site.ts";

const PROJECT = join(import.meta.dirname, "../..");
const COMPOSE_FILE = join(PROJECT, "infra/compose.yaml");

export interface MachineOptions {
  /** What the .env file would say. */
  variables: Readonly<Record<string, string>>;
  /** Where programs are found. */
  path: string;
  /** Everything that is written goes below it. */
  directory: string;
  /** Whose X-Forwarded-For nginx believes, for one who plays many clients; by default nobody's. */
  terminator?: string;
  say: (line: string) => void;
  signal: AbortSignal;
}

/** All services of compose.yaml as processes of this machine. */
export interface Machine {
  /** Where nginx is. */
  url: string;
  /** Rejects when a service ends that should not. */
  broken: Promise<never>;
  /** Ends all of them, those first that need others. */
  stop(): Promise<void>;
}

/** Starts them in the order that compose.yaml wants. @throws {Error} when one does not start; then none is left */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { variables, path, directory, terminator, signal } = options;
  const services = readServices(await readFile(COMPOSE_FILE, "utf8"), variables);
  const programs = join(directory, "programs");
  await linkPrograms(programs, path);
  const site = join(directory, "site");
  await buildSite(site, signal);
  const places = await findPlaces(services, { directory, site });
  const toAddress = (name: string) => `127.0.0.1:${places.ports.get(name)}`;
  const nginx = { directory: join(directory, "nginx"), listen: toAddress("nginx"), proxy: toAddress("proxy") };
  await placeNginx({ ...nginx, ...(terminator !== undefined && { terminator }) });
  const startOne = (name: string) =>
    startService(planHere(name, services, places), { ...options, name, path: programs + delimiter + path });
  const { broken, stop } = await startAll({ services, places, startOne, signal });
  return { url: `http://${toAddress("nginx")}`, broken, stop };
}

interface Starting {
  /** In the order to start them in. */
  services: ReadonlyMap<string, Service>;
  places: Places;
  startOne: (name: string) => Promise<Process>;
  signal: AbortSignal;
}

async function startAll({ services, places, startOne, signal }: Starting): Promise<Pick<Machine, "broken" | "stop">> {
  const running: { process: Process; service: Service }[] = [];
  const broken = Promise.withResolvers<never>();
  // Whoever does not ask for it must not be ended by it.
  broken.promise.catch(() => undefined);

  async function start(name: string, service: Service): Promise<void> {
    const process = await startOne(name);
    const toError = (status: number | null) => new Error(`${name} has ended, with ${status}.`);
    if (isOnce(name, services)) {
      const status = await process.ended;
      if (status !== 0) throw toError(status);
      return;
    }
    const failed = process.ended.then((status) => Promise.reject(toError(status)));
    running.push({ process, service });
    failed.catch(broken.reject);
    const port = places.ports.get(name);
    if (port !== undefined) await Promise.race([waitUntilOpen(port, signal), failed]);
  }

  async function stop(): Promise<void> {
    for (const { process, service } of running.toReversed())
      await process.stop(service.stop_signal, Number.parseInt(service.stop_grace_period, 10) * 1_000);
  }

  try {
    for (const [name, service] of services) await start(name, service);
  } catch (error) {
    await stop();
    throw error;
  }
  return { broken: broken.promise, stop };
}

async function findPlaces(
  services: ReadonlyMap<string, Service>,
  { directory, site }: { directory: string; site: string },
): Promise<Places> {
  const listening = [...services].filter(([, { expose }]) => expose.length > 0).map(([name]) => name);
  const free = await findFreePorts(listening.length);
  const ports = new Map(listening.map((name, place) => [name, free[place] ?? 0]));
  const directories = new Map<string, ReadonlyMap<string, string>>();
  for (const [name, { volumes, tmpfs }] of services) {
    const paths = [...volumes.map((volume) => volume.split(":")[1] ?? ""), ...tmpfs];
    const own = new Map(paths.map((path) => [path, join(directory, name, toDirectoryName(path))]));
    for (const place of own.values()) await mkdir(place, { recursive: true });
    directories.set(name, own.set(SITE_IN_IMAGE, site));
  }
  return { ports, directories };
}

/** nginx-files.ts has its own for what nginx reads and writes. */
function toDirectoryName(path: string): string {
  const known: Record<string, string> = { "/etc/rugwatch": "configuration", "/var/cache/nginx": "written" };
  return known[path] ?? path.slice(1).replaceAll("/", "-");
}

function startService(
  { program, args, environment }: Plan,
  { name, path, say }: MachineOptions & { name: string },
): Promise<Process> {
  return startProcess({
    name,
    program,
    args,
    environment: { ...environment, PATH: path },
    directory: PROJECT,
    onLine: (line) => say(`${name.padEnd(9)} ${line}`),
  });
}

/** Whether others wait for it to end, not for it to answer. */
function isOnce(name: string, services: ReadonlyMap<string, Service>): boolean {
  return [...services.values()].some(
    ({ depends_on }) => depends_on[name]?.condition === "service_completed_successfully",
  );
}
