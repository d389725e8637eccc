import { describe, expect, it } from "vitest";
import { OPERATION_TAGS } from "../../generator/contract/openapi-operations.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { ERROR_CODES } from "../../generator/contract/errors.ts";
import { openApiDocument } from "../../generator/contract/openapi.ts";
import { toCacheRows } from "../../public/pages/api/description/caching.ts";
import { findOperation, readDescription, type Operation } from "../../public/pages/api/description/description.ts";
import { toErrorCodes } from "../../public/pages/api/description/errors.ts";
import { toFields } from "../../public/pages/api/description/fields.ts";
import { createResolver } from "../../public/pages/api/description/references.ts";

/** As the API serves it. */
const description = readDescription(JSON.parse(JSON.stringify(openApiDocument())));
const operations = description.tags.flatMap((tag) => tag.operations);

describe("the description that the API serves", () => {
  it("is shown whole, in its own order", () => {
    expect(description.tags.map(({ name }) => name)).toEqual(Object.keys(OPERATION_TAGS));
    expect(operations.map(({ id }) => id).toSorted()).toEqual(
      Object.values(OPERATIONS)
        .map(({ operationId }) => operationId)
        .toSorted(),
    );
    expect(description.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("leaves nothing blank that a reader looks for", () => {
    for (const { path, summary, description, parameters, answers } of operations) {
      expect([path, summary, description], path).not.toContain("");
      for (const parameter of parameters) expect([parameter.name, parameter.description], path).not.toContain("");
      for (const answer of answers) expect(answer.description, `${path} ${answer.status}`).not.toBe("");
      for (const header of answers.flatMap(({ headers }) => headers))
        expect(header.description, header.name).not.toBe("");
    }
  });

  it("has the parameters of an operation with place and bounds, their references followed", () => {
    const { parameters } = get("listValidators");
    expect(parameters.find(({ name }) => name === "limit")).toMatchObject({
      place: "query",
      isRequired: false,
      schema: { type: "integer", minimum: 1, maximum: 100, default: 50 },
    });
    expect(get("getValidator").parameters.find(({ name }) => name === "votePubkey")).toMatchObject({
      place: "path",
      isRequired: true,
    });
  });

  it("names every field of a document with its path, through lists and references", () => {
    const fields = new Map(get("listValidators").answers[0]?.fields.map((field) => [field.path, field]));
    expect(fields.get("data")?.type).toBe("list of object");
    expect(fields.get("data[].activeStake.lamports")).toMatchObject({ type: "text", isNullable: false });
    expect(fields.get("data[].name")).toMatchObject({ type: "text", isNullable: true });
    expect(fields.get("meta.totalPages")).toMatchObject({ type: "integer", isOptional: false });
  });

  it("gives every code of the contract that an operation can answer, once and by status", () => {
    const codes = toErrorCodes(description);
    expect(codes.map(({ code }) => code).toSorted()).toEqual(Object.keys(ERROR_CODES).toSorted());
    expect(codes.map(({ status }) => status)).toEqual(codes.map(({ status }) => status).toSorted((a, b) => a - b));
    expect(codes.find(({ code }) => code === "rate_limited")).toMatchObject({ status: 429 });
    expect(codes.map(({ message }) => message)).not.toContain("");
  });

  it("tells of every operation how long its answer is kept", () => {
    const rows = toCacheRows(description);
    expect(rows.flatMap((row) => row.operations)).toHaveLength(operations.length);
    expect(rows.find((row) => row.operations.includes(get("listEvents")))?.cacheControl).toContain("s-maxage=60");
  });
});

describe("a description that is not what it should be", () => {
  it.each([null, [], "text", { paths: { "/a": { get: null } }, tags: [null] }, { tags: {}, paths: [] }])(
    "is shown as far as it goes: %j",
    (document) => {
      expect(readDescription(document).tags.flatMap((tag) => tag.operations)).toEqual([]);
    },
  );

  it("has no operation of an unknown name, and none without one", () => {
    expect(findOperation(description, "nothing")).toBeNull();
    expect(findOperation(description, undefined)).toBeNull();
  });

  it("ends where references go in a circle, or schemas hold themselves", () => {
    const circle = { a: { $ref: "#/b" }, b: { $ref: "#/a" } };
    expect(createResolver(circle)({ $ref: "#/a" })).toEqual({});
    const tree = { node: { type: "object", properties: { child: { $ref: "#/node" } } } };
    const fields = toFields({ $ref: "#/node" }, createResolver(tree));
    expect(fields.length).toBeGreaterThan(1);
    expect(fields.length).toBeLessThan(20);
  });

  it("follows references whose names hold slashes and tildes, and nowhere outside of it", () => {
    const resolve = createResolver({ paths: { "/a~b": { summary: "here" } } });
    expect(resolve({ $ref: "#/paths/~1a~0b" })).toEqual({ summary: "here" });
    expect(resolve({ $ref: "#/paths/~1a~0b", summary: "beside" })).toEqual({ summary: "beside" });
    expect(resolve({ $ref: "https://elsewhere.example/#/a" })).toEqual({});
    expect(resolve({ $ref: "#/constructor/prototype" })).toEqual({});
  });
});

function get(id: string): Operation {
  const operation = findOperation(description, id);
  if (operation === null) throw new Error(`The description has no ${id}.`);
  return operation;
}
