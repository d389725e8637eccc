import { expect, it } from "vitest";
import { startProcess } from "./_process.ts";

/** Lets each process say at its end whether it has loaded the library of metrics. */
const AT_END = `
import { createRequire } from "node:module";
process.on("exit", () => {
  const isLoaded = Object.keys(createRequire(process.execPath).cache).some((path) => path.includes("/prom-client/"));
  process.stderr.write(JSON.stringify({ message: "at the end", isLoaded }) + "\\n");
});`;
const NODE_OPTIONS = `--import=data:text/javascript;base64,${Buffer.from(AT_END).toString("base64")}`;

it.each([
  ["not by a process that is not asked for metrics", "", "1", false],
  ["by one that is", "0", "1", true],
  ["by none of several that are not", "", "2", false],
  ["by all of several that are", "0", "2", true],
])("the library of metrics is loaded %s", async (_, METRICS_PORT, processes, isLoaded) => {
  const proxy = startProcess({ NODE_OPTIONS, METRICS_PORT }, ["--processes", processes]);
  const several = processes === "2";
  await proxy.until(/^listening on /, several ? 2 : 1);
  process.kill(proxy.pid, "SIGTERM");
  expect(await proxy.exited).toBe(0);
  for (let nth = 1; nth <= (several ? 3 : 1); nth++)
    expect(await proxy.until(/^at the end$/, nth)).toMatchObject({ isLoaded });
});
