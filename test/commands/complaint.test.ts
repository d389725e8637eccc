import { describe, expect, it } from "vitest";
import { toComplaints } from "../../generator/commands/complaint.ts";
import { nameNetwork } from "../../generator/service/for-each-network.ts";
import { StoreError } from "../../generator/store/store.ts";

const coded = (code: string) => Object.assign(new Error(`${code}, 5 attempts`), { code });

describe("what a command says when it fails", () => {
  it("says of a store what to do about it, also where a network is named before it", () => {
    const error = new StoreError("s3://state", "list", "series/", coded("ECONNREFUSED"));
    const said =
      /list series\/ in s3:\/\/state failed: ECONNREFUSED, 5 attempts\. Look at AWS_ENDPOINT_URL_S3,/;
    expect(toComplaints(error)).toEqual([expect.stringMatching(said)]);
    expect(toComplaints(nameNetwork("testnet", error))).toEqual([
      expect.stringMatching(/^rugwatch: testnet: list /),
    ]);
    expect(toComplaints(nameNetwork("testnet", error))).toEqual([expect.stringMatching(said)]);
  });

  it("gives no advice on stores where something else has the same code, or the code is not known", () => {
    expect(toComplaints(coded("ECONNREFUSED"))).toEqual(["rugwatch: ECONNREFUSED, 5 attempts"]);
    const error = new StoreError("s3://state", "get", "a", coded("Odd"));
    expect(toComplaints(error)).toEqual(["rugwatch: get a in s3://state failed: Odd, 5 attempts"]);
  });

  it.each([
    ["EACCES", "chown or chmod"],
    ["EROFS", "read-only"],
    ["ENOSPC", "The disk is full"],
    ["InsufficientStorage", "The disk is full"],
    ["SignatureDoesNotMatch", "Look at AWS_ACCESS_KEY_ID"],
    ["NoSuchBucket", "Create the bucket"],
    ["DamagedBody", "put the object back from a backup"],
  ])("says of %s what to mend", (code, advice) => {
    const error = new StoreError("s3://state", "get", "a", coded(code));
    expect(toComplaints(error)).toEqual([expect.stringContaining(advice)]);
  });

  it("quotes strangers in a plain line", () => {
    const said = new Error("no\u001b[2J\n\u009b31mrugwatch: all is\u202e well");
    expect(toComplaints(said)).toEqual(["rugwatch: no rugwatch: all is well"]);
    const error = new StoreError("s3://state", "get", "a", said);
    expect(error.message).toBe("get a in s3://state failed: no rugwatch: all is well");
    expect(error.cause).toBe(said);
  });

  it("has a line for each network that failed", () => {
    expect(toComplaints(new AggregateError([new Error("mainnet: a"), "b"]))).toEqual([
      "rugwatch: mainnet: a",
      "rugwatch: b",
    ]);
  });
});
