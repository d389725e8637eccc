import { readFile, rm, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { makeDirectory } from "../store/directory.ts";
import {
  currentShape,
  extendShape,
  extendShapeFile,
  findBreaks,
  FROZEN_SHAPE_FILE,
  readShape,
  shapeOf,
} from "./shape.ts";

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

type Changes = Record<string, z.ZodType | undefined>;

function shapeWith(changes: Changes = {}) {
  const all: Changes = { ...fields, ...changes };
  const changed = Object.entries(all).filter(([, type]) => type !== undefined);
  const row = z.object(Object.fromEntries(changed));
  return shapeOf({ list: z.object({ data: z.array(row) }) });
}

const before = shapeWith();

it("the frozen shape of v1 is kept by the schemas as they are", async () => {
  const frozen = await readShape(FROZEN_SHAPE_FILE);
  expect(findBreaks(frozen, currentShape())).toEqual([]);
  expect(Object.keys(frozen).length).toBeGreaterThan(380);
});

describe("a shape", () => {
  it.each<[string, Changes, string]>([
    ["a field is removed", { key: undefined }, "key was removed or renamed"],
    [
      "a field is renamed",
      { key: undefined, votePubkey: z.string() },
      "key was removed or renamed",
    ],
    ["an integer becomes a number", { rank: z.number() }, "rank was retyped"],
    ["a number becomes a string", { rank: z.string() }, "rank was retyped"],
    ["a time loses its format", { seenAt: z.string() }, "seenAt was retyped"],
    ["a second type is allowed", { key: z.union([z.string(), z.int()]) }, "key was retyped"],
    ["a field is made nullable", { rank: z.int().nullable() }, "rank was made nullable"],
    ["an object is made nullable", { stake: stake.nullable() }, "stake was made nullable"],
    ["a field is made optional", { rank: z.int().optional() }, "rank was made optional"],
    ["an enumeration loses a value", { severity: z.enum(["RUG"]) }, "severity lost a value"],
    ["an enumeration becomes free text", { severity: z.string() }, "severity was retyped"],
    [
      "a nested field is removed",
      { places: z.array(z.object({})) },
      "places[].city was removed or renamed",
    ],
  ])("is broken when %s", (_, altered, expected) => {
    const breaks = findBreaks(before, shapeWith(altered));
    expect(breaks).toHaveLength(1);
    expect(breaks[0]).toContain(`list: data[].${expected}`);
  });

  it.each<[string, Changes]>([
    ["a field is added", { website: z.string() }],
    ["a nullable field is added", { website: z.string().nullable() }],
    [
      "a nested field is added",
      { places: z.array(z.object({ city: z.string().nullable(), asn: z.int() })) },
    ],
    ["an enumeration gains a value", { severity: z.enum(["RUG", "CAUTION", "INFO"]) }],
    ["a nullable field is never null any more", { name: z.string() }],
    ["a description or a bound changes", { rank: z.int().min(1).meta({ description: "From 1." }) }],
  ])("is kept when %s", (_, altered) => {
    expect(findBreaks(before, shapeWith(altered))).toEqual([]);
  });

  it("is the same in whatever order its fields are", () => {
    const row = z.object(Object.fromEntries(Object.entries(fields).reverse()));
    expect(JSON.stringify(shapeOf({ list: z.object({ data: z.array(row) }) }))).toBe(
      JSON.stringify(before),
    );
  });
});

describe("freezing what was added", () => {
  async function freeze(): Promise<URL> {
    const { directory, remove } = await makeDirectory();
    onTestFinished(remove);
    const file = pathToFileURL(`${directory}/shape.json`);
    await writeFile(file, JSON.stringify(before));
    return file;
  }

  it("adds new paths and new values, and guards them from then on", async () => {
    const file = await freeze();
    const grown = shapeWith({ severity: z.enum(["RUG", "CAUTION", "INFO"]), website: z.string() });
    expect(await extendShapeFile(file, grown)).toEqual([
      "list: data[].severity",
      "list: data[].website",
    ]);
    expect(findBreaks(await readShape(file), before)).toHaveLength(2);
    expect(await extendShapeFile(file, grown)).toEqual([]);
  });

  it("refuses a shape that lacks something, even when it adds something, and leaves the file alone", async () => {
    const file = await freeze();
    const altered = shapeWith({ key: undefined, website: z.string() });
    await expect(extendShapeFile(file, altered)).rejects.toThrow(
      "list: data[].key was removed or renamed",
    );
    expect(await readFile(file, "utf8")).toBe(JSON.stringify(before));
  });

  it("does not begin anew where the file is gone", async () => {
    const file = await freeze();
    await rm(file);
    await expect(extendShapeFile(file, before)).rejects.toThrow("ENOENT");
  });

  it("goes on allowing a null that is not given at present", () => {
    expect(extendShape(before, shapeWith({ name: z.string() }))).toEqual(before);
  });
});
