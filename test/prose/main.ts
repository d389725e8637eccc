import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openApiDocument } from "../../generator/contract/openapi.ts";
import { createProseCheck, type Finding, type Prose } from "./check.ts";
import { readDescriptions } from "./descriptions.ts";
import { hideCode, keepSentences } from "./sentences.ts";

const HOUSE = join(import.meta.dirname, "../..");
/** What people read: documents, the site, and what programs say. */
const READ = [
  "*.md",
  ...["public", "generator", "proxy", "infra"].flatMap((room) => [`${room}/*.ts`, `${room}/*.tsx`]),
];
/** Data of the simulated cluster, and programs to copy. */
const SKIPPED = [":!infra/demo/cluster", ":!public/pages/api/sample-code.ts"];
const DESCRIPTION = "openapi.json";

const HELP = `Usage: npx node test/prose/main.ts [FILE…]

Checks spelling, articles, repeated words and plain phrasing in every Markdown file, in the sentences of the site and
the programs, and in the API's descriptions. Prints "file:line:column message" for each finding.

With FILE…, checks only these files. Exit status: 0 no finding, 1 findings, 2 wrong use.

A correct word that the dictionary lacks goes into test/prose/words.txt.
A phrase that must never pass goes into test/prose/phrases.ts, with what to write instead.
`;

process.exitCode = await main();

async function main(): Promise<number> {
  const asked = readArguments();
  if (asked === null) return 2;
  if (asked.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const absent = asked.files.filter((file) => !existsSync(resolve(HOUSE, file)));
  if (absent.length > 0) {
    process.stderr.write(`No such file: ${absent.join(", ")}. Name files from the top folder of the repository.\n`);
    return 2;
  }
  const findings = await findAll(asked.files);
  for (const { file, line, column, message } of findings)
    process.stdout.write(`${file}:${line}:${column} ${message}\n`);
  if (findings.length > 0) process.stderr.write(`${findings.length} findings. --help says what to do with them.\n`);
  return findings.length === 0 ? 0 : 1;
}

function readArguments(): { help: boolean; files: string[] } | null {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: "boolean" } } });
    return { help: values.help === true, files: positionals };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n(--help shows how)\n`);
    return null;
  }
}

/** @param files only these; none: all, and the API's description */
async function findAll(files: readonly string[]): Promise<Finding[]> {
  const check = createProseCheck(readFileSync(join(import.meta.dirname, "words.txt"), "utf8"));
  const read = files.length > 0 ? files : listFiles();
  const findings = (await Promise.all(read.map(readProse).map(check))).flat();
  if (files.length > 0) return findings;
  const described = readDescriptions(openApiDocument()).map(({ pointer, text }) =>
    check({ file: `${DESCRIPTION}#${pointer}`, text: hideCode(text), form: "plain" }),
  );
  // Most descriptions are literals of generator/contract/: here only what arises where several are joined.
  const seen = new Set(findings.map(({ message }) => message));
  return [...findings, ...(await Promise.all(described)).flat().filter(({ message }) => !seen.has(message))];
}

function readProse(file: string): Prose {
  const text = readFileSync(resolve(HOUSE, file), "utf8");
  return file.endsWith(".md")
    ? { file, text, form: "markdown" }
    : { file, text: keepSentences(file, text), form: "plain", source: text };
}

/** Tracked and new files, without those that git ignores. */
function listFiles(): string[] {
  const git = ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...READ, ...SKIPPED];
  const listed = execFileSync("git", git, { cwd: HOUSE, encoding: "utf8" }).trim().split("\n");
  return [...new Set(listed)].filter((file) => existsSync(resolve(HOUSE, file))).toSorted();
}
