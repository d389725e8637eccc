import { parse } from "yaml";
import { z } from "zod";
import { interpolateAll } from "./interpolate.ts";

const list = z.array(z.string()).default([]);

/** What of a service can be played without Docker; the rest of compose.yaml is about containers. */
const serviceSchema = z.object({
  entrypoint: list,
  command: list,
  environment: z.record(z.string(), z.string()).default({}),
  /** The ports it listens on, as others know them: one, or none. */
  expose: z.array(z.string().regex(/^\d+$/)).max(1).default([]),
  /** `FROM:TO[:ro]` */
  volumes: list,
  tmpfs: list,
  depends_on: z
    .record(z.string(), z.object({ condition: z.enum(["service_healthy", "service_completed_successfully"]) }))
    .default({}),
  stop_signal: z.enum(["SIGTERM", "SIGQUIT"]).default("SIGTERM"),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .default("10s"),
});

const fileSchema = z.object({ services: z.record(z.string(), serviceSchema) });

export type Service = z.infer<typeof serviceSchema>;

/**
 * The services of a compose file by name, those that others need before these.
 * @param variables what a .env file would say
 * @throws {Error} naming a secret that is empty, or a service that waits for itself
 * @throws {z.ZodError} on a form that cannot be played
 */
export function readServices(text: string, variables: Readonly<Record<string, string>>): Map<string, Service> {
  const { services } = fileSchema.parse(interpolateAll(parse(text, { merge: true }), variables));
  const ordered = new Map<string, Service>();

  function add(name: string, waiting: readonly string[]): void {
    const service = services[name];
    if (service === undefined || ordered.has(name)) return;
    if (waiting.includes(name)) throw new Error([...waiting, name].join(" waits for "));
    for (const needed of Object.keys(service.depends_on)) add(needed, [...waiting, name]);
    ordered.set(name, service);
  }
  for (const name of Object.keys(services)) add(name, []);
  return ordered;
}
