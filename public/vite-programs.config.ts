import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import type { Plugin } from "vite";
import { toApiCatalog } from "../generator/contract/api-catalog.ts";
import { toLlmsText } from "../generator/contract/llms-text.ts";
import { API_VERSION, openApiDocument } from "../generator/contract/openapi.ts";
import { toSecurityText } from "../generator/contract/security-text.ts";
import {
  API_CATALOG_PATH,
  CLIENT_TYPES_PATH,
  LLMS_PATH,
  SECURITY_PATH,
} from "../generator/contract/site-files.ts";

interface ProgramsOptions {
  /** Without a slash at its end; null: not known. */
  siteUrl: string | null;
  /** https, without a slash at its end; null: nobody to report to. */
  repositoryUrl: string | null;
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
  const { siteUrl, repositoryUrl } = options;
  return {
    [CLIENT_TYPES_PATH]: await toDeclarations(openApiDocument()),
    [LLMS_PATH]: toLlmsText(siteUrl),
    [API_CATALOG_PATH]: toApiCatalog(siteUrl),
    ...(repositoryUrl !== null && {
      [SECURITY_PATH]: toSecurityText({ ...options, repositoryUrl }),
    }),
  };
}

/** The types of an OpenAPI document, as openapi-fetch takes them. */
export async function toDeclarations(document: object): Promise<string> {
  const declarations = astToString(await openapiTS(structuredClone(document) as OpenAPI3));
  return `// Rugwatch ${API_VERSION}: made of /api/v1/openapi.json by openapi-typescript.\n\n${declarations}`;
}
