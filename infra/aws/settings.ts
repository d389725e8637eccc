import { z } from "zod";
import { networkSchema } from "../../generator/contract/networks.ts";

/** `cdk deploy -c NAME=VALUE`, or `context` in cdk.json. */
export interface Settings {
  /**
   * `OWNER/NAME`, or `OWNER@ID/NAME@ID` if made, renamed or transferred
   * after 15 July 2026, so that nobody takes over the name.
   * https://docs.github.com/en/actions/reference/security/oidc#immutable-subject-claims
   */
  repository: string;
  branch: string;
  /** Its rules say who may deploy, and from where. */
  deployEnvironment: string;
  /** null: CloudFront's own name. */
  domain: { name: string; certificateArn: string } | null;
  /** null: only the topic's subscribers hear of old data. */
  alertEmail: string | null;
  /** Their age is watched, and the proxy asks their clusters for the running epoch. */
  networks: z.infer<typeof networkSchema>[];
  /** For each client. */
  rateLimitPerMinute: number;
  /**
   * null: the account's. AWS wants 100 left over, which new accounts lack:
   * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
   */
  proxyConcurrency: number | null;
  /** An account can have only one; null: create it. */
  githubProviderArn: string | null;
  /**
   * JSON with MAINNET_RPC_URLS and the like, one for
   * each of `networks`. null: public endpoints.
   */
  rpcSecretArn: string | null;
}

/**
 * AWS WAF's minimum.
 * https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-high-level-settings.html
 */
const RATE_LIMIT_MIN = 10;
const RATE_LIMIT_MAX = 1_000_000;
/** An account's usual quota. */
const CONCURRENCY_MAX = 1_000;

const schema = z.object({
  repository: text(
    /^[\w.-]+(?:@\d+)?\/[\w.-]+(?:@\d+)?$/,
    "OWNER/NAME of the GitHub repository whose workflows generate and deploy " +
      "(OWNER@ID/NAME@ID if it was made after 15 July 2026)",
  ),
  branch: text(/^[\w./-]+$/, "the branch that the workflows run on").default("main"),
  deployEnvironment: text(/^[\w.-]+$/, "the environment of the deploying job").default(
    "production",
  ),
  domainName: text(
    /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/,
    "a domain name in lower case",
  ).optional(),
  certificateArn: text(
    /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
    "the ARN of a certificate in us-east-1, the only region that CloudFront takes " +
      "certificates from",
  ).optional(),
  alertEmail: text(/^[^\s@]+@[^\s@]+$/, "an e-mail address").optional(),
  networks: z
    .string()
    .transform((list) => list.split(",").map((name) => name.trim()))
    .pipe(z.array(networkSchema, "must list mainnet, testnet or alpenglow, separated by commas"))
    .default(["mainnet"]),
  rateLimitPerMinute: wholeNumber(RATE_LIMIT_MIN, RATE_LIMIT_MAX).default(60),
  proxyConcurrency: z
    .union([z.literal("none").transform(() => null), wholeNumber(1, CONCURRENCY_MAX)])
    .default(20),
  githubProviderArn: text(
    /^arn:aws:iam::\d{12}:oidc-provider\/token\.actions\.githubusercontent\.com$/,
    "the ARN of the account's provider token.actions.githubusercontent.com",
  ).optional(),
  rpcSecretArn: text(
    /^arn:aws:secretsmanager:us-east-1:\d{12}:secret:[\w/+=.@-]+$/,
    "the ARN of a secret in us-east-1",
  ).optional(),
});

/** A line for each wrong setting. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** CDK's own names also have other characters. */
const OWN_NAME = /^[a-z]+$/i;

/** Reads the context of the CDK. @throws {Error} that lists all that is wrong */
export function readSettings(context: Readonly<Record<string, unknown>>): Settings {
  const names = Object.keys(schema.shape);
  const unknown = Object.keys(context).filter(
    (name) => OWN_NAME.test(name) && !names.includes(name),
  );
  // cdk.json may hold numbers.
  const toText = (value: unknown) => (typeof value === "number" ? String(value) : value);
  const parsed = schema.safeParse(
    Object.fromEntries(names.map((name) => [name, toText(context[name])])),
  );
  const wrong = parsed.error?.issues.map(describe) ?? [];
  const lines = [
    ...unknown.map((name) => `${name} is not a setting. Use one of ${names.join(", ")}.`),
    ...wrong,
  ];
  if (!parsed.success || lines.length > 0) throw new SettingsError(lines.join("\n"));
  const { domainName, certificateArn, alertEmail, githubProviderArn, rpcSecretArn, ...rest } =
    parsed.data;
  return {
    ...rest,
    domain: toDomain(domainName, certificateArn),
    alertEmail: alertEmail ?? null,
    githubProviderArn: githubProviderArn ?? null,
    rpcSecretArn: rpcSecretArn ?? null,
  };
}

function toDomain(
  name: string | undefined,
  certificateArn: string | undefined,
): Settings["domain"] {
  if (name !== undefined && certificateArn !== undefined) return { name, certificateArn };
  if (name === undefined && certificateArn === undefined) return null;
  const missing = name === undefined ? "domainName" : "certificateArn";
  throw new SettingsError(
    `${missing} is missing: give domainName and certificateArn together, or neither.`,
  );
}

function describe({ path, message }: z.core.$ZodIssue): string {
  const name = String(path[0]);
  return `${name} ${message}. Set it with -c ${name}=VALUE, or under context in cdk.json.`;
}

function text(pattern: RegExp, meaning: string) {
  return z.string(`is missing: it must be ${meaning}`).regex(pattern, `must be ${meaning}`);
}

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string(message)
    .regex(/^\d{1,7}$/, message)
    .transform(Number)
    .refine((number) => min <= number && number <= max, message);
}
