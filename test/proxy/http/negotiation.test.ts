import { describe, expect, it } from "vitest";
import { toAnswer, VARIES_MIN_BYTES } from "../../../proxy/answer.ts";
import {
  ACCEPT_ENCODING_MAX_CHARACTERS,
  findHeldEtag,
  isMatched,
  parseAcceptEncoding,
  toAcceptedEtags,
} from "../../../proxy/http/negotiation.ts";

const OURS = ['"one"', '"two"'];

describe("Accept-Encoding", () => {
  it.each([
    ["gzip, deflate, br, zstd", ["br", "gzip", "identity"]],
    ["gzip, deflate", ["gzip", "identity"]],
    ["br", ["br", "identity"]],
    ["BR;Q=1, GZip", ["br", "gzip", "identity"]],
    ["x-gzip", ["gzip", "identity"]],
    ["br;q=0.5, gzip", ["gzip", "br", "identity"]],
    ["gzip;q=0.5, identity", ["identity", "gzip"]],
    ["br ; q=0.001\t, gzip ;\tq=0.002", ["gzip", "br", "identity"]],
    ["br;q=0, gzip", ["gzip", "identity"]],
    ["*", ["br", "gzip", "identity"]],
    ["*;q=0.1, gzip", ["gzip", "br", "identity"]],
    ["br, *;q=0", ["br"]],
    ["identity;q=0, br", ["br"]],
    ["identity;q=0", []],
    ["*;q=0", []],
    ["", ["identity"]],
    [",,, ,gzip,", ["gzip", "identity"]],
    ["compress, deflate, zstd", ["identity"]],
    ["__proto__, constructor", ["identity"]],
    ["br;q=0, br;q=1", ["identity"]],
  ])("%j accepts %j", (header, codings) => {
    expect(parseAcceptEncoding(header)).toEqual(codings);
  });

  it.each([
    "br;q=2",
    "br;q=1.001",
    "br;q=0.1234",
    "br;q=-1",
    "br;q=",
    "br;level=5",
    "b r",
    "br;;q=1",
    "bŕ",
    '"br"',
  ])("passes over the malformed member %j", (member) =>
    expect(parseAcceptEncoding(`${member}, gzip`)).toEqual(["gzip", "identity"]),
  );

  it("is not read beyond what any client sends", () => {
    const header = "br".padEnd(ACCEPT_ENCODING_MAX_CHARACTERS, ",");
    const answer = toAnswer("a".repeat(VARIES_MIN_BYTES), "snapshot");
    expect(toAcceptedEtags(answer, header)).toHaveLength(2);
    expect(toAcceptedEtags(answer, `${header},`)).toEqual([answer.etag]);
  });

  it("that is missing refuses no variant that a client holds", () => {
    expect(
      toAcceptedEtags(toAnswer("a".repeat(VARIES_MIN_BYTES), "snapshot"), undefined),
    ).toHaveLength(3);
  });
});

describe("If-None-Match", () => {
  it.each([
    ['"one"', '"one"'],
    ['W/"two"', '"two"'],
    ['"other", "two"', '"two"'],
    ['"two", "one"', '"two"'],
    ['"with, comma","one"', '"one"'],
    [' ,, "other" , ,W/"one",', '"one"'],
    ['"one", garbage', '"one"'],
    [" * ", '"one"'],
  ])("%j names %j", (header, etag) => {
    expect(findHeldEtag(header, OURS)).toBe(etag);
  });

  it.each([
    ...[
      "",
      ",",
      "one",
      '"one',
      'one"',
      '"One"',
      'w/"one"',
      'W / "one"',
      '"other"',
      '"other"one"',
      '"other" "one"',
    ],
    ...['"other;"one"', '*, "other"', '"*"', "'one'", 'garbage, "one"'],
  ])("%j names none of ours", (header) => {
    expect(findHeldEtag(header, OURS)).toBeNull();
  });

  it.each([" ", ",", '"', 'W/"', '"",', '"" ', ", ", '"a" W/'])(
    "takes time linear in its length: %j again and again",
    (piece) => {
      const toMilliseconds = (pieces: number) => {
        const header = `${piece.repeat(pieces)}!`;
        // This thread's time only: the machine may be busy.
        const before = process.threadCpuUsage().user;
        for (let time = 0; time < 20; time++) findHeldEtag(header, OURS);
        return (process.threadCpuUsage().user - before) / 1_000;
      };
      toMilliseconds(1_000);
      // Quadratic, 16 times the length would take 256 times as long.
      expect(toMilliseconds(16_000)).toBeLessThan(100 + 64 * toMilliseconds(1_000));
    },
  );
});

describe("If-Match", () => {
  it.each(['"one"', '"other", "two"', '"two",W/"one"', "*", " * "])("%j holds", (header) => {
    expect(isMatched(header, OURS)).toBe(true);
  });

  it.each(["", 'W/"one"', '"other"', "one", '*, "other"', 'W/"one", W/"two"', 'garbage, "one"'])(
    "%j does not",
    (header) => {
      expect(isMatched(header, OURS)).toBe(false);
    },
  );
});
