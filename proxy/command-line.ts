import { availableParallelism } from "node:os";
import { Command, InvalidArgumentError } from "commander";
import type { z } from "zod";
import { variables } from "./config.ts";

/** What the command line says; everything else is settings. */
export interface CommandLine {
  /** Processes that serve the port together. */
  processes: number;
}

const PROCESSES_MAX = 64;

/** Reads the arguments. Help and wrong use end the process through `exit`, with 0 and 2. */
export function readCommandLine(args: readonly string[], exit: (code: number) => never): CommandLine {
  const program = new Command("proxy")
    .description("Serves the API over the published documents, until it is stopped (SIGTERM, Ctrl-C).")
    .option(
      "--processes <count>",
      `that serve the port together, 1 to ${PROCESSES_MAX}, or auto: one for each core`,
      toProcesses,
      1,
    )
    .addHelpText("after", `\nSettings are environment variables:\n${describeVariables()}`)
    .showHelpAfterError("(--help tells what there is)")
    .allowExcessArguments(false)
    .exitOverride((error) => exit(error.exitCode === 0 ? 0 : WRONG_USE));
  return program.parse(args, { from: "user" }).opts<{ processes: number }>();
}

/** Exit status of a process that was started in a way that cannot be meant. */
export const WRONG_USE = 2;

function toProcesses(text: string): number {
  if (text === "auto") return Math.min(availableParallelism(), PROCESSES_MAX);
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > PROCESSES_MAX) throw new InvalidArgumentError(`It is 1 to ${PROCESSES_MAX}, or auto.`);
  return count;
}

/** A line for each variable, out of the schema that reads it. */
function describeVariables(): string {
  const rows = Object.entries<z.ZodType>(variables.shape);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .map(([name, schema]) => `  ${name.padEnd(width)}  ${schema.description ?? ""} (default: ${toDefault(schema)})`)
    .join("\n");
}

function toDefault(schema: z.ZodType): string {
  const { defaultValue } = schema.def as { defaultValue?: unknown };
  if (defaultValue === null || defaultValue === undefined) return "unset";
  if (Array.isArray(defaultValue)) return defaultValue.join(",");
  return typeof defaultValue === "string" || typeof defaultValue === "number" ? String(defaultValue) : "none";
}
