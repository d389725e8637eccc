import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parsers } from "prettier/plugins/markdown";
import type { Plugin } from "vite";
import { TERMS } from "./parts/terms.ts";

const CHANGELOG = join(import.meta.dirname, "../CHANGELOG_API.md");
const GLOSSARY = join(import.meta.dirname, "../GLOSSARY.md");

/**
 * Browsers get no parser. The Content-Security-Policy lets no text become markup, so syntax trees
 * (mdast) instead of HTML. `virtual:tooltips` is part of the first page: first sentences only.
 */
export function documents(): Plugin {
  const sources: Readonly<Record<string, { path: string; toValue: (tree: Node) => unknown }>> = {
    "virtual:changelog": { path: CHANGELOG, toValue: (tree) => tree },
    "virtual:glossary": { path: GLOSSARY, toValue: toEntries },
    "virtual:tooltips": { path: GLOSSARY, toValue: toTooltips },
  };
  return {
    name: "documents",
    resolveId: (id) => (id in sources ? `\0${id}` : null),
    async load(id) {
      const source = sources[id.replace(/^\0/, "")];
      if (source === undefined) return null;
      this.addWatchFile(source.path);
      return `export default ${JSON.stringify(source.toValue(await readTree(source.path)))};`;
    },
  };
}

interface Node {
  type: string;
  depth?: number;
  value?: string;
  children?: Node[];
}

interface Entry {
  name: string;
  anchor: string;
  nodes: Node[];
}

async function readTree(path: string): Promise<Node> {
  const text = await readFile(path, "utf8");
  const tree: unknown = await parsers.markdown.parse(text, { originalText: text } as never);
  return JSON.parse(
    JSON.stringify(tree, (name, value: unknown) => (name === "position" ? undefined : value)),
  ) as Node;
}

/** GitHub gives headings the same anchors. */
function toEntries({ children = [] }: Node): Entry[] {
  const entries: Entry[] = [];
  for (const node of children) {
    const name = toText(node);
    if (node.type === "heading" && node.depth === 2)
      entries.push({ name, anchor: name.toLowerCase().replaceAll(" ", "-"), nodes: [] });
    else entries.at(-1)?.nodes.push(node);
  }
  return entries;
}

/** @throws {Error} GLOSSARY.md lacks a term */
function toTooltips(tree: Node): Record<string, { anchor: string; text: string }> {
  const entries = toEntries(tree);
  return Object.fromEntries(
    TERMS.map((term) => {
      const entry = entries.find(({ name }) => name === term);
      const text = entry?.nodes[0] && /^.+?\.(?=\s|$)/s.exec(toText(entry.nodes[0]))?.[0];
      if (entry === undefined || text === undefined)
        throw new Error(`GLOSSARY.md needs "## ${term}" with a sentence below.`);
      // No line ends between a number and its unit.
      return [
        term,
        { anchor: entry.anchor, text: text.replaceAll("\n", " ").replaceAll(" %", "\u00a0%") },
      ];
    }),
  );
}

function toText({ value = "", children = [] }: Node): string {
  return value + children.map(toText).join("");
}
