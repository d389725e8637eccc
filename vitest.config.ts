import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // What waits for an event says for how long by these alone: on a busy machine all takes several times as long. And a test
    // must outlast the deadlines of what it runs, 90 s for a snapshot: their errors say what hung, a test's end does not.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 10_000 } },
    // Vitest would leave a core free; on the two that continuous integration has that is half the machine.
    maxWorkers: "100%",
    // A rejection nobody awaited is a bug of ours: the run fails on it, it is never ignored.
    dangerouslyIgnoreUnhandledErrors: false,
    projects: [
      {
        extends: true,
        test: {
          name: "rooms",
          include: ["test/**/*.test.ts"],
          exclude: ["test/browser/**", "test/integration/*.test.ts"],
          setupFiles: ["test/fixed-seed.ts"],
        },
      },
      // Apart, for what stands ready before them: the site built, a story published, a browser.
      {
        extends: true,
        test: { name: "browser", include: ["test/browser/*.test.ts"], globalSetup: ["test/browser/_global.ts"] },
      },
      // Real servers, which want a core each: one file after the other. Skipped where they are not.
      { extends: true, test: { name: "integration", include: ["test/integration/*.test.ts"], fileParallelism: false } },
    ],
  },
});
