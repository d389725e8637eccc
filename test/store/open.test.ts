import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../generator/store/open.ts";
import { makeDirectory } from "./directory.ts";

const options = { expect: "any", contentType: "application/json" } as const;

test("opens a directory by its absolute path", async () => {
  const { directory, remove } = await makeDirectory();
  await openStore(`file:${join(directory, "x")}`).put("a.json", new Uint8Array(3), options);
  expect(await openStore(`file:${directory}`).head("x/a.json")).toMatchObject({ size: 3 });
  await remove();
});

test("takes a relative directory from the working directory", async () => {
  const { directory, remove } = await makeDirectory();
  const before = process.cwd();
  process.chdir(directory);
  try {
    await openStore("file:.data/public").put("a.json", new Uint8Array(2), options);
  } finally {
    process.chdir(before);
  }
  expect(await openStore(`file:${directory}`).head(".data/public/a.json")).toMatchObject({ size: 2 });
  await remove();
});

test("opens a bucket, or what is below a prefix in it, without asking for it", () => {
  expect(openStore("s3://bucket").name).toBe("s3://bucket");
  expect(openStore("s3://bucket/some/prefix/").name).toBe("s3://bucket/some/prefix");
});

test.each(["s3://", "s3://secret@bucket", "s3://bucket/secret?", "s3://bucket//secret"])(
  "refuses the bucket or prefix of %j and repeats no secret",
  (url) => {
    expect(() => openStore(url)).toThrow("of s3://BUCKET/PREFIX must");
    expect(() => openStore(url)).not.toThrow("secret");
  },
);

test("opens an empty store in memory each time", async () => {
  await openStore("memory:").put("a.json", new Uint8Array(1), options);
  expect(await openStore("memory:").get("a.json")).toBeNull();
});

test.each([
  ["ftp://user:secret@example.org/", "of the kind ftp: is not supported"],
  [".data/public", "without a scheme"],
  ["", "without a scheme"],
  ["file:", "needs a directory"],
])("refuses %j, says what is supported and repeats no secret", (url, message) => {
  expect(() => openStore(url)).toThrow(message);
  expect(() => openStore(url)).toThrow("file:DIR");
  expect(() => openStore(url)).not.toThrow("secret");
});
