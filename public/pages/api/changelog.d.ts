/** Made by vite.config.ts. */
declare module "virtual:changelog" {
  /** A node of https://github.com/syntax-tree/mdast. */
  export interface MarkdownNode {
    type: string;
    children?: readonly MarkdownNode[];
    value?: string;
    depth?: number;
    ordered?: boolean | null;
    url?: string;
  }
  const tree: MarkdownNode & { children: readonly MarkdownNode[] };
  export default tree;
}
