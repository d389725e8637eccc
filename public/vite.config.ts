import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parsers } from "prettier/plugins/markdown";
import { defineConfig, type Plugin } from "vite";
import { NETWORKS } from "../generator/contract/networks.ts";
import { parseSiteUrl } from "../generator/contract/site-url.ts";

const MODULE = "virtual:changelog";
const CHANGELOG = join(import.meta.dirname, "../CHANGELOG_API.md");

/** A proxy or demo beside `npm run dev:site`. */
const API = "http://127.0.0.1:8080";

/** The site: `vite build public` makes public/dist, `vite public` serves it as it is written, with a proxy beside it. */
export default defineConfig({
  publicDir: "static",
  // The repository's address, for links to its forms: format/dispute.ts.
  envPrefix: ["VITE_", "RUGWATCH_REPOSITORY_URL"],
  plugins: [changelog(), stableNames(), robots()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    assetsDir: "assets",
    // Every asset is a file: the Content-Security-Policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: { host: "127.0.0.1", proxy: { "/api/v1": API, "/feeds": API, "/exports": API, "/badges": API } },
});

/**
 * Gives the site CHANGELOG_API.md as a module, `virtual:changelog`: its syntax tree (mdast) without positions. Read when the
 * site is built, by the parser that Prettier formats it with, so that no parser is sent to browsers. A tree and not HTML, for
 * the Content-Security-Policy lets no text become markup.
 */
function changelog(): Plugin {
  return {
    name: "changelog",
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    async load(id) {
      if (id !== `\0${MODULE}`) return null;
      this.addWatchFile(CHANGELOG);
      return `export default ${await readTree(CHANGELOG)};`;
    },
  };
}

/** The syntax tree of a Markdown file as JSON. */
async function readTree(path: string): Promise<string> {
  const text = await readFile(path, "utf8");
  const tree: unknown = await parsers.markdown.parse(text, { originalText: text } as never);
  return JSON.stringify(tree, (name, value: unknown) => (name === "position" ? undefined : value));
}

/**
 * `app.js`, which leads to the entry whatever hash it has, and `app.css`, a copy of its styles: pages that the generator wrote
 * name these (generator/contract/page-shell.ts), and need not be written anew with every build.
 */
function stableNames(): Plugin {
  return {
    name: "stable-names",
    enforce: "post",
    generateBundle(_, bundle) {
      const entry = Object.values(bundle).find((file) => file.type === "chunk" && file.isEntry);
      if (entry?.type !== "chunk") throw new Error("The site has no entry.");
      const styles = [...(entry.viteMetadata?.importedCss ?? [])].map((name) => bundle[name]);
      const sources = styles.map((file) => (file?.type === "asset" ? String(file.source) : ""));
      if (sources.length === 0 || sources.includes("")) throw new Error("The site's entry has no styles.");
      this.emitFile({ type: "asset", fileName: "app.js", source: `import "/${entry.fileName}";\n` });
      this.emitFile({ type: "asset", fileName: "app.css", source: sources.join("\n") });
    },
  };
}

/** Everybody may read everything. Sitemaps are named by whole addresses only (RUGWATCH_SITE_URL). */
function robots(): Plugin {
  return {
    name: "robots",
    generateBundle() {
      const siteUrl = parseSiteUrl(process.env["RUGWATCH_SITE_URL"] ?? "");
      const sitemaps =
        siteUrl === null ? [] : NETWORKS.map((network) => `Sitemap: ${siteUrl}/pages/${network}/sitemap.xml`);
      const source = ["User-agent: *", "Disallow: /api/v1/search", ...sitemaps, ""].join("\n");
      this.emitFile({ type: "asset", fileName: "robots.txt", source });
    },
  };
}
