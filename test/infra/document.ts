/** A command of a shell block of a document. */
export interface ShellCommand {
  /** Names that are set for it alone, before it. */
  sets: string[];
  /** The command and its arguments, without quotes. */
  words: string[];
  /** As it stands in the document. */
  line: string;
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=/;

/** The commands of all blocks marked `sh`, each pipe and list taken apart. */
export function readCommands(document: string): ShellCommand[] {
  return readShellBlocks(document)
    .flatMap((block) => block.replaceAll(/\\\n\s*/g, " ").split("\n"))
    .map((line) => line.replace(/(?:^|\s)#.*$/, "").trim())
    .filter((line) => line !== "")
    .flatMap((line) => splitLine(line).map((words) => toCommand(words, line)));
}

/** The text of all blocks marked `sh`. */
export function readShellBlocks(document: string): string[] {
  return [...document.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, block]) => block ?? "");
}

/** What stands between single backticks in the text. */
export function readCodeSpans(document: string): string[] {
  const text = document.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span ?? "");
}

/** A link to a heading of this document, to another file, or to a heading of one. */
export interface Link {
  /** Beside the document; empty: the document itself. */
  path: string;
  /** Without its `#`; empty: the whole file. */
  fragment: string;
}

/** All links but those to other sites. */
export function readLinks(document: string): Link[] {
  const targets = [...document.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? "");
  return targets
    .filter((target) => !/^https?:/.test(target))
    .map((target) => {
      const [path = "", fragment = ""] = target.split("#");
      return { path, fragment };
    });
}

/** What a link names the headings of a document by, as GitHub does. */
export function readHeadings(document: string): Set<string> {
  const titles = [...document.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title ?? "");
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} -]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** The words of each command of a line; what a quote or a `$(…)` holds stays together. */
function splitLine(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [token] of line.matchAll(/\|\||&&|[|;&]|(?:\$\([^)]*\)|"[^"]*"|'[^']*'|[^\s|;&"'])+/g)) {
    if (/^(?:\|\||&&|[|;&])$/.test(token)) commands.push([]);
    else commands.at(-1)?.push(token.replaceAll(/["']/g, ""));
  }
  return commands.filter((words) => words.length > 0);
}

function toCommand(words: string[], line: string): ShellCommand {
  const isExport = words[0] === "export";
  const rest = isExport ? words.slice(1) : words;
  const first = rest.findIndex((word) => !ASSIGNMENT.test(word));
  const count = first < 0 ? rest.length : first;
  const sets = rest.slice(0, count).flatMap((word) => ASSIGNMENT.exec(word)?.[1] ?? []);
  return { sets, words: rest.slice(count), line };
}
