import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import type { Plugin } from "vite";
import { toLlmsText } from "../generator/contract/llms-text.ts";
import { API_VERSION, openApiDocument } from "../generator/contract/openapi.ts";
import {
  API_CATALOG_PATH,
  CLIENT_TYPES_PATH,
  LLMS_PATH,
  SECURITY_PATH,
} from "../generator/contract/site-files.ts";
import type { Contact } from "./vite-contact.config.ts";

/** Under the year that RFC 9116 recommends (section 2.5.5). */
const VALID_DAYS = 360;
const DAY_MILLISECONDS = 24 * 60 * 60_000;

interface ProgramsOptions extends Contact {
  /** Without a slash at its end; null: not known. */
  siteUrl: string | null;
  /** In milliseconds since 1970. */
  builtAt: number;
}

/** The site's files for programs. */
export function programs(options: ProgramsOptions): Plugin {
  return {
    name: "programs",
    async generateBundle() {
      for (const [path, source] of Object.entries(await toFiles(options)))
        this.emitFile({ type: "asset", fileName: path.slice(1), source });
    },
  };
}

/** Each file by its path on the site. */
export async function toFiles(options: ProgramsOptions): Promise<Record<string, string>> {
  const { siteUrl } = options;
  return {
    [CLIENT_TYPES_PATH]: await toDeclarations(openApiDocument()),
    [LLMS_PATH]: toLlmsText(siteUrl),
    [API_CATALOG_PATH]: toApiCatalog(siteUrl),
    [SECURITY_PATH]: toSecurityText(options),
  };
}

/** The types of an OpenAPI document, as openapi-fetch takes them. */
export async function toDeclarations(document: object): Promise<string> {
  const declarations = astToString(await openapiTS(structuredClone(document) as OpenAPI3));
  return `// Rugwatch ${API_VERSION}: made of /api/v1/openapi.json by openapi-typescript.\n\n${declarations}`;
}

/**
 * Makes the catalog of the site's one API (RFC 9727), as a JSON linkset (RFC 9264).
 * @param siteUrl without a slash at its end; null: links are relative
 */
function toApiCatalog(siteUrl: string | null): string {
  const at = (path: string) => (siteUrl ?? "") + path;
  const linkset = [
    {
      anchor: at("/api/v1"),
      "service-desc": [{ href: at("/api/v1/openapi.json"), type: "application/json" }],
      "service-doc": [{ href: at("/api"), type: "text/html" }],
      status: [{ href: at("/api/v1/status"), type: "application/json" }],
    },
  ];
  return `${JSON.stringify({ linkset }, null, 2)}\n`;
}

/** Says where to report a vulnerability (RFC 9116): in a repository, as SECURITY.md does. */
function toSecurityText({ repositoryUrl, contact, siteUrl, builtAt }: ProgramsOptions): string {
  const lastDay = new Date(builtAt + VALID_DAYS * DAY_MILLISECONDS).toISOString().slice(0, 10);
  const lines = [
    `Contact: ${repositoryUrl === null ? contact : `${repositoryUrl}/security/advisories/new`}`,
    `Expires: ${lastDay}T00:00:00Z`,
    "Preferred-Languages: en",
    ...(repositoryUrl === null ? [] : [`Policy: ${repositoryUrl}/security/policy`]),
    ...(siteUrl === null ? [] : [`Canonical: ${siteUrl}/.well-known/security.txt`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
