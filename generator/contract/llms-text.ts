import { DEFAULT_NETWORK, NETWORKS } from "./networks.ts";
import type { Operation } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";
import { PARAMETERS, type Parameter } from "./parameters.ts";
import { CLIENT_TYPES_PATH } from "./site-files.ts";

const SUMMARY =
  "Who changed a Solana validator's commission, when, by how much, and from which epoch it costs " +
  "the delegator: an open, read-only HTTP/JSON API, without a key.";

const NOTES = [
  "Every answer is `{ data, meta }`, every error `{ error: { code, message } }`.",
  `The parameter \`network\` is one of ${NETWORKS.join(", ")}; by default ${DEFAULT_NETWORK}.`,
  "A client has 60 requests a minute; a 429 says in `Retry-After` how many seconds to wait.",
  "Commissions are percent, stake is exact in `lamports`, times are ISO 8601 in UTC, null is not known.",
  "To keep a copy of all events, follow `/api/v1/changes` with `after`.",
];

/**
 * Makes the site's guide for language models (https://llmstxt.org).
 * @param siteUrl without a slash at its end; null: links are relative
 */
export function toLlmsText(siteUrl: string | null): string {
  const link = (path: string, title: string, note: string) =>
    `- [${title}](${siteUrl ?? ""}${path}): ${note}`;
  const all: readonly Operation[] = Object.values(OPERATIONS);
  const isAnswer = ({ path }: Operation) => path.startsWith("/api/v1/");
  const answers = all.filter(
    (operation) => isAnswer(operation) && operation !== OPERATIONS.openapi,
  );
  const ofNetwork = answers.filter((operation) => !isInNeed(operation));
  const ofOne = answers.filter(isInNeed);
  const files = all.filter((operation) => !isAnswer(operation));
  const toLine = ({ path, summary }: Operation) => `- ${summary}: \`${path}\``;
  return [
    "# Rugwatch",
    `> ${SUMMARY}`,
    NOTES.map((note) => `- ${note}`).join("\n"),
    "## Description",
    [
      link("/api/v1/openapi.json", "OpenAPI 3.1", "every operation, parameter and field"),
      link(CLIENT_TYPES_PATH, "Types", "the same for TypeScript"),
      link("/api", "Reference", "the same to read and to try out, in a browser"),
    ].join("\n"),
    "## Answers",
    ofNetwork.map(({ path, summary }) => link(path, path, summary)).join("\n"),
    "With what you look for in the path, or as `q`:",
    ofOne.map(toLine).join("\n"),
    "## Optional",
    files.map(toLine).join("\n"),
    "",
  ]
    .join("\n\n")
    .replace(/\n+$/, "\n");
}

/** Whether a parameter must be given: the path alone is no address. */
function isInNeed({ parameters }: Operation): boolean {
  const rows: Parameter[] = parameters.map((key) => PARAMETERS[key]);
  return rows.some(({ required = false }) => required);
}
