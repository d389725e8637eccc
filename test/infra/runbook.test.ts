import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { variables as generatorVariables } from "../../generator/settings/settings.ts";
import { variables as proxyVariables } from "../../proxy/settings.ts";
import { read, readHeadings, ROOT as ROOT_URL, scripts } from "./_files.ts";
import { readShellBlocks, readShellLines } from "./shell-blocks.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(ROOT_URL);
const FOLDERS = ["generator", "proxy", "infra", "public", "test", ".github", ".ci"];
const MADE = ["infra/dist", "public/dist", "infra/.env"];
const EXTERNAL_VARIABLES = /^(?:AWS_[A-Z0-9_]+|RCLONE_CONFIG_[A-Z0-9_]+|HOME|PWD|RENEWED_LINEAGE)$/;
const ASSIGNMENT = /^([A-Za-z_]\w*)=/;
const GENERATOR = "generator/main.ts";
const COMMAND_LINES: Record<string, string> = {
  generate: GENERATOR,
  demo: "infra/demo/main.ts",
  proxy: "proxy/main.ts",
};
const PROGRAMS = new Set(Object.values(COMMAND_LINES));

/** Workflows, stack and compose file have settings of their own. */
const houseFiles = [".github", "infra", "generator", "proxy"]
  .flatMap(filesIn)
  .filter((file) => !file.endsWith(".md"));
const inHouse = new Set(houseFiles.flatMap((file) => read(file).match(/\b\w+\b/g) ?? []));

/** What tests alone read. */
const testVariables = new Set(
  filesIn("test").flatMap((file) =>
    Array.from(read(file).matchAll(/process\.env\["(\w+)"\]/g), ([, name]) => name),
  ),
);

/** A reader picks one. */
const GUIDES = ["AWS", "R2", "COMPOSE", "SYSTEMD"].map((name) => `infra/${name}.md`);
const GUIDE_LINES_MAX = 120;

const DOCUMENTS = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "GLOSSARY.md"],
  ...["generator/README.md", "proxy/README.md", "infra/README.md", "infra/RUNBOOK.md"],
  ...GUIDES,
];

const documents = DOCUMENTS.map((file) => {
  const document = read(file);
  const commands = readCommands(document);
  const spans = readCodeSpans(document);
  const invocations = [
    ...commands.map(({ words }) => words),
    ...spans.map((span) => span.split(/\s+/)),
  ].map(loud);
  return { file, document, commands, spans, invocations };
});

it("the documents have commands, files and links to be looked at", () => {
  const all = documents.flatMap(({ invocations }) => invocations);
  expect(all.flatMap((words) => toCommandLine(words) ?? []).length).toBeGreaterThan(35);
  expect(all.flat().filter(isPath).length).toBeGreaterThan(40);
  expect(documents.flatMap(({ document }) => readLinks(document)).length).toBeGreaterThan(50);
});

it("each way to deploy is a page of at most 120 lines, and what is common is one more", () => {
  for (const file of ["infra/README.md", ...GUIDES])
    expect(read(file).trimEnd().split("\n").length, file).toBeLessThanOrEqual(GUIDE_LINES_MAX);
  for (const file of GUIDES)
    expect(read("infra/README.md")).toContain(`](${file.replace("infra/", "")})`);
});

it("our command lines take the commands, flags and values that the documents give them", async () => {
  const all = documents.flatMap(({ invocations }) => invocations);
  const lines = all.flatMap((words) => toCommandLine(words) ?? []);
  const uses = [
    ...Map.groupBy(lines, ({ program, command }) => `${program} ${command.join(" ")}`).values(),
  ];
  const wrong = await Promise.all(uses.map(findWrong));
  expect(wrong.flat()).toEqual([]);
});

describe.each(documents)("$file", ({ file, document, commands, spans, invocations }) => {
  it("names only scripts that there are", () => {
    const named = invocations.flatMap(([npm, verb, name]) =>
      npm === "npm" && verb === "run" && name ? [name] : [],
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it("names only files that there are", () => {
    const paths = invocations.flat().filter((word) => isPath(word) && !isMade(word));
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("links only to files and headings that there are", () => {
    const links = readLinks(document);
    const broken = links.filter(({ path, fragment }) => {
      const target = path === "" ? file : join(dirname(file), path);
      return (
        !existsSync(join(ROOT, target)) ||
        (fragment !== "" && !readHeadings(read(target)).has(fragment))
      );
    });
    expect(broken).toEqual([]);
  });

  it("names only variables that something reads", () => {
    const known = new Set([
      ...Object.keys(generatorVariables.shape),
      ...Object.keys(proxyVariables.shape),
    ]);
    const isKnown = (name: string) =>
      known.has(name) ||
      testVariables.has(name) ||
      EXTERNAL_VARIABLES.test(name) ||
      inHouse.has(name);
    const used = new Set(
      [
        ...readShellBlocks(document)
          .join()
          .matchAll(/\$\{?([A-Z_][A-Z0-9_]*)/g),
      ].map(([, name]) => name ?? ""),
    );
    const set = new Set(commands.flatMap(({ sets }) => sets));
    const named = spans.flatMap(
      (span) => /^[A-Z][A-Z0-9]*_[A-Z0-9_]+(?==|$)/.exec(span)?.[0] ?? [],
    );
    expect([...set].filter((name) => !isKnown(name) && !used.has(name))).toEqual([]);
    expect([...used].filter((name) => !isKnown(name) && !set.has(name))).toEqual([]);
    expect(named.filter((name) => !isKnown(name))).toEqual([]);
  });
});

/** Without npm's flag that keeps its own words out of the output. */
function loud(words: string[]): string[] {
  return words[0] === "npm" ? words.filter((word) => word !== "--silent") : words;
}

type CommandLine = Record<"command" | "flags", string[]> & { program: string };

/** null: no command line of ours. */
function toCommandLine(words: string[]): CommandLine | null {
  const asked = toAsked(words);
  if (asked === null || asked.given.includes("…")) return null;
  const { program } = asked;
  const given = asked.given.filter((word) => !/^\d?[<>]/.test(word));
  if (program !== GENERATOR) return { program, command: [], flags: given };
  return given.length === 0 ? null : { program, command: given.slice(0, 1), flags: given.slice(1) };
}

/** null: none of our programs. */
function toAsked(words: string[]): { program: string; given: string[] } | null {
  const [first = "", second = "", script = "", dashes, ...rest] = words;
  if (first === "generate") return { program: GENERATOR, given: words.slice(1) };
  const line = first === "npm" && second === "run" ? COMMAND_LINES[script] : undefined;
  if (line !== undefined) return { program: line, given: dashes === "--" ? rest : [] };
  // Also within a container: `docker compose … exec generator node generator/main.ts doctor`.
  const at = words.findIndex((word, index) => words[index - 1] === "node" && PROGRAMS.has(word));
  return at < 0 ? null : { program: words[at] ?? "", given: words.slice(at + 1) };
}

/** What a command does not take of all that is given to it, by its own help. */
async function findWrong(lines: CommandLine[]): Promise<string[]> {
  const [first] = lines;
  if (first === undefined) return [];
  const { program, command } = first;
  const given = lines.flatMap(({ flags }) => flags);
  // With --help a command still refuses values that it does not take, and runs nothing.
  const help = await run(process.execPath, [join(ROOT, program), ...command, ...given, "--help"], {
    cwd: ROOT,
  }).then(
    ({ stdout }) => stdout,
    (error: unknown) => `refused: ${String(error)}`,
  );
  const name = [program, ...command].join(" ");
  if (help.startsWith("refused: ")) return [`${name}: ${help}`];
  if (command.length > 0 && !help.startsWith(`Usage: generate ${command[0]} `))
    return [`${name}: no such command`];
  const known = new Set([...help.matchAll(/(?<=[\s,])--[a-z-]+/g)].map(([flag]) => flag));
  return given
    .filter((flag) => /^--[a-z]/.test(flag) && !known.has(flag))
    .map((flag) => `${name} ${flag}`);
}

function isPath(text: string): boolean {
  return /^[\w.@-]+(?:\/[\w.@-]+)+\/?$/.test(text) && FOLDERS.includes(text.split("/")[0] ?? "");
}

function isMade(path: string): boolean {
  return MADE.some((made) => path === made || path.startsWith(`${made}/`));
}

function filesIn(folder: string): string[] {
  const found = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return found
    .filter((one) => one.isFile())
    .map((one) => relative(ROOT, join(one.parentPath, one.name)));
}

type ShellCommand = Record<"sets" | "words", string[]>;

function readCommands(document: string): ShellCommand[] {
  return readShellBlocks(document).flatMap(readShellLines).flatMap(splitLine).map(toCommand);
}

function readCodeSpans(document: string): string[] {
  const text = document.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span ?? "");
}

/**
 * All links but those to other sites: an empty path is
 * the document itself, an empty fragment the whole file.
 */
function readLinks(document: string): { path: string; fragment: string }[] {
  const links = document.matchAll(/\]\((?!https?:)([^)\s#]*)#?([^)\s]*)\)/g);
  return [...links].map(([, path = "", fragment = ""]) => ({ path, fragment }));
}

function splitLine(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [token] of line.matchAll(
    /\|\||&&|[|;&]|(?:\$\([^)]*\)|"[^"]*"|'[^']*'|[^\s|;&"'])+/g,
  )) {
    if (/^(?:\|\||&&|[|;&])$/.test(token)) commands.push([]);
    else commands.at(-1)?.push(token.replaceAll(/["']/g, ""));
  }
  return commands.filter((words) => words.length > 0);
}

function toCommand(words: string[]): ShellCommand {
  const rest = words[0] === "export" ? words.slice(1) : words;
  const first = rest.findIndex((word) => !ASSIGNMENT.test(word));
  const count = first < 0 ? rest.length : first;
  const sets = rest.slice(0, count).flatMap((word) => ASSIGNMENT.exec(word)?.[1] ?? []);
  return { sets, words: rest.slice(count) };
}
