/** Made by vite-changelog.ts when the site is built. */
declare module "virtual:changelog" {
  /** A node of https://github.com/syntax-tree/mdast, with the fields of the kinds that are shown. */
  export interface MarkdownNode {
    type: string;
    children?: readonly MarkdownNode[];
    value?: string;
    /** Of headings, from 1. */
    depth?: number;
    ordered?: boolean | null;
    url?: string;
  }
  const tree: MarkdownNode & { children: readonly MarkdownNode[] };
  export default tree;
}
