import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { examineStores } from "../../../generator/service/doctor/stores.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { StoreError, type ObjectStore } from "../../../generator/store/store.ts";
import { makeDirectory } from "../../store/directory.ts";
import { openS3Store } from "../../../generator/store/s3.ts";
import { failAlways } from "../../store/s3/faults.ts";
import { startMisbehavingS3, type MisbehavingS3 } from "../../store/s3/misbehaving.ts";
import { told } from "./node.ts";

const timer = () => 0;

let directory: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ directory, remove } = await makeDirectory());
});
afterEach(() => remove());

async function examineDirectories(publicName: string, stateName: string): Promise<string[]> {
  const [publicStore, stateStore] = [publicName, stateName].map((name) => `file:${join(directory, name)}`);
  return (await examineStores({ settings: { publicStore: publicStore!, stateStore: stateStore! }, timer })).map(told);
}

/** Findings about two stores of which one misbehaves. */
async function examineFaulty(which: "public" | "state", toFault: (store: ObjectStore) => Partial<ObjectStore>) {
  const store = openMemoryStore();
  const other = openMemoryStore();
  const open = (url: string) => (url === which ? { ...store, ...toFault(store) } : other);
  const findings = await examineStores({ settings: { publicStore: "public", stateStore: "state" }, timer, open });
  const left = (await Array.fromAsync(store.list(""))).map(({ key }) => key);
  return { lines: findings.map(told), left };
}

describe("stores that are well", () => {
  it("are told with how long each operation took", async () => {
    const times = "write 0 ms, read 0 ms, create-if-absent 0 ms, overwrite 0 ms, list 0 ms, delete 0 ms";
    expect(await examineDirectories("public", "state")).toEqual([
      expect.stringMatching(`^ok public store: .*: ${times}$`),
      expect.stringMatching(`^ok state store: .*: ${times}$`),
      "ok stores apart: the state is not in the public store",
    ]);
  });

  it("name the operation under way while they hang", async () => {
    const never = { next: () => new Promise<never>(() => undefined) };
    const hanging = { ...openMemoryStore(), list: () => ({ [Symbol.asyncIterator]: () => never }) };
    const open = (url: string) => (url === "state" ? hanging : openMemoryStore());
    const waitingFor = new Map<string, string>();
    void examineStores({ settings: { publicStore: "public", stateStore: "state" }, timer, open, waitingFor });
    await vi.waitFor(() => expect([...waitingFor]).toEqual([["state store", `${hanging.name}: list`]]));
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
    await examineFaulty("state", (store) => ({ put: (key, ...rest) => (keys.push(key), store.put(key, ...rest)) }));
    expect(keys.length).toBeGreaterThan(2);
    for (const key of keys) expect(key).toMatch(/^doctor-[0-9a-f-]{36}$/);
  });
});

describe("a store that cannot be used", () => {
  it("because a file lies in its place", async () => {
    await writeFile(join(directory, "state"), "");
    expect((await examineDirectories("public", "state"))[1]).toMatch(
      /^problem state store: .*: write fails: .* → A file lies where the directory should be/,
    );
  });

  it.each([
    ["EACCES", "chown or chmod"],
    ["EROFS", "read-only"],
    ["ENOSPC", "disk is full"],
    ["EWHATEVER", "Fix what the message names"],
  ])("because the system says %s", async (code, advice) => {
    const cause = Object.assign(new Error(`${code}: no`), { code });
    const put = (key: string) => Promise.reject(new StoreError("file:x", "put", key, cause));
    const { lines } = await examineFaulty("state", () => ({ put }));
    expect(lines[1]).toMatch(new RegExp(`^problem .*${code}.* → .*${advice}`));
  });

  it("because it fails half-way, and then is left without the object that was written before", async () => {
    const list = () => {
      throw new Error("no listing today");
    };
    const { lines, left } = await examineFaulty("state", () => ({ list }));
    expect(lines[1]).toMatch(/^problem .*list fails: no listing today/);
    expect(left).toEqual([]);
  });
});

describe("a store that does not do what it says", () => {
  const overwriting = (store: ObjectStore): Partial<ObjectStore> => ({
    put: (key, body, options) => store.put(key, body, { ...options, expect: "any" }),
  });

  it("is a problem when it writes over the state that exists, and a warning for public documents", async () => {
    const { lines, left } = await examineFaulty("state", overwriting);
    expect(lines[1]).toMatch(
      /^problem .*create-if-absent fails: it overwrites where it was told to create only → .*conditional writes/,
    );
    expect(left).toEqual([]);
    expect((await examineFaulty("public", overwriting)).lines[0]).toMatch(/^warning public store: /);
  });

  it.each<[string, (store: ObjectStore) => Partial<ObjectStore>, string]>([
    ["says it refused and wrote all the same", toSecretWriter, "create-if-absent fails: other bytes"],
    ["gives back other bytes", toAltering, "read fails: other bytes"],
    [
      "has not what was written",
      () => ({ get: () => Promise.resolve(null) }),
      "read fails: the object that was written",
    ],
    ["lists nothing", () => ({ list: async function* () {} }), "list fails: the object is not in the list"],
    ["lists another ETag", toOtherEtags, "list fails: the list has another ETag"],
    ["keeps what is deleted", () => ({ delete: () => Promise.resolve() }), "delete fails: the object is still there"],
    ["has one ETag for all", toOneEtag, "overwrite fails: the ETag did not change"],
    ["takes nothing new", () => ({ put: () => Promise.resolve(null) }), "write fails: a new object was taken for one"],
  ])("is found out when it %s", async (_, toFault, fault) => {
    expect((await examineFaulty("state", toFault)).lines.join()).toContain(fault);
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

  function toAltering(store: ObjectStore): Partial<ObjectStore> {
    return {
      async get(key) {
        const object = await store.get(key);
        return object && { ...object, body: Uint8Array.of(...object.body, 0) };
      },
    };
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

it.each([
  ["public", "public/state", /^problem stores apart: the state store lies in .* → .*RUGWATCH_STATE/],
  ["data", "data-state", /^ok /],
  ["data/public", "data", /^problem stores apart: the public store lies in the state store/],
  ["one", "other", /^problem stores apart: the state store lies in/],
])("stores at %s and %s, of which «other» is a link to «one», are judged for who reads the state", async (...given) => {
  const [publicName, stateName, expected] = given;
  await mkdir(join(directory, "one"));
  await symlink(join(directory, "one"), join(directory, "other"));
  expect((await examineDirectories(publicName, stateName)).at(-1)).toMatch(expected);
  expect(await readdir(join(directory, "one"))).toEqual([]);
});

describe("stores in S3", () => {
  let server: MisbehavingS3;
  beforeEach(async () => {
    server = await startMisbehavingS3();
  });
  afterEach(() => server.stop());

  async function examine(publicStore = "s3://bucket/public", stateStore = "s3://bucket/state"): Promise<string[]> {
    const { endpoint } = server;
    const credentials = { accessKeyId: "any", secretAccessKey: "any" };
    const open = (url: string) => openS3Store(url, { endpoint, region: "here", credentials, attemptsMax: 1 });
    return (await examineStores({ settings: { publicStore, stateStore }, timer, open })).map(told);
  }

  it("are well where the server does what S3 does, and are left empty", async () => {
    expect(await examine()).toEqual([
      expect.stringMatching(/^ok public store: /),
      expect.stringMatching(/^ok state store: /),
      expect.stringMatching(/^ok stores apart: /),
    ]);
    expect([...server.buckets.get("bucket")!.keys()]).toEqual([]);
  });

  it("are unusable for the state where the server silently ignores conditions", async () => {
    server.decide = failAlways("put", { kind: "ignore-condition" });
    expect(await examine()).toEqual([
      expect.stringMatching(/^warning public store: /),
      expect.stringMatching(/^problem state store: .*it overwrites .* → It cannot be used for the state/),
    ]);
  });

  it.each([
    ["AccessDenied", 403, "s3:ListBucket"],
    ["SignatureDoesNotMatch", 403, "AWS_SECRET_ACCESS_KEY"],
    ["PermanentRedirect", 301, "AWS_REGION"],
    ["NotImplemented", 501, "AWS_REQUEST_CHECKSUM_CALCULATION"],
  ])("that answer %s come with what to do about it", async (code, status, advice) => {
    server.decide = failAlways("put", { kind: "error", status, code });
    expect((await examine())[1]).toMatch(new RegExp(`^problem .*${code}.* → .*${advice}`));
  });

  it("say which bucket is missing, and are not apart when one is in the other", async () => {
    expect((await examine("s3://bucket", "s3://no-such-bucket"))[1]).toMatch(
      /s3:\/\/no-such-bucket: write fails: .*no such bucket.* → Create the bucket/,
    );
    expect((await examine("s3://bucket/one", "s3://bucket/one/state/")).at(-1)).toMatch(/^problem stores apart: /);
  });
});
