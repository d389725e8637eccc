/* eslint-disable @typescript-eslint/consistent-type-imports
   -- an ambient module has no relative imports (TS2439) */

/** From CHANGELOG_API.md, by vite-documents.config.ts. */
declare module "virtual:changelog" {
  const tree: { children: readonly import("./Markdown.tsx").MarkdownNode[] };
  export default tree;
}

/** From GLOSSARY.md, in its order. */
declare module "virtual:glossary" {
  const entries: readonly {
    name: string;
    anchor: string;
    nodes: readonly import("./Markdown.tsx").MarkdownNode[];
  }[];
  export default entries;
}

/** From GLOSSARY.md: the first sentence of each term. */
declare module "virtual:tooltips" {
  const tooltips: Readonly<Record<import("./terms.ts").TermName, { anchor: string; text: string }>>;
  export default tooltips;
}

/** From the package world-atlas, by vite-world.config.ts. */
declare module "virtual:world" {
  const world: import("./world.ts").World;
  export default world;
}
