import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Finding } from "../../../generator/service/doctor/findings.ts";
import { examineStores } from "../../../generator/service/doctor/stores.ts";
import { openS3Store } from "../../../generator/store/s3.ts";
import { failAlways } from "../../store/s3/faults.ts";
import { startMisbehavingS3, type MisbehavingS3 } from "../../store/s3/misbehaving.ts";

let server: MisbehavingS3;
beforeEach(async () => {
  server = await startMisbehavingS3();
});
afterEach(() => server.stop());

function examine(publicStore: string, stateStore: string): Promise<Finding[]> {
  const { endpoint } = server;
  const credentials = { accessKeyId: "any", secretAccessKey: "any" };
  const open = (url: string) => openS3Store(url, { endpoint, region: "here", credentials, attemptsMax: 1 });
  return examineStores({ settings: { publicStore, stateStore }, timer: () => 0, open });
}

const examineBoth = () => examine("s3://bucket/public", "s3://bucket/state");

describe("stores in S3", () => {
  it("are well where the server does what S3 does, and are left empty", async () => {
    const findings = await examineBoth();
    expect(findings.map(({ level, subject }) => [level, subject])).toEqual([
      ["ok", "public store"],
      ["ok", "state store"],
      ["ok", "stores apart"],
    ]);
    expect([...server.buckets.get("bucket")!.keys()]).toEqual([]);
  });

  it("are unusable for the state where the server silently ignores conditions", async () => {
    server.decide = failAlways("put", { kind: "ignore-condition" });
    const [ofPublic, ofState] = await examineBoth();
    expect(ofPublic).toMatchObject({ level: "warning", subject: "public store" });
    expect(ofState).toMatchObject({
      level: "problem",
      subject: "state store",
      found: expect.stringContaining("it overwrites where it was told to create only") as string,
      advice: expect.stringContaining("cannot be used for the state") as string,
    });
  });

  it.each([
    ["AccessDenied", 403, "s3:ListBucket"],
    ["SignatureDoesNotMatch", 403, "AWS_SECRET_ACCESS_KEY"],
    ["PermanentRedirect", 301, "AWS_REGION"],
    ["NotImplemented", 501, "AWS_REQUEST_CHECKSUM_CALCULATION"],
  ])("that answer %s come with what to do about it", async (code, status, advice) => {
    server.decide = failAlways("put", { kind: "error", status, code });
    expect((await examineBoth())[1]).toMatchObject({
      level: "problem",
      found: expect.stringContaining(code) as string,
      advice: expect.stringContaining(advice) as string,
    });
  });

  it("say which bucket is missing", async () => {
    expect((await examine("s3://bucket", "s3://no-such-bucket"))[1]).toMatchObject({
      found: expect.stringMatching(/s3:\/\/no-such-bucket: write fails: .*no such bucket/) as string,
      advice: expect.stringContaining("Make the bucket") as string,
    });
  });

  it("are not apart when one is in the other", async () => {
    const findings = await examine("s3://bucket/one", "s3://bucket/one/state/");
    expect(findings.at(-1)).toMatchObject({ level: "problem", subject: "stores apart" });
  });
});
