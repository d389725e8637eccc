import { defineConfig } from "vite";
import { changelog } from "./vite-changelog.ts";

/** A proxy or demo beside `npm run dev:site`. */
const API = "http://127.0.0.1:8080";

/** The site: `vite build public` makes public/dist, `vite public` serves it as it is written, with a proxy beside it. */
export default defineConfig({
  publicDir: "static",
  plugins: [changelog()],
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
  server: { host: "127.0.0.1", proxy: { "/api/v1": API, "/feeds": API, "/exports": API } },
});
