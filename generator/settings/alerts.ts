import { readFileSync } from "node:fs";
import { z } from "zod";
import { SEVERITIES, severitySchema } from "../contract/event.ts";
import { NETWORKS, networkSchema } from "../contract/networks.ts";
import { PUBKEY_PATTERN } from "../contract/values.ts";

/** Addresses of targets hold tokens: no message may show an address or a secret. */

const TARGETS_MAX = 32;
const VALIDATORS_MAX = 1_000;
const URL_MAX_CHARACTERS = 2_048;
const FILE_PREFIX = "file:";

/** Bytes of a secret (Standard Webhooks, «Signature scheme»). */
const SECRET_BYTES = { min: 24, max: 64 };
const SECRET_PREFIX = "whsec_";

const common = {
  /** The outbox of a target bears its name, so a renamed target is a new one. */
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,39}$/,
      "must be 1 to 40 small letters, digits and hyphens, and begin with no hyphen",
    ),
  url: z
    .string()
    .max(URL_MAX_CHARACTERS)
    .refine(isAddress, "must be an https address without user and fragment"),
  severities: z
    .array(severitySchema)
    .min(1)
    .default([...SEVERITIES]),
  networks: z
    .array(networkSchema)
    .min(1)
    .default([...NETWORKS]),
  /** Vote accounts to alert about; null: all. */
  validators: z
    .array(z.string().regex(PUBKEY_PATTERN, "must be a vote account in Base58"))
    .min(1)
    .max(VALIDATORS_MAX)
    .nullable()
    .default(null),
};

const targetSchema = z.discriminatedUnion("shape", [
  strict({
    ...common,
    shape: z.literal("standard"),
    secret: z.string().refine(isSecret, "must be whsec_ and 24 to 64 bytes in Base64"),
  }),
  strict({ ...common, shape: z.literal("discord") }),
  strict({ ...common, shape: z.literal("slack") }),
  strict({
    ...common,
    shape: z.literal("telegram"),
    chat: z
      .union([z.int(), z.string().regex(/^(?:-?\d{1,20}|@\w{1,64})$/)], {
        error: "must be the number of a chat, or the @name of a channel",
      })
      .transform(String),
  }),
]);

const targetsSchema = z
  .array(targetSchema)
  .max(TARGETS_MAX)
  .superRefine((targets, context) => {
    const names = targets.map(({ name }) => name);
    for (const [index, name] of names.entries())
      if (names.indexOf(name) !== index)
        context.addIssue({
          code: "custom",
          path: [index, "name"],
          message: "must be no other target's name",
        });
  });

/** A target of `ALERT_WEBHOOKS`, valid and with its defaults. */
export type AlertTarget = z.infer<typeof targetSchema>;

/** Who is alerted, and where alerts may go. */
export interface AlertSettings {
  targets: AlertTarget[];
  /** Whether targets may have private addresses and http. */
  privateHosts: boolean;
}

/**
 * Parses `ALERT_WEBHOOKS`: a JSON array of targets, or `file:PATH` of one. Reads that file.
 * Messages say where a target is wrong, never its values.
 */
export const alertTargets = z
  .string()
  .transform((text, context): AlertTarget[] => {
    const complain = (message: string) => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    const value = readValue(text);
    if ("fault" in value) return complain(value.fault);
    const parsed = targetsSchema.safeParse(value.json);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues)
      complain(`is wrong at ${toPathText(path)}${toTargetName(value.json, path)}: ${message}`);
    return z.NEVER;
  })
  .default([]);

/**
 * Returns one message for each target with an http address, which only `ALERT_PRIVATE_HOSTS=allow`
 * permits. Messages name targets, never addresses.
 */
export function findHttpFaults({ targets, privateHosts }: AlertSettings): string[] {
  if (privateHosts) return [];
  return targets
    .filter(({ url }) => new URL(url).protocol === "http:")
    .map(
      ({ name }) =>
        `ALERT_WEBHOOKS is (not shown): the url of ${name} must be https, or ALERT_PRIVATE_HOSTS allow.`,
    );
}

function readValue(text: string): { json: unknown } | { fault: string } {
  const isFile = text.startsWith(FILE_PREFIX);
  try {
    return {
      json: JSON.parse(
        isFile ? readFileSync(text.slice(FILE_PREFIX.length), "utf8") : text,
      ) as unknown,
    };
  } catch (error) {
    // The parser's message quotes its input, which holds secrets.
    if (error instanceof SyntaxError)
      return { fault: `must ${isFile ? "name a file with" : "be"} a JSON array of targets` };
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return {
      fault: `names the file ${text.slice(FILE_PREFIX.length)}, which cannot be read (${code})`,
    };
  }
}

/** Renders a path like `[1].url`. Names of fields that the schema does not know never appear. */
function toPathText(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`));
  return parts.join("") || "its root";
}

function toTargetName(json: unknown, [index]: readonly PropertyKey[]): string {
  const target: unknown = Array.isArray(json) && typeof index === "number" ? json[index] : null;
  const name = z.object({ name: common.name }).safeParse(target);
  return name.success ? ` (${name.data.name})` : "";
}

/**
 * Refuses unknown fields: a misspelled one would leave its default, and everybody would get every
 * event.
 */
function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  const error = `must have no other fields than ${Object.keys(shape).join(", ")}`;
  return z.strictObject(shape, {
    error: ({ code }) => (code === "unrecognized_keys" ? error : undefined),
  });
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (
    ["https:", "http:"].includes(protocol) &&
    username === "" &&
    password === "" &&
    !text.includes("#")
  );
}

function isSecret(text: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  const { length } = toSecretBytes(text);
  return length >= SECRET_BYTES.min && length <= SECRET_BYTES.max;
}

/**
 * Decodes the secret of a target, `whsec_` and Base64, into the key of its HMAC. It does not
 * validate.
 */
export function toSecretBytes(secret: string): Uint8Array {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
}
