import type { Service } from "./compose-file.ts";

/** Where the services of a compose file are on this machine. */
export interface Places {
  /** Free ports of the loopback, by service. */
  ports: ReadonlyMap<string, number>;
  /** Directories in the place of volumes, memory file systems and the built site, by service and the path in its container. */
  directories: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** A service as a process of this machine. */
export interface Plan {
  program: string;
  args: string[];
  environment: Record<string, string>;
}

/**
 * What Docker would do by networks and mounts, done to the texts: `NAME:PORT` of another service becomes its address here, all
 * addresses of the machine become the loopback, its own port a free one, and paths of mounts those of directories.
 *
 * @throws {Error} on a service that starts nothing
 */
export function planHere(name: string, services: ReadonlyMap<string, Service>, places: Places): Plan {
  const service = services.get(name);
  const { entrypoint = [], command = [], environment = {} } = service ?? {};
  const toHere = (text: string) => replaceAll(text, toReplacements(name, services, places));
  const [program, ...args] = [...entrypoint, ...command].map(toHere);
  if (program === undefined) throw new Error(`The service ${name} says nothing of what it starts.`);
  const settings = Object.entries(environment).map(([variable, value]) => [variable, toHere(value)]);
  return { program, args, environment: Object.fromEntries(settings) as Record<string, string> };
}

type Replacement = [pattern: RegExp, text: string];

function toReplacements(name: string, services: ReadonlyMap<string, Service>, places: Places): Replacement[] {
  const replacements: Replacement[] = [];
  for (const [other, { expose }] of services)
    for (const port of expose)
      replacements.push([new RegExp(`\\b${other}:${port}\\b`, "g"), `127.0.0.1:${places.ports.get(other)}`]);
  replacements.push([/\b0\.0\.0\.0\b/g, "127.0.0.1"]);
  for (const port of services.get(name)?.expose ?? [])
    replacements.push([new RegExp(`(?<![\\w.])${port}\\b`, "g"), String(places.ports.get(name))]);
  for (const [path, directory] of places.directories.get(name) ?? [])
    replacements.push([new RegExp(`(?<![\\w/.])${path}(?![\\w-])`, "g"), directory]);
  return replacements;
}

function replaceAll(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((replaced, [pattern, by]) => replaced.replaceAll(pattern, () => by), text);
}
