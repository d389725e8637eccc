import { join } from "node:path";
import ts from "typescript";

interface Program {
  /** TypeScript, which imports its types of the API from `./client.d.ts`. */
  text: string;
  /** What that file holds. */
  declarations: string;
}

const FOLDER = import.meta.dirname;
const PROGRAM = join(FOLDER, "compiled-program.ts");
const DECLARATIONS = join(FOLDER, "client.d.ts");

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

/**
 * Compiles a program of a client strictly, in memory.
 * @returns what the compiler finds
 */
export function compile({ text, declarations }: Program): string[] {
  const texts = new Map([
    [PROGRAM, text],
    [DECLARATIONS, declarations],
  ]);
  const disk = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => texts.has(file) || disk.fileExists(file),
    getSourceFile(file, language) {
      const held = texts.get(file);
      return held === undefined
        ? disk.getSourceFile(file, language)
        : ts.createSourceFile(file, held, language);
    },
  };
  const program = ts.createProgram([PROGRAM], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
