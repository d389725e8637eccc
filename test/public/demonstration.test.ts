import { join } from "node:path";
import { loadEnv } from "vite";
import { expect, it } from "vitest";
import { EPOCH_MILLISECONDS } from "../cluster/options.ts";

const NAME = "RUGWATCH_DEMONSTRATION";
const PUBLIC = join(import.meta.dirname, "../../public");
const HOUR_MILLISECONDS = 3_600_000;

it("the demo's site says that it is one and how long its epochs are, and no other site does", () => {
  const { [NAME]: said = "" } = loadEnv("demo", PUBLIC, "RUGWATCH_");
  expect(said).toBe("Demonstration: made-up validators, epochs of two hours.");
  expect(EPOCH_MILLISECONDS).toBe(2 * HOUR_MILLISECONDS);
  expect(loadEnv("production", PUBLIC, "RUGWATCH_")[NAME]).toBeUndefined();
});
