import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Vitest would leave a core free; on the two that continuous integration has that is half the machine.
    maxWorkers: "100%",
    // A rejection nobody awaited is a bug of ours: the run fails on it, it is never ignored.
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
