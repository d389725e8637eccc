import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Finding } from "../../../generator/service/doctor/findings.ts";
import { STORE_OPERATIONS, probeStore } from "../../../generator/service/doctor/store-probe.ts";
import { examineStores } from "../../../generator/service/doctor/stores.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { StoreError, type ObjectStore } from "../../../generator/store/store.ts";
import { makeDirectory } from "../../store/directory.ts";
import { openS3Store } from "../../../generator/store/s3.ts";
import { failAlways } from "../../store/s3/faults.ts";
import { startMisbehavingS3, type MisbehavingS3 } from "../../store/s3/misbehaving.ts";

const timer = () => 0;
const allKeys = async (store: ObjectStore) => (await Array.fromAsync(store.list(""))).map(({ key }) => key);

let directory: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ directory, remove } = await makeDirectory());
});
afterEach(() => remove());

function examineDirectories(publicName: string, stateName: string): Promise<Finding[]> {
  const toUrl = (name: string) => `file:${join(directory, name)}`;
  return examineStores({ settings: { publicStore: toUrl(publicName), stateStore: toUrl(stateName) }, timer });
}

/** Findings on a public and a state store of which one does something wrong. */
function examineFaulty(which: "public" | "state", fault: Partial<ObjectStore>, store = openMemoryStore()) {
  const faulty: ObjectStore = { ...store, ...fault };
  const other = openMemoryStore();
  const open = (url: string) => (url === which ? faulty : other);
  return examineStores({ settings: { publicStore: "public", stateStore: "state" }, timer, open });
}

describe("stores that are well", () => {
  it("are told with how long each operation took", async () => {
    const findings = await examineDirectories("public", "state");
    expect(findings.map(({ level, subject }) => [level, subject])).toEqual([
      ["ok", "public store"],
      ["ok", "state store"],
      ["ok", "stores apart"],
    ]);
    for (const operation of STORE_OPERATIONS) expect(findings[0]!.found).toContain(`${operation} 0 ms`);
  });

  it("are left as they were: nothing in them, and no directory that was not there", async () => {
    await examineDirectories("deep/public", "deep/state");
    expect(await readdir(directory)).toEqual([]);
    await mkdir(join(directory, "public"));
    await writeFile(join(directory, "public", "kept.json"), "{}");
    await examineDirectories("public", "state");
    expect(await readdir(directory, { recursive: true })).toEqual(["public", "public/kept.json"]);
  });

  it("are asked with a key at the top, where neither documents nor entries lie", async () => {
    const keys: string[] = [];
    const store = openMemoryStore();
    const put: ObjectStore["put"] = (key, body, options) => {
      keys.push(key);
      return store.put(key, body, options);
    };
    await examineFaulty("state", { put }, store);
    expect(keys.length).toBeGreaterThan(2);
    for (const key of keys) expect(key).toMatch(/^doctor-[0-9a-f-]{36}(-state)?$/);
  });
});

describe("a store that cannot be used", () => {
  it("because a file lies in its place", async () => {
    await writeFile(join(directory, "state"), "");
    const [, state] = await examineDirectories("public", "state");
    expect(state).toMatchObject({
      level: "problem",
      subject: "state store",
      found: expect.stringMatching(/: write fails: /) as string,
      advice: expect.stringContaining("A file lies where the directory should be") as string,
    });
  });

  it.each([
    ["EACCES", /chown or chmod/],
    ["EROFS", /read-only/],
    ["ENOSPC", /disk is full/],
    ["EWHATEVER", /Mend what the message names/],
  ])("because the system says %s", async (code, advice) => {
    const cause = Object.assign(new Error(`${code}: no`), { code });
    const put = (key: string) => Promise.reject(new StoreError("file:x", "put", key, cause));
    const findings = await examineFaulty("state", { put });
    expect(findings[1]).toMatchObject({ level: "problem", found: expect.stringContaining(code) as string });
    expect(findings[1]!.advice).toMatch(advice);
  });
});

describe("a store that fails half-way", () => {
  it("is left without the object that was written before", async () => {
    const store = openMemoryStore();
    const list = () => {
      throw new Error("no listing today");
    };
    const findings = await examineFaulty("state", { list }, store);
    expect(findings[1]).toMatchObject({
      level: "problem",
      found: expect.stringContaining("list fails: no listing today") as string,
    });
    expect(await allKeys(store)).toEqual([]);
  });
});

describe("a store that does not do what it says", () => {
  const lyingPut =
    (store: ObjectStore): ObjectStore["put"] =>
    (key, body, options) =>
      store.put(key, body, { ...options, expect: "any" });

  it("is a problem when it writes over the state that exists: create-if-absent is what generators agree by", async () => {
    const store = openMemoryStore();
    const findings = await examineFaulty("state", { put: lyingPut(store) }, store);
    expect(findings[1]).toMatchObject({
      level: "problem",
      found: expect.stringContaining(
        "create-if-absent fails: it overwrites where it was told to create only",
      ) as string,
      advice: expect.stringContaining("conditional writes") as string,
    });
    expect(await allKeys(store)).toEqual([]);
  });

  it("is a warning when it writes over public documents: they are written over anyway", async () => {
    const store = openMemoryStore();
    const findings = await examineFaulty("public", { put: lyingPut(store) }, store);
    expect(findings[0]).toMatchObject({ level: "warning", subject: "public store" });
  });

  it.each<[string, (store: ObjectStore) => Partial<ObjectStore>, string]>([
    ["says it refused and wrote all the same", toSecretWriter, "create-if-absent: other bytes"],
    ["gives back other bytes", (store) => ({ get: async (key) => alter(await store.get(key)) }), "read: other bytes"],
    ["has not what was written", () => ({ get: () => Promise.resolve(null) }), "read: the object that was written"],
    ["lists nothing", () => ({ list: async function* () {} }), "list: the object is not in the list"],
    ["lists another ETag", toOtherEtags, "list: the list has another ETag"],
    ["keeps what is deleted", () => ({ delete: () => Promise.resolve() }), "delete: the object is still there"],
    ["has one ETag for all", toOneEtag, "overwrite: the ETag did not change"],
    ["takes nothing new", () => ({ put: () => Promise.resolve(null) }), "write: a new object was taken for one"],
  ])("is found out when it %s", async (_, toFault, fault) => {
    const store = openMemoryStore();
    const { faults } = await probeStore({ store: { ...store, ...toFault(store) }, key: "doctor-x", timer });
    expect(faults.map(({ operation, reason }) => `${operation}: ${reason}`).join("; ")).toContain(fault);
  });

  function toSecretWriter(store: ObjectStore): Partial<ObjectStore> {
    return {
      async put(key, body, options) {
        const exists = (await store.head(key)) !== null;
        const written = await store.put(key, body, { ...options, expect: "any" });
        return exists && options.expect === "absent" ? null : written;
      },
    };
  }

  function alter(object: Awaited<ReturnType<ObjectStore["get"]>>) {
    return object && { ...object, body: Uint8Array.of(...object.body, 0) };
  }

  function toOtherEtags(store: ObjectStore): Partial<ObjectStore> {
    return {
      async *list(prefix) {
        for await (const head of store.list(prefix)) yield { ...head, etag: "another" };
      },
    };
  }

  function toOneEtag(store: ObjectStore): Partial<ObjectStore> {
    return { put: async (...asked) => ((await store.put(...asked)) === null ? null : { etag: "one" }) };
  }
});

describe("a state that the public can read", () => {
  it("because it lies below the public store", async () => {
    expect((await examineDirectories("public", "public/state")).at(-1)).toMatchObject({
      level: "problem",
      subject: "stores apart",
      advice: expect.stringContaining("RUGWATCH_STATE") as string,
    });
  });

  it("because both are one store under two names", async () => {
    await mkdir(join(directory, "one"));
    await symlink(join(directory, "one"), join(directory, "other"));
    expect((await examineDirectories("one", "other")).at(-1)).toMatchObject({
      level: "problem",
      subject: "stores apart",
    });
    expect(await readdir(join(directory, "one"))).toEqual([]);
  });

  it("is not one that lies beside it under a similar name", async () => {
    expect((await examineDirectories("data", "data-state")).at(-1)).toMatchObject({ level: "ok" });
  });

  it("is told from public documents that lie in the state", async () => {
    expect((await examineDirectories("data/public", "data")).at(-1)).toMatchObject({
      level: "problem",
      found: "the public store lies in the state store",
    });
  });
});

describe("stores in S3", () => {
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
