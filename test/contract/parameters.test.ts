import { describe, expect, it } from "vitest";
import { OPERATIONS, type Operation } from "../../generator/contract/operations.ts";
import { PARAMETERS, type Parameter } from "../../generator/contract/parameters.ts";

const UNBOUNDED = Number.MAX_SAFE_INTEGER;
const KEY = "Vote111111111111111111111111111111111111111";

describe("parameters that are whole numbers", () => {
  it.each([
    ["epoch", "epoch", 0, UNBOUNDED, undefined],
    ["page", "page", 1, UNBOUNDED, 1],
    ["limit", "limit", 1, 100, 50],
    ["days", "days", 1, UNBOUNDED, undefined],
    ["epochs", "epochs", 1, 50, 10],
    ["epochsPerPage", "epochs", 1, 100, 10],
    ["offset", "offset", 0, UNBOUNDED, 0],
  ] as const)("%s is called %s and goes from %d to %d, by default %s", (key, name, min, max, preset) => {
    const parameter: Parameter = PARAMETERS[key];
    expect(parameter).toMatchObject({ name, min, max, code: "invalid_parameter" });
    expect(parameter.default).toBe(preset);
    expect(parameter.schema.parse(min)).toBe(min);
    expect(parameter.schema.parse(max)).toBe(max);
    for (const outside of [min - 1, max + 1, min + 0.5, String(min), null, Number.NaN]) {
      expect(parameter.schema.safeParse(outside).success, String(outside)).toBe(false);
    }
  });

  it.each(["page", "limit", "epochs", "epochsPerPage", "offset", "network"] as const)(
    "%s, left out, is its default",
    (key) => expect(PARAMETERS[key].schema.parse(undefined)).toBe(PARAMETERS[key].default),
  );
});

describe("parameters that are a choice", () => {
  it("network is one of three, mainnet by default, with an error code of its own", () => {
    expect(PARAMETERS.network).toMatchObject({ default: "mainnet", code: "invalid_network" });
    expect(PARAMETERS.network.values).toEqual(["mainnet", "testnet", "alpenglow"]);
    expect(PARAMETERS.network.schema.safeParse("devnet").success).toBe(false);
    expect(PARAMETERS.network.schema.safeParse("Mainnet").success).toBe(false);
  });

  it("severity is one of three or left out", () => {
    expect(PARAMETERS.severity.values).toEqual(["RUG", "CAUTION", "INFO"]);
    expect(PARAMETERS.severity.schema.parse(undefined)).toBeUndefined();
    expect(PARAMETERS.severity.schema.safeParse("rug").success).toBe(false);
  });
});

describe("parameters that are text", () => {
  it.each([
    ["a key of 43 characters", KEY, true],
    ["31 characters", "1".repeat(31), false],
    ["32 characters", "1".repeat(32), true],
    ["44 characters", "1".repeat(44), true],
    ["45 characters", "1".repeat(45), false],
    ["a character that is not Base58", KEY.replace("V", "0"), false],
    ["a line break at the end", `${KEY}\n`, false],
    ["a path", `../../${KEY}`, false],
  ])("votePubkey: %s", (_, text, accepted) => {
    expect(PARAMETERS.votePubkey.schema.safeParse(text).success).toBe(accepted);
  });

  it.each([
    ["one letter", "a", null],
    ["two letters", "ab", "ab"],
    ["blanks around", "  ab  ", "ab"],
    ["one letter among blanks", "  a  ", null],
    ["blanks only", "     ", null],
    ["one emoji, two code units", "🦀", null],
    ["two emoji", "🦀🦀", "🦀🦀"],
    ["a letter with a combining accent, one code point when composed", "e\u0301", null],
    ["composed before it is compared", "cafe\u0301", "café"],
    ["a hundred code points", "🦀".repeat(100), "🦀".repeat(100)],
    ["a thousand", "a".repeat(1000), "a".repeat(1000)],
  ])("q: %s", (_, text, expected) => {
    const parsed = PARAMETERS.q.schema.safeParse(text);
    expect(parsed.success ? parsed.data : null).toBe(expected);
  });
});

describe("parameters of endpoints", () => {
  it.each<[keyof typeof OPERATIONS, string[]]>([
    ["validators", ["limit", "network", "page"]],
    ["validator", ["network", "votePubkey"]],
    ["validatorEvents", ["network", "votePubkey"]],
    ["commissionHistory", ["network", "votePubkey"]],
    ["stakeHistory", ["network", "votePubkey"]],
    ["uptime", ["days", "network", "votePubkey"]],
    ["location", ["network", "votePubkey"]],
    ["events", ["epochs", "network", "severity"]],
    ["epochEvents", ["epoch", "network"]],
    ["rugsPerEpoch", ["epochsPerPage", "network", "offset"]],
    ["stakeConcentration", ["network"]],
    ["epoch", ["network"]],
    ["search", ["network", "q"]],
    ["status", ["network"]],
  ])("%s takes %j", (key, expected) => {
    expect(OPERATIONS[key].parameters.toSorted()).toEqual(expected);
  });

  it("document the error code of each parameter", () => {
    const endpoints: Operation[] = Object.values(OPERATIONS);
    for (const { operationId, parameters, errors } of endpoints) {
      const codes = parameters.map((key) => PARAMETERS[key].code);
      expect(errors, operationId).toEqual(expect.arrayContaining(codes));
      expect(
        errors.filter((code) => code.startsWith("invalid_")),
        operationId,
      ).toHaveLength(new Set(codes.filter((code) => code.startsWith("invalid_"))).size);
    }
  });
});
