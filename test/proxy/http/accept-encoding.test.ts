import { describe, expect, it } from "vitest";
import { toAnswer, VARIES_MIN_BYTES } from "../../../proxy/cache/answer.ts";
import {
  ACCEPT_ENCODING_MAX_CHARACTERS,
  parseAcceptEncoding,
  toAcceptedEtags,
} from "../../../proxy/http/negotiation.ts";

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
    ["identity", ["identity"]],
    ["", ["identity"]],
    [",,, ,gzip,", ["gzip", "identity"]],
    ["compress, deflate, zstd", ["identity"]],
    ["__proto__, constructor", ["identity"]],
    ["br;q=0, br;q=1", ["identity"]],
  ])("%j accepts %j", (header, codings) => {
    expect(parseAcceptEncoding(header)).toEqual(codings);
  });

  it.each(["br;q=2", "br;q=1.001", "br;q=0.1234", "br;q=-1", "br;q=", "br;level=5", "b r", "br;;q=1", "bŕ", '"br"'])(
    "passes over the malformed member %j",
    (member) => {
      expect(parseAcceptEncoding(`${member}, gzip`)).toEqual(["gzip", "identity"]);
    },
  );

  it("is not read beyond what any client sends", () => {
    const header = "br".padEnd(ACCEPT_ENCODING_MAX_CHARACTERS, ",");
    expect(parseAcceptEncoding(header)).toEqual(["br", "identity"]);
    const answer = toAnswer("a".repeat(VARIES_MIN_BYTES), "snapshot");
    expect(toAcceptedEtags(answer, header)).toHaveLength(2);
    expect(toAcceptedEtags(answer, `${header},`)).toEqual([answer.etag]);
  });
});
