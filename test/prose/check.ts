import dictionary from "dictionary-en";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRetext from "remark-retext";
import retextEnglish from "retext-english";
import retextIndefiniteArticle from "retext-indefinite-article";
import retextRepeatedWords from "retext-repeated-words";
import retextSimplify from "retext-simplify";
import retextSpell from "retext-spell";
import { unified, type PluggableList } from "unified";
import { VFile } from "vfile";
import { findOurPhrases } from "./phrases.ts";

/** Advice of retext-simplify that does not help: exact or short words of this field. */
const PLAIN_HERE =
  "a number of, address, all of, contains, delete, effect, function, however, in between, it is, observe, operate, parameters, render, request, there are, " +
  "there is, type";

/** A name of code in plain text, not a word: digits, inner capitals, underscores or dots. */
const CODE_NAME = /\d|_|[a-z][A-Z]|\w\.\w/;
/** Suggestions for a word take long to find. */
const SUGGESTED_MAX = 20;

export interface Finding {
  file: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  message: string;
}

type Message = VFile["messages"][number];

export interface Prose {
  file: string;
  text: string;
  form: "markdown" | "plain";
  /** The file, where the text is the file with some characters replaced one for one. */
  source?: string;
}

/**
 * The rules: spelling, articles, repeated words, simpler words, our own phrases. Not retext-passive: most of what it finds has
 * no actor worth naming ("the file is published").
 *
 * @param words correct words that the dictionary lacks, a line each
 */
export function createProseCheck(words: string) {
  const rules: PluggableList = [
    retextRepeatedWords,
    retextIndefiniteArticle,
    [retextSimplify, { ignore: PLAIN_HERE.split(", ") }],
    [retextSpell, { dictionary, personal: words.trim(), max: SUGGESTED_MAX }],
    () => findOurPhrases,
  ];
  const plain = unified().use(retextEnglish).use(rules).freeze();
  const markdown = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(() => openTables)
    .use(remarkRetext, plain)
    .freeze();

  return async ({ file, text, form, source = text }: Prose): Promise<Finding[]> => {
    const vfile = new VFile({ path: file, value: text });
    if (form === "markdown") await markdown.run(markdown.parse(vfile), vfile);
    else await plain.run(plain.parse(vfile), vfile);
    return vfile.messages
      .filter((message) => !isMistaken(message))
      .map((message) => ({ file, ...toPlace(source, message), message: message.reason.replaceAll(/\s+/g, " ") }))
      .toSorted((a, b) => a.line - b.line || a.column - b.column);
  };
}

/** Names of code are no words; "an http address" is said "aitch"; a note that suggestions ended is no finding. */
function isMistaken({ source, actual, reason }: Message): boolean {
  if (source === "retext-spell") return actual == null || CODE_NAME.test(actual);
  return reason.startsWith("Unexpected article `an` before `http");
}

/** By the offset: the text may have other lines than its source. */
function toPlace(source: string, { place }: Message): { line: number; column: number } {
  const point = place && ("start" in place ? place.start : place);
  const before = source.slice(0, point?.offset ?? 0).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** A node of remark's tree. */
interface MarkdownNode {
  type: string;
  children?: MarkdownNode[];
  position?: { start: object; end: object } | undefined;
}

/** remark-retext skips tables: here each cell becomes a paragraph, and code between two keeps them apart. */
function openTables(node: MarkdownNode): void {
  if (node.children === undefined) return;
  for (const child of node.children) openTables(child);
  node.children = node.children.flatMap((child): MarkdownNode[] => {
    const { type, children = [], position } = child;
    if (type === "table" || type === "tableRow") return children;
    if (type !== "tableCell") return [child];
    const end = position && { start: position.end, end: position.end };
    return [
      { type: "paragraph", children, position },
      { type: "inlineCode", position: end },
    ];
  });
}
