import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { checkStores } from "../../../generator/service/doctor/stores.ts";
import { createSystemClock } from "../../../generator/service/context.ts";
import { openStore } from "../../../generator/store/open.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import { makeDirectory } from "../../store/directory.ts";
import { openS3Store } from "../../../generator/store/s3.ts";
import { failAlways } from "../../store/s3/faults.ts";
import { startMisbehavingS3, type MisbehavingS3 } from "../../store/s3/misbehaving.ts";
import { makeContext, toFindingLine } from "./node.ts";

let directory: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ directory, remove } = await makeDirectory());
  return () => remove();
});

const check = async (publicStore: ObjectStore, stateStore: ObjectStore) =>
  (await checkStores(makeContext({ publicStore, stateStore }))).map(toFindingLine);

async function examineDirectories(publicName: string, stateName: string): Promise<string[]> {
  const open = (name: string) => openStore(`file:${join(directory, name)}`);
  return check(open(publicName), open(stateName));
}

/** Findings about two stores of which one misbehaves. */
async function examineFaulty(
  which: "public" | "state",
  toFault: (store: ObjectStore) => Partial<ObjectStore>,
) {
  const store = openMemoryStore();
  const [faulty, other] = [{ ...store, ...toFault(store) }, openMemoryStore()];
  const lines = await (which === "state" ? check(other, faulty) : check(faulty, other));
  const left = (await Array.fromAsync(store.list(""))).map(({ key }) => key);
  return { lines, left };
}

describe("stores that are well", () => {
  it("have findings that say so", async () => {
    expect(await examineDirectories("public", "state")).toEqual([
      expect.stringMatching(/^ok public store: .*: written, read, listed and deleted$/),
      expect.stringMatching(
        /^ok state store: .*: written, read, listed and deleted; not seen in the public store$/,
      ),
    ]);
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
    await examineFaulty("state", (store) => ({
      put: (key, ...rest) => (keys.push(key), store.put(key, ...rest)),
    }));
    expect(keys.length).toBeGreaterThan(2);
    for (const key of keys) expect(key).toMatch(/^doctor-[0-9a-f-]{36}$/);
  });
});

it("a store in whose place a file lies is a problem", async () => {
  await writeFile(join(directory, "state"), "");
  expect((await examineDirectories("public", "state"))[1]).toMatch(
    /^problem state store: .*: write fails: .* → A file lies where the directory should be/,
  );
});

it("a store that never answers is a problem that says at which operation, and does not stop the other's", async () => {
  const put = () => new Promise<never>(() => undefined);
  const publicStore = { ...openMemoryStore(), put };
  const limits = { answerMilliseconds: 200, checkMilliseconds: 5_000 };
  const findings = await checkStores(
    makeContext({ publicStore, clock: createSystemClock(), limits }),
  );
  expect(findings.map(toFindingLine)).toEqual([
    expect.stringMatching(
      /^problem public store: memory:: write fails: no end after 0\.2 s → Check whether its disk or/,
    ),
    expect.stringMatching(/^ok state store: /),
  ]);
});

const OTHER = { body: Buffer.of(0), etag: "another", size: 1, modifiedAt: null };
const toListing = async function* (heads: { key: string; etag: string; size: number }[]) {
  yield* await Promise.resolve(heads);
};
const overwriting = (store: ObjectStore): Partial<ObjectStore> => ({
  put: (key, body, options) => store.put(key, body, { ...options, expect: "any" }),
});

it.each<[string, string, (store: ObjectStore) => Partial<ObjectStore>]>([
  ["overwrites", "create-if-absent", overwriting],
  [
    "says it refused and wrote all the same",
    "create-if-absent",
    (store) => ({
      async put(key, body, options) {
        const isRefused = options.expect === "absent" && (await store.head(key)) !== null;
        return (
          (await overwriting(store).put!(key, body, options)) &&
          (isRefused ? null : store.head(key))
        );
      },
    }),
  ],
  ["gives back other bytes", "read", () => ({ get: (key) => Promise.resolve({ ...OTHER, key }) })],
  ["has not what was written", "read", () => ({ get: () => Promise.resolve(null) })],
  ["lists nothing", "list", () => ({ list: () => toListing([]) })],
  ["lists another ETag", "list", () => ({ list: (key) => toListing([{ ...OTHER, key }]) })],
  ["keeps what is deleted", "delete", () => ({ delete: () => Promise.resolve() })],
  [
    "has one ETag",
    "overwrite",
    (store) => ({ put: async (...to) => (await store.put(...to)) && { etag: "one" } }),
  ],
  ["takes nothing new", "write", () => ({ put: () => Promise.resolve(null) })],
])(
  "a state store that %s is a problem, and is left empty if it can be: %s",
  async (_, operation, toFault) => {
    const { lines, left } = await examineFaulty("state", toFault);
    expect(lines[1]).toContain(`: ${operation} fails: it does not do what`);
    expect(left).toHaveLength(operation === "delete" ? 1 : 0);
  },
);

it("nothing public rests on conditions", async () => {
  expect((await examineFaulty("public", overwriting)).lines[0]).toMatch(/^ok public store: /);
});

it("stores of which one is a link to the other are a problem", async () => {
  await mkdir(join(directory, "one"));
  await symlink(join(directory, "one"), join(directory, "other"));
  expect((await examineDirectories("one", "other")).at(-1)).toMatch(
    /^problem state store: .*: separation fails: .* → Give RUGWATCH_STATE a place of its own/,
  );
  expect(await readdir(join(directory, "one"))).toEqual([]);
});

describe("stores in S3", () => {
  let server: MisbehavingS3;
  beforeEach(async () => {
    server = await startMisbehavingS3();
    return () => server.stop();
  });

  async function examine(
    publicStore = "s3://bucket/public",
    stateStore = "s3://bucket/state",
  ): Promise<string[]> {
    const { endpoint } = server;
    const credentials = { accessKeyId: "any", secretAccessKey: "any" };
    const open = (url: string) =>
      openS3Store(url, { endpoint, region: "here", credentials, attemptsMax: 1 });
    return check(open(publicStore), open(stateStore));
  }

  it("are well where the server does what S3 does, and are left empty", async () => {
    expect((await examine()).map((line) => line.split(" ")[0])).toEqual(["ok", "ok"]);
    expect([...server.buckets.get("bucket")!.keys()]).toEqual([]);
  });

  it("are unusable for the state where the server silently ignores conditions", async () => {
    server.decide = failAlways("put", { kind: "ignore-condition" });
    expect((await examine())[1]).toMatch(
      /^problem state store: .*create-if-absent .* → Two generators would undo each other/,
    );
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

  it("say which bucket is missing", async () => {
    expect((await examine("s3://bucket", "s3://no-such-bucket"))[1]).toMatch(
      /s3:\/\/no-such-bucket: write fails: .*no such bucket.* → Create the bucket/,
    );
  });
});
