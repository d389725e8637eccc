import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readWholeBody } from "../../../generator/store/s3/body.ts";

const read = (body: unknown, contentLength: number, signal = new AbortController().signal) =>
  readWholeBody({ body, contentLength, signal });
const streamOf = (...parts: string[]) => Readable.from(parts.map((part) => Buffer.from(part)));

test("joins the parts of a body", async () => {
  expect((await read(streamOf("ab", "cd"), 4)).toString()).toBe("abcd");
});

test.each([
  ["ends early", streamOf("ab"), 4, "2 of 4 bytes"],
  ["goes on for longer than it said", streamOf("ab", "cd"), 3, "4 of 3 bytes"],
  ["is not there", undefined, 0, "no body"],
])("refuses a body that %s", async (_, body, length, reason) => {
  await expect(read(body, length)).rejects.toThrow(reason);
});

test("gives up a body that stalls when the operation's time is over", async () => {
  const stalled = new Readable({ read: () => undefined });
  stalled.push("ab");
  const deadline = new AbortController();
  const reading = read(stalled, 4, deadline.signal);
  deadline.abort();
  await expect(reading).rejects.toThrow("time-out");
  expect(stalled.destroyed).toBe(true);
});
