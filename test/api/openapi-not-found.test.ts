import { expect, it } from "vitest";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { ERROR_CODES, errorSchema, type ErrorCode } from "../../generator/contract/errors.ts";
import { openApiDocument } from "../../generator/contract/openapi.ts";
import type { Operation } from "../../generator/contract/operation.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { createWorld } from "../proxy/_setup.ts";
import { MAINNET } from "../proxy/fixtures.ts";

type Answer = "found" | "empty" | ErrorCode;

/**
 * What is asked of a key that nobody has or an epoch before all, and of a network without data that
 * nobody watches.
 */
const ANSWERS: Record<keyof typeof OPERATIONS, [unknownName: Answer, unwatched: Answer]> = {
  validators: ["found", "empty"],
  validator: ["validator_not_found", "validator_not_found"],
  validatorEvents: ["empty", "empty"],
  commissionHistory: ["empty", "empty"],
  validatorTransactions: ["empty", "empty"],
  stakeHistory: ["empty", "empty"],
  uptime: ["empty", "empty"],
  location: ["location_not_found", "location_not_found"],
  events: ["found", "empty"],
  changes: ["empty", "not_found"],
  epochs: ["found", "empty"],
  epochEvents: ["empty", "empty"],
  rugsPerEpoch: ["found", "empty"],
  stakeConcentration: ["found", "not_found"],
  wallet: ["wallet_not_found", "wallet_not_found"],
  wallets: ["found", "not_found"],
  epoch: ["found", "not_found"],
  search: ["empty", "empty"],
  status: ["found", "not_found"],
  exports: ["found", "not_found"],
  eventsCsv: ["found", "not_found"],
  eventsParquet: ["found", "not_found"],
  costsCsv: ["found", "not_found"],
  costsParquet: ["found", "not_found"],
  rugsCsv: ["found", "not_found"],
  rugsParquet: ["found", "not_found"],
  validatorsCsv: ["found", "not_found"],
  validatorsParquet: ["found", "not_found"],
  locationsCsv: ["found", "not_found"],
  locationsParquet: ["found", "not_found"],
  epochsCsv: ["found", "not_found"],
  epochsParquet: ["found", "not_found"],
  historyCsv: ["not_found", "not_found"],
  historyParquet: ["not_found", "not_found"],
  uptimeCsv: ["not_found", "not_found"],
  uptimeParquet: ["not_found", "not_found"],
  atomFeed: ["found", "not_found"],
  jsonFeed: ["found", "not_found"],
  validatorAtomFeed: ["not_found", "not_found"],
  validatorJsonFeed: ["not_found", "not_found"],
  watchFeed: ["not_found", "not_found"],
  badge: ["not_found", "not_found"],
  picture: ["not_found", "not_found"],
  sitemap: ["found", "not_found"],
  openapi: ["found", "found"],
};

it("what is not there is an empty list or a 404 with the code that the OpenAPI document gives it", async () => {
  const { app } = await createWorld(MAINNET, { perMinute: 1_000_000, watched: ["mainnet"] });

  async function ask({ path, document, cache }: Operation, network: string): Promise<Answer> {
    const [votePubkey, pubkey] = ["1".repeat(32), "1".repeat(32)];
    const values: Record<string, string | number> = {
      network,
      votePubkey,
      pubkey,
      epoch: 7,
      month: "2020-01",
      feed: "rug",
    };
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const target = names.reduce(
      (filled, name) => filled.replace(`{${name}}`, String(values[name])),
      path,
    );
    const response = await app.fetch(
      new Request(`http://localhost${target}?network=${network}&q=nobody&votes=${votePubkey}`),
    );
    if (response.status !== 200) {
      const { code } = errorSchema.parse(await response.json()).error;
      expect(response.status).toBe(ERROR_CODES[code]);
      return code;
    }
    if (response.headers.get("content-type")?.startsWith("application/json") !== true)
      return "found";
    const body = document.parse(await response.json());
    const { data, meta } = body as { data?: unknown[]; meta?: Record<string, unknown> };
    if (data?.length !== 0) return "found";
    expect(response.headers.get("cache-control")).toBe(CACHE_CLASSES[cache]);
    expect(meta).toMatchObject(
      Object.fromEntries(["network", ...names].map((name) => [name, values[name]])),
    );
    if (network !== "mainnet")
      expect([meta?.["total"] ?? 0, meta?.["latestEpoch"] ?? null]).toEqual([0, null]);
    return "empty";
  }

  const {
    paths,
    components: { responses },
  } = openApiDocument() as {
    paths: Record<string, { get: { responses: Record<string, { $ref?: string }> } }>;
    components: {
      responses: Record<string, { content: { "application/json": { examples: object } } }>;
    };
  };
  const answers: Record<string, Answer[]> = {};
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    answers[name] = [await ask(operation, "mainnet"), await ask(operation, "alpenglow")];
    const missing = answers[name].filter((answer) => answer.endsWith("not_found"));
    const reference = paths[operation.path]?.get.responses["404"]?.$ref;
    const described = responses[reference?.split("/").at(-1) ?? ""];
    expect([name, ...new Set(missing)]).toEqual([
      name,
      ...Object.keys(described?.content["application/json"].examples ?? {}),
    ]);
  }
  expect(answers).toEqual(ANSWERS);
});
