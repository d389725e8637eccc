import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openS3Store } from "../../../generator/store/s3.ts";
import { makeDirectory } from "../directory.ts";
import { any, bytes, useServer } from "./setup.ts";

const { used, kept } = useServer();

let file: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  const made = await makeDirectory();
  remove = made.remove;
  file = join(made.directory, "credentials");
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", file);
  vi.stubEnv("AWS_CONFIG_FILE", join(made.directory, "config"));
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"])
    vi.stubEnv(name, undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await remove();
});

const writeKey = (key: string) => writeFile(file, `[default]\naws_access_key_id=${key}\naws_secret_access_key=any\n`);
const openByFile = () => openS3Store("s3://bucket/some/prefix", { endpoint: used.server.endpoint, region: "here" });
const put = (store = openByFile()) => store.put("a", bytes("{}"), any);

/** Takes requests that are signed with one key only. */
const acceptOnly = (key: string, refusal: { status: number; code: string }) => {
  used.server.decide = ({ headers }) =>
    headers["authorization"]?.includes(`Credential=${key}/`) ? null : { kind: "error", ...refusal };
};

test.each([
  { status: 400, code: "ExpiredToken" },
  { status: 403, code: "InvalidAccessKeyId" },
  { status: 401, code: "Unauthorized" },
])("keys that were replaced in the file are found after a refusal: %o", async (refusal) => {
  await writeKey("OLDKEY");
  const store = openByFile();
  await put(store);
  acceptOnly("NEWKEY", refusal);
  await expect(put(store)).rejects.toThrow(refusal.code);
  await writeKey("NEWKEY");
  await expect(put(store))
    .rejects.toThrow(refusal.code)
    .catch(() => undefined);
  await put(store);
  expect(kept("a")?.body.toString()).toBe("{}");
});

test("credentials that come only later are found by the store that missed them", async () => {
  await rm(file, { force: true });
  const store = openByFile();
  await expect(put(store)).rejects.toThrow("no credentials were found");
  expect(used.server.requests).toEqual([]);
  await writeKey("LATEKEY");
  await put(store);
  expect(used.server.requests[0]?.headers["authorization"]).toContain("LATEKEY");
});
