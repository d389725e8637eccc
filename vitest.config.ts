import { existsSync, statfsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { documents } from "./public/vite-documents.config.ts";

/** Real servers and browsers, and stories told for minutes: each has a tier of its own. */
const APART = ["test/browser/**", "test/integration/**", "test/soak/**"];

/** Linux's directory in memory. Stores sync each file to the disk, so that there tests wait. */
const IN_MEMORY = "/dev/shm";
const BYTES_NEEDED = 2 ** 30;

/*
 * Three tiers. `npm test`: every room by itself, and one look at the site in a
 * browser; two minutes. `npm run test:all`: also the real servers and the browser
 * (`integration`, `browser`), and crashes, interleavings, liars and made-up
 * requests by the seed (`soak`). `npm run test:chain`: against a real validator.
 */
export default defineConfig({
  // The site's glossary, which its parts import.
  plugins: [documents()],
  test: {
    // What waits for an event says for how long by these alone: on a busy machine all
    // takes several times as long. And a test must outlast the deadlines of what it
    // runs, 90 s for a snapshot: their errors say what hung, a test's end does not.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Vitest would leave a core free; on the two that
    // continuous integration has that is half the machine.
    maxWorkers: "100%",
    // A worker loads a module once, not once a file: the rooms
    // take a third of the time. No file may leave anything behind.
    isolate: false,
    // A rejection nobody awaited is a bug of ours: the run fails on it, it is never ignored.
    dangerouslyIgnoreUnhandledErrors: false,
    setupFiles: ["test/fixed-seed.ts"],
    env: {
      // Hundreds of processes start, each in half the time if another has compiled its modules.
      NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.compile-cache", import.meta.url)),
      ...(hasRoomInMemory() && { TMPDIR: IN_MEMORY }),
    },
    projects: [
      {
        extends: true,
        test: { name: "rooms", include: ["test/**/*.test.ts"], exclude: APART, pool: "threads" },
      },
      // The site is built for them, a story published, a browser started.
      {
        extends: true,
        test: {
          name: "smoke",
          include: ["test/browser/smoke.test.ts"],
          globalSetup: ["test/browser/_global.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/*.test.ts"],
          exclude: ["test/browser/smoke.test.ts"],
          globalSetup: ["test/browser/_global.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          exclude: ["test/integration/validator/**"],
        },
      },
      { extends: true, test: { name: "soak", include: ["test/soak/**/*.test.ts"] } },
      // A validator wants a core to itself: one file after the other. Skipped where there is none.
      {
        extends: true,
        test: {
          name: "validator",
          include: ["test/integration/validator/*.test.ts"],
          fileParallelism: false,
          globalSetup: ["test/integration/validator/_global.ts"],
        },
      },
    ],
  },
});

/** In a container it may be small. */
function hasRoomInMemory(): boolean {
  if (!existsSync(IN_MEMORY)) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= BYTES_NEEDED;
}
