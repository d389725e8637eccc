import { beforeEach } from "vitest";
import type { S3Settings } from "../../../generator/store/s3/client.ts";
import { openS3Store } from "../../../generator/store/s3.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import { startMisbehavingS3, type MisbehavingS3 } from "./misbehaving.ts";

export const SECRET = "a-very-secret-key";
export const ACCESS_KEY = "ACCESSKEY";

export const any = {
  expect: "any",
  contentType: "application/json",
  cacheControl: "max-age=60",
} as const;
export const absent = { ...any, expect: "absent" } as const;

export const bytes = (text: string) => new TextEncoder().encode(text);

/** A store at such a server, with short waits between tries. */
export function open(
  server: MisbehavingS3,
  settings: S3Settings = {},
  url = "s3://bucket/some/prefix",
): ObjectStore {
  const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET };
  const { endpoint } = server;
  return openS3Store(url, {
    endpoint,
    region: "here",
    credentials,
    retryDelayMilliseconds: 1,
    ...settings,
  });
}

export function useServer() {
  const used = {} as {
    server: MisbehavingS3;
    open: (settings?: S3Settings, url?: string) => ObjectStore;
  };
  beforeEach(async () => {
    const server = await startMisbehavingS3();
    Object.assign(used, {
      server,
      open: (settings?: S3Settings, url?: string) => open(server, settings, url),
    });
    return () => used.server.stop();
  });
  return {
    used,
    operationsSeen: () => used.server.requests.map(({ operation }) => operation),
    kept: (key: string) => used.server.buckets.get("bucket")?.get(`some/prefix/${key}`),
  };
}

export const listed = async (store: ObjectStore, prefix = "") =>
  (await Array.fromAsync(store.list(prefix))).map(({ key }) => key);
