import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { currentShape, shapeOf } from "./shape.ts";
import { extendShapeFile, FROZEN_SHAPE_FILE, readShape } from "./shape-file.ts";
import { extendShape, findBreaks } from "./shape-rules.ts";

const stake = z.object({ lamports: z.string(), sol: z.number() }).meta({ id: "ShapeTestStake" });

const fields = {
  key: z.string(),
  rank: z.int(),
  name: z.string().nullable(),
  severity: z.enum(["RUG", "INFO"]),
  seenAt: z.iso.datetime(),
  stake,
  places: z.array(z.object({ city: z.string().nullable() })),
};

/** One document, `list`, whose rows have these fields. */
function shapeWith(rowFields: z.ZodRawShape) {
  return shapeOf({ list: z.object({ data: z.array(z.object(rowFields)) }) });
}

function without(name: keyof typeof fields) {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name));
}

const before = shapeWith(fields);

describe("the frozen shape of v1", () => {
  it("is kept by the schemas as they are", async () => {
    expect(findBreaks(await readShape(FROZEN_SHAPE_FILE), currentShape())).toEqual([]);
  });

  it("guards every path: taking any one of them away is a break that names it", async () => {
    const frozen = await readShape(FROZEN_SHAPE_FILE);
    expect(Object.keys(frozen).length).toBeGreaterThan(380);
    const whole = Object.entries(currentShape());
    for (const taken of Object.keys(frozen)) {
      const current = Object.fromEntries(whole.filter(([kept]) => kept !== taken));
      expect(findBreaks(frozen, current)).toEqual([`${taken} was removed or renamed (was ${String(frozen[taken])})`]);
    }
  });
});

describe("a shape", () => {
  it("says the type of every path, through arrays, references and nulls", () => {
    expect(before).toEqual({
      "list:": "object",
      "list: data": "array",
      "list: data[]": "object",
      "list: data[].key": "string",
      "list: data[].name": "string | null",
      "list: data[].places": "array",
      "list: data[].places[]": "object",
      "list: data[].places[].city": "string | null",
      "list: data[].rank": "integer",
      "list: data[].seenAt": "string date-time",
      "list: data[].severity": "'INFO' | 'RUG'",
      "list: data[].stake": "object",
      "list: data[].stake.lamports": "string",
      "list: data[].stake.sol": "number",
    });
  });

  it.each<[string, z.ZodRawShape, string]>([
    ["a field is removed", without("key"), "list: data[].key was removed or renamed"],
    ["a field is renamed", { ...without("key"), votePubkey: z.string() }, "list: data[].key was removed or renamed"],
    ["an integer becomes a number", { ...fields, rank: z.number() }, "list: data[].rank was retyped"],
    ["a number becomes a string", { ...fields, rank: z.string() }, "list: data[].rank was retyped"],
    ["a time loses its format", { ...fields, seenAt: z.string() }, "list: data[].seenAt was retyped"],
    ["a second type is allowed", { ...fields, key: z.union([z.string(), z.int()]) }, "list: data[].key was retyped"],
    ["a field is made nullable", { ...fields, rank: z.int().nullable() }, "list: data[].rank was made nullable"],
    ["an object is made nullable", { ...fields, stake: stake.nullable() }, "list: data[].stake was made nullable"],
    ["a field is made optional", { ...fields, rank: z.int().optional() }, "list: data[].rank was made optional"],
    ["an enumeration loses a value", { ...fields, severity: z.enum(["RUG"]) }, "list: data[].severity lost a value"],
    ["an enumeration becomes free text", { ...fields, severity: z.string() }, "list: data[].severity was retyped"],
    [
      "a nested field is removed",
      { ...fields, places: z.array(z.object({})) },
      "list: data[].places[].city was removed or renamed",
    ],
  ])("is broken when %s", (_, altered, expected) => {
    const breaks = findBreaks(before, shapeWith(altered));
    expect(breaks).toHaveLength(1);
    expect(breaks[0]).toContain(expected);
  });

  it.each<[string, z.ZodRawShape]>([
    ["a field is added", { ...fields, website: z.string() }],
    ["a nullable field is added", { ...fields, website: z.string().nullable() }],
    [
      "a nested field is added",
      { ...fields, places: z.array(z.object({ city: z.string().nullable(), asn: z.int() })) },
    ],
    ["an enumeration gains a value", { ...fields, severity: z.enum(["RUG", "CAUTION", "INFO"]) }],
    ["a nullable field is never null any more", { ...fields, name: z.string() }],
    ["the fields change their order", Object.fromEntries(Object.entries(fields).reverse())],
    ["a description or a bound changes", { ...fields, rank: z.int().min(1).meta({ description: "From 1." }) }],
  ])("is kept when %s", (_, altered) => {
    expect(findBreaks(before, shapeWith(altered))).toEqual([]);
  });
});

describe("freezing what was added", () => {
  let folder: string;
  let file: URL;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "rugwatch-shape-"));
    file = pathToFileURL(path.join(folder, "shape.json"));
    await writeFile(file, JSON.stringify(before));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it("adds new paths and new values, and guards them from then on", async () => {
    const grown = shapeWith({ ...fields, severity: z.enum(["RUG", "CAUTION", "INFO"]), website: z.string() });
    expect(await extendShapeFile(file, grown)).toEqual(["list: data[].severity", "list: data[].website"]);
    expect(findBreaks(await readShape(file), before)).toHaveLength(2);
    expect(await extendShapeFile(file, grown)).toEqual([]);
  });

  it("refuses a shape that lacks something, even when it adds something, and leaves the file alone", async () => {
    const text = await readFile(file, "utf8");
    const altered = shapeWith({ ...without("key"), website: z.string() });
    await expect(extendShapeFile(file, altered)).rejects.toThrow("list: data[].key was removed or renamed");
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("does not begin anew where the file is gone", async () => {
    await rm(file);
    await expect(extendShapeFile(file, before)).rejects.toThrow("ENOENT");
  });

  it("goes on allowing a null that is not given at present", () => {
    expect(extendShape(before, shapeWith({ ...fields, name: z.string() }))).toEqual(before);
  });
});
