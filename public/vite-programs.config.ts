import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import type { Plugin } from "vite";
import { API_VERSION, openApiDocument } from "../generator/contract/openapi.ts";
import { CLIENT_TYPES_PATH } from "../generator/contract/site-files.ts";

/** The site's files for programs. */
export function programs(): Plugin {
  return {
    name: "programs",
    async generateBundle() {
      const files = { [CLIENT_TYPES_PATH]: await toDeclarations(openApiDocument()) };
      for (const [path, source] of Object.entries(files))
        this.emitFile({ type: "asset", fileName: path.slice(1), source });
    },
  };
}

/** The types of an OpenAPI document, as openapi-fetch takes them. */
export async function toDeclarations(document: object): Promise<string> {
  const declarations = astToString(await openapiTS(structuredClone(document) as OpenAPI3));
  return `// Rugwatch ${API_VERSION}: made of /api/v1/openapi.json by openapi-typescript.\n\n${declarations}`;
}
