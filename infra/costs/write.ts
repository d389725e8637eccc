import { readFile, writeFile } from "node:fs/promises";
import { format, resolveConfig } from "prettier";
import { readCounts } from "./counts.ts";
import { withCosts } from "./tables.ts";

// Writes the tables of costs into infra/README.md, from counts.json and prices.ts: `node infra/costs/write.ts`. A test fails
// where they differ.

const README = new URL("../README.md", import.meta.url);

const written = withCosts(await readFile(README, "utf8"), readCounts());
const config = await resolveConfig(README);
await writeFile(README, await format(written, { ...config, parser: "markdown" }));
