import { readFile } from "node:fs/promises";
import { parseOutput } from "./output.ts";
import { toSummary } from "./summary.ts";

// node infra/github/main.ts FILE COMMAND OUTCOME: writes to standard output what the step of generate.yml did that wrote its
// standard output to FILE. A step that failed, was cancelled or never began has a summary too.

const [file = "", command = "", outcome = ""] = process.argv.slice(2);

process.stdout.write(toSummary({ command, outcome, output: parseOutput(await read(file)) }));

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    // A step before it failed, so that it never began to write.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
