import { join } from "node:path";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";

/** The program that is compiled against the generated types. */
export const CLIENT_PROGRAM = join(import.meta.dirname, "client-program.ts");

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  types: ["node"],
};

/** The declarations that `openapi-typescript` makes of an OpenAPI document. */
export async function toDeclarations(document: object): Promise<string> {
  return astToString(await openapiTS(structuredClone(document) as OpenAPI3));
}

/** The compiler's own libraries and those of the client, parsed once for all compilations. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** Compiles the program strictly with these declarations as its `api.d.ts`, in memory. @returns what the compiler finds */
export function compileClient(declarations: string): string[] {
  const declarationsFile = join(import.meta.dirname, "api.d.ts");
  const disk = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => file === declarationsFile || disk.fileExists(file),
    getSourceFile(file, language) {
      if (file === declarationsFile) return ts.createSourceFile(file, declarations, language);
      if (!parsed.has(file)) parsed.set(file, disk.getSourceFile(file, language));
      return parsed.get(file);
    },
  };
  const program = ts.createProgram([CLIENT_PROGRAM], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
