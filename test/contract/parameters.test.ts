import { expect, it } from "vitest";
import type { Operation } from "../../generator/contract/operation.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { PARAMETERS, type Parameter } from "../../generator/contract/parameters.ts";

const UNBOUNDED = Number.MAX_SAFE_INTEGER;
const KEY = "Vote111111111111111111111111111111111111111";

it.each([
  ["epoch", "epoch", 0, UNBOUNDED, undefined],
  ["page", "page", 1, UNBOUNDED, 1],
  ["limit", "limit", 1, 100, 50],
  ["days", "days", 1, UNBOUNDED, undefined],
  ["epochs", "epochs", 1, 50, 10],
  ["epochsPerPage", "epochs", 1, 100, 10],
  ["offset", "offset", 0, UNBOUNDED, 0],
] as const)(
  "a parameter that is a whole number %s is called %s and goes from %d to %d, by default %s",
  (key, name, min, max, preset) => {
    const parameter: Parameter = PARAMETERS[key];
    expect(parameter).toMatchObject({ name, min, max, code: "invalid_parameter" });
    expect(parameter.default).toBe(preset);
    if (preset !== undefined) expect(parameter.schema.parse(undefined)).toBe(preset);
    for (const inside of [min, max]) expect(parameter.schema.parse(inside)).toBe(inside);
    for (const outside of [min - 1, max + 1, min + 0.5, String(min), null, Number.NaN])
      expect(parameter.schema.safeParse(outside).success, String(outside)).toBe(false);
  },
);

it.each([
  [
    "network",
    ["mainnet", "testnet", "alpenglow"],
    "mainnet",
    "invalid_network",
    ["devnet", "Mainnet", ""],
  ],
  ["severity", ["RUG", "CAUTION", "INFO"], undefined, "invalid_parameter", ["rug", ""]],
  ["collapse", ["true", "false"], "false", "invalid_parameter", ["", "1", "True"]],
] as const)(
  "a parameter that is a choice %s is one of %j, by default %s",
  (key, values, preset, code, others) => {
    const { schema, ...parameter }: Parameter = PARAMETERS[key];
    expect(parameter).toMatchObject({ values, code });
    expect(schema.parse(undefined)).toBe(preset);
    for (const other of others) expect(schema.safeParse(other).success).toBe(false);
  },
);

const votePubkeys = [
  [KEY, KEY],
  ["1".repeat(31), null],
  ["1".repeat(32), "1".repeat(32)],
  ["1".repeat(44), "1".repeat(44)],
  ["1".repeat(45), null],
  [KEY.replace("V", "0"), null],
  [`${KEY}\n`, null],
  [`../../${KEY}`, null],
] as const;
const searches = [
  ["a", null],
  ["ab", "ab"],
  ["  ab  ", "ab"],
  ["  a  ", null],
  ["     ", null],
  ["🦀", null],
  ["🦀🦀", "🦀🦀"],
  ["e\u0301", null],
  ["cafe\u0301", "café"],
  ["🦀".repeat(100), "🦀".repeat(100)],
  ["a".repeat(1000), "a".repeat(1000)],
] as const;

it.each([
  ...votePubkeys.map(([text, read]) => ["votePubkey", text, read] as const),
  ...searches.map(([text, read]) => ["q", text, read] as const),
])("a parameter that is text %s of %j is read as %j", (key, text, read) => {
  expect(PARAMETERS[key].schema.safeParse(text).data ?? null).toBe(read);
});

it.each<Operation>(Object.values(OPERATIONS))(
  "the parameters of an endpoint have their error codes, and no more, described: $path",
  (endpoint) => {
    const codes = new Set(endpoint.parameters.map((key) => PARAMETERS[key].code));
    const isInvalid = (code: string) => code.startsWith("invalid_");
    expect(endpoint.errors).toEqual(expect.arrayContaining([...codes]));
    expect(endpoint.errors.filter(isInvalid).toSorted()).toEqual(
      [...codes].filter(isInvalid).toSorted(),
    );
  },
);
