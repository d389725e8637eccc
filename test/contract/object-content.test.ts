import { expect, test } from "vitest";
import { assertObject, assertServable } from "../../generator/contract/object-content.ts";
import { EXPORT_TABLES } from "../../generator/contract/export-tables.ts";
import type { ObjectReference } from "../../generator/contract/objects.ts";

const COLUMNS = Object.keys(EXPORT_TABLES.epochs);
const EPOCHS: ObjectReference = { kind: "epochsCsv", names: {} };
const toBody = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\r\n`).join(""));

test.each([
  ["of this version", COLUMNS],
  ["of a newer generator, with another column", [...COLUMNS, "another"]],
  ["of an older generator, with a column less", COLUMNS.slice(0, -1)],
])("a CSV file %s is served", (_, columns) => {
  const body = toBody(columns.join(","), columns.map((__, index) => index).join(","));
  expect(() => assertServable("mainnet", EPOCHS, body)).not.toThrow();
});

test.each([
  ["a page of a host that answers any path", Buffer.from("<!doctype html>\r\n")],
  ["a file that is cut", toBody(COLUMNS.join(","), "1,2,3").subarray(0, -1)],
  ["an empty file", new Uint8Array()],
])("%s is not served as one", (_, body) => {
  expect(() => assertServable("mainnet", EPOCHS, body)).toThrow("it is no whole CSV file");
});

test("what this version publishes has exactly its columns", () => {
  expect(() => assertObject("mainnet", EPOCHS, toBody(`${COLUMNS.join(",")},another`))).toThrow();
});
