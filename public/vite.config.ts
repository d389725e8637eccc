import { defineConfig, loadEnv, type Plugin } from "vite";
import { NETWORKS } from "../generator/contract/networks.ts";
import { parseSiteUrl } from "../generator/contract/site-url.ts";
import { readContact } from "./vite-contact.config.ts";
import { documents } from "./vite-documents.config.ts";
import { programs } from "./vite-programs.config.ts";
import { world } from "./vite-world.config.ts";

const DESCRIPTION =
  "See which Solana validators raised their commission, by how much, who signed it, and from " +
  "which epoch it costs their delegators.";

/** @throws {RangeError} RUGWATCH_SITE_URL is no address of a site */
function readSiteUrl(): string | null {
  const text = process.env["RUGWATCH_SITE_URL"] ?? "";
  const siteUrl = parseSiteUrl(text);
  if (text !== "" && siteUrl === null)
    throw new RangeError(
      "RUGWATCH_SITE_URL must be the https or http address of your site, without ? and #.",
    );
  return siteUrl;
}

/** In milliseconds since 1970; https://reproducible-builds.org/specs/source-date-epoch/ */
function readBuildTime(): number {
  const seconds = process.env["SOURCE_DATE_EPOCH"] ?? "";
  return /^\d{1,11}$/.test(seconds) ? Number(seconds) * 1_000 : Date.now();
}

/** A proxy or the demo, for `npm run dev:site`. */
const API = "http://127.0.0.1:8080";

export default defineConfig(({ mode }) => ({
  publicDir: "static",
  // format/dispute.ts reads where operators answer, shell/ the site's address and what .env.demo says.
  envPrefix: [
    "VITE_",
    "RUGWATCH_REPOSITORY_URL",
    "RUGWATCH_CONTACT",
    "RUGWATCH_SITE_URL",
    "RUGWATCH_DEMONSTRATION",
  ],
  plugins: [
    documents(),
    world(),
    socialTags(),
    stableNames(),
    robots(),
    programs({
      siteUrl: readSiteUrl(),
      // Of .env.demo too.
      ...readContact(loadEnv(mode, import.meta.dirname, "RUGWATCH_")),
      builtAt: readBuildTime(),
    }),
  ],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    assetsDir: "assets",
    // The Content-Security-Policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api/v1": API, "/feeds": API, "/exports": API, "/badges": API },
  },
}));

/** One page answers for all paths: shell/App.tsx adds the canonical address. */
function socialTags(): Plugin {
  const siteUrl = readSiteUrl();
  const image =
    siteUrl === null
      ? {}
      : { "og:image": `${siteUrl}/social.png`, "og:image:width": "800", "og:image:height": "420" };
  const properties = {
    "og:title": "Rugwatch: who raised their commission?",
    "og:description": DESCRIPTION,
    "og:type": "website",
    "og:site_name": "Rugwatch",
    ...image,
  };
  return {
    name: "social-tags",
    transformIndexHtml: () => [
      { tag: "meta", attrs: { name: "description", content: DESCRIPTION } },
      ...Object.entries(properties).map(([property, content]) => ({
        tag: "meta",
        attrs: { property, content },
      })),
      {
        tag: "meta",
        attrs: {
          name: "twitter:card",
          content: siteUrl === null ? "summary" : "summary_large_image",
        },
      },
    ],
  };
}

/**
 * A new build rewrites none of the generator's pages, which load these (contract/page-shell.ts).
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
      if (sources.length === 0 || sources.includes(""))
        throw new Error("The site's entry has no styles.");
      this.emitFile({
        type: "asset",
        fileName: "app.js",
        source: `import "/${entry.fileName}";\n`,
      });
      this.emitFile({ type: "asset", fileName: "app.css", source: sources.join("\n") });
    },
  };
}

/** Sitemaps need absolute addresses: named only with RUGWATCH_SITE_URL. */
function robots(): Plugin {
  return {
    name: "robots",
    generateBundle() {
      const siteUrl = readSiteUrl();
      const sitemaps =
        siteUrl === null
          ? []
          : NETWORKS.map((network) => `Sitemap: ${siteUrl}/pages/${network}/sitemap.xml`);
      const source = ["User-agent: *", "Disallow: /api/v1/search", ...sitemaps, ""].join("\n");
      this.emitFile({ type: "asset", fileName: "robots.txt", source });
    },
  };
}
