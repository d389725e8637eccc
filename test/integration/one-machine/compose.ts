import { parse } from "yaml";
import { z } from "zod";

const list = z.array(z.string()).default([]);

const serviceSchema = z.object({
  entrypoint: list,
  command: list,
  environment: z.record(z.string(), z.string()).default({}),
  /** Ports as others know them; the first is the main one. */
  expose: z.array(z.string().regex(/^\d+$/)).default([]),
  /** `FROM:TO[:ro]` */
  volumes: list,
  tmpfs: list,
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  stop_signal: z.enum(["SIGTERM", "SIGQUIT"]).default("SIGTERM"),
});

export type Service = z.infer<typeof serviceSchema>;
export type Services = ReadonlyMap<string, Service>;

export interface Places {
  ports: ReadonlyMap<string, number>;
  directories: Readonly<Record<string, string>>;
}

/** A compose file's services by name, dependencies first, with .env variables filled in. */
export function readServices(text: string, variables: Readonly<Record<string, string>>): Services {
  const fillIn = (_: unknown, value: unknown) =>
    typeof value === "string" ? value.replaceAll(REFERENCE, fill) : value;
  const filled = parse(text, fillIn, { merge: true }) as unknown;
  const { services } = z.object({ services: z.record(z.string(), serviceSchema) }).parse(filled);
  const ordered = new Map<string, Service>();
  const add = (name: string) => {
    const service = services[name];
    if (service === undefined || ordered.has(name)) return;
    Object.keys(service.depends_on).forEach(add);
    ordered.set(name, service);
  };
  Object.keys(services).forEach(add);
  return ordered;

  function fill(_: string, dollar?: string, name = "", kind?: string, rest = ""): string {
    if (dollar !== undefined) return "$";
    const value = variables[name] ?? "";
    if (value === "" && kind === "?") throw new Error(`${name} is empty: ${rest}.`);
    return value === "" ? rest : value;
  }
}

/**
 * Compose's forms that compose.yaml uses: `$$`,
 * `${NAME}`, `${NAME:-default}` and `${NAME:?message}`.
 */
const REFERENCE = /\$(?:(\$)|\{(\w+)(?::([-?])([^}]*))?\})/g;

/**
 * Docker's networks and mounts in the texts become loopback addresses, free ports and directories.
 */
export function planHere(name: string, services: Services, { ports, directories }: Places) {
  const { entrypoint, command, environment, expose } = services.get(name)!;
  const replacements: [RegExp, string][] = [
    ...[...services].flatMap(([other, { expose: open }]) =>
      open.map((port): [RegExp, string] => [
        new RegExp(`\\b${other}:${port}\\b`, "g"),
        `127.0.0.1:${ports.get(`${other}:${port}`)}`,
      ]),
    ),
    [/\b0\.0\.0\.0\b/g, "127.0.0.1"],
    ...expose.map((port): [RegExp, string] => [
      new RegExp(`(?<![\\w.])${port}\\b`, "g"),
      String(ports.get(`${name}:${port}`)),
    ]),
    ...Object.entries(directories).map(([path, here]): [RegExp, string] => [
      new RegExp(`(?<![\\w/.])${path}(?![\\w-])`, "g"),
      here,
    ]),
  ];
  const toHere = (text: string) =>
    replacements.reduce((now, [there, here]) => now.replaceAll(there, () => here), text);
  const [program = "", ...args] = [...entrypoint, ...command].map(toHere);
  const settings = Object.entries(environment).map(
    ([variable, value]) => [variable, toHere(value)] as const,
  );
  return { program, args, environment: Object.fromEntries(settings) };
}
