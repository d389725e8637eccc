import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSocket } from "../_setup.ts";
import { exchangePieces, expectRefusal, type RawAnswer } from "./_raw.ts";

const RUNS = 300;

const HEAD =
  "GET /api/v1/events?epochs=2 HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n";
const latin1 = (text: string) => Buffer.from(text, "latin1");
const splice = (at: number, inserted: string) =>
  latin1(HEAD.slice(0, at) + inserted + HEAD.slice(at));

/** Any bytes; by chance practically never a request. */
const noise = fc
  .uint8Array({ minLength: 1, maxLength: 500 })
  .map((bytes) => Buffer.from([0xff, ...bytes]));
/** A null byte, which no head may have. */
const nullByte = fc.nat(HEAD.length - 1).map((at) => splice(at, "\0"));
/** The beginning of a head that nothing can complete. */
const cut = fc
  .integer({ min: 1, max: HEAD.length - 1 })
  .map((length) => latin1(HEAD.slice(0, length)));
/** Too much, as the target or as a header. */
const tooLong = fc
  .tuple(
    fc.constantFrom(HEAD.indexOf("?"), HEAD.indexOf("Accept") + 8),
    fc.integer({ min: 16_400, max: 40_000 }),
  )
  .map(([at, length]) => splice(at, "a".repeat(length)));
/** Where the body ends, two readers may see differently. */
const ambiguous = fc
  .constantFrom("Transfer-Encoding: gzip, chunked, x\r\n", "Content-Length: 1,1\r\n")
  .map((lines) => splice(HEAD.indexOf("Accept"), lines));
const malformed = fc.oneof(noise, nullByte, tooLong, ambiguous);

/** Where the bytes are cut into packets. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
function toPieces(bytes: Uint8Array, shares: number[]): Uint8Array[] {
  const ends = [
    ...shares.map((share) => Math.round(share * bytes.length)).toSorted((a, b) => a - b),
    bytes.length,
  ];
  return ends
    .map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
    .filter((piece) => piece.length > 0);
}

async function open(): Promise<string> {
  const { url, world } = await openSocket();
  onTestFinished(() => expect(world.log).toEqual([]));
  return url;
}

const CODES = { 400: "bad_request", 431: "headers_too_large" } as const;

function expectOneRefusal(answers: RawAnswer[]): void {
  expect(answers).toHaveLength(1);
  const status = answers[0]!.status as keyof typeof CODES;
  expectRefusal(answers[0], status, CODES[status]);
}

describe("malformed bytes", () => {
  it.each([
    ["in pieces of any size", malformed, false, RUNS],
    ["that are the beginning of a request whose client says no more", cut, true, RUNS / 3],
  ])(
    "%s get one answer, which is a whole refusal, and their connection is closed",
    async (_, made, isEnding, numRuns) => {
      const url = await open();
      const refused = fc.asyncProperty(made, cuts, async (bytes, shares) => {
        const { answers, rest } = await exchangePieces(url, toPieces(bytes, shares), { isEnding });
        expect(rest).toBe("");
        expectOneRefusal(answers);
      });
      await fc.assert(refused, { numRuns });
    },
  );

  it("behind good requests and before others are refused once, and close their connection", async () => {
    const url = await open();
    await fc.assert(
      fc.asyncProperty(fc.nat(3), malformed, cuts, async (before, bytes, shares) => {
        const stream = Buffer.concat([latin1(HEAD.repeat(before)), bytes, latin1(HEAD)]);
        const { answers, rest } = await exchangePieces(url, toPieces(stream, shares));
        expect(rest).toBe("");
        const [good, refusals] = [true, false].map((isGood) =>
          answers.filter(({ status }) => (status === 200) === isGood),
        );
        expect(good!.length).toBeLessThanOrEqual(before);
        expectOneRefusal(refusals!);
      }),
      { numRuns: RUNS },
    );
  });
});
