import { execFileSync, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { getOrDamaged } from "../../generator/store/damaged.ts";
import { openFileStore } from "../../generator/store/files.ts";
import { describeStore } from "./contract.ts";
import { makeDirectory } from "./directory.ts";

describeStore("file", async () => {
  const { directory, remove } = await makeDirectory();
  return { store: openFileStore(join(directory, "made", "later")), dispose: remove };
});

describe("the file store on its disk", () => {
  let directory: string;
  let remove: () => Promise<void>;
  beforeEach(async () => ({ directory, remove } = await makeDirectory()));
  afterEach(() => remove());

  const options = { expect: "any", contentType: "application/json" } as const;
  const body = new TextEncoder().encode("{}");
  const keysOf = async () =>
    (await Array.fromAsync(openFileStore(directory).list(""))).map(({ key }) => key);

  test("does no I/O until it is asked something", async () => {
    const missing = join(directory, "not-yet");
    const store = openFileStore(missing);
    expect(await store.get("a.json")).toBeNull();
    await expect(stat(missing)).rejects.toThrow("ENOENT");
  });

  test("knows when an object was put", async () => {
    const store = openFileStore(directory);
    await store.put("a.json", body, options);
    const putAt = Date.UTC(2026, 10, 20, 12);
    await utimes(join(directory, "a.json"), putAt / 1_000, putAt / 1_000);
    expect(await store.get("a.json")).toMatchObject({ modifiedAt: putAt });
  });

  test("says so when one key would have to be both an object and a directory, and leaves no temporary file", async () => {
    const store = openFileStore(directory);
    await store.put("a/b.json", body, options);
    await store.put("a/b.json", body, { ...options, expect: "absent" });
    await expect(store.put("a", body, options)).rejects.toThrow(
      /put a in file:.*other objects lie below/,
    );
    await expect(store.put("a", body, { ...options, expect: "absent" })).rejects.toThrow(
      "other objects lie below",
    );
    await expect(store.put("a/b.json/c.json", body, options)).rejects.toThrow(
      "an object lies where",
    );
    expect(await readdir(directory, { recursive: true })).toEqual(["a", join("a", "b.json")]);
  });

  test("never shows what an interrupted write left behind", async () => {
    await mkdir(join(directory, "a"));
    await writeFile(join(directory, "a", ".tmp-0b0e"), "half an obj");
    expect(await keysOf()).toEqual([]);
    await expect(openFileStore(directory).get("a/.tmp-0b0e")).rejects.toThrow("the key is invalid");
  });

  test("lists neither links nor names that are no keys", async () => {
    await writeFile(join(directory, "real.json"), "{}");
    await writeFile(join(directory, "réal.json"), "{}");
    await symlink(join(directory, "real.json"), join(directory, "link.json"));
    expect(await keysOf()).toEqual(["real.json"]);
  });

  test.skipIf(!existsSync("/proc/self/mem"))(
    "calls an object damaged that the disk cannot read",
    async () => {
      // Its first byte cannot be read, as a bad sector cannot.
      await symlink("/proc/self/mem", join(directory, "bad.json"));
      expect(await getOrDamaged(openFileStore(directory), "bad.json")).toEqual({
        damaged: expect.stringMatching(/^get bad\.json in file:.* failed: EIO/) as string,
      });
    },
  );

  test("names the key where nothing can be made, and does not go on trying", async () => {
    await writeFile(join(directory, "plain"), "");
    for (const root of [join(directory, "plain"), "/proc/rugwatch/store"])
      await expect(openFileStore(root).put("a/b.json", body, options)).rejects.toThrow(
        `put a/b.json in file:${root}`,
      );
  });

  test("makes its directories again when somebody removed them", async () => {
    const store = openFileStore(join(directory, "root"));
    await store.put("a/b.json", body, options);
    await rm(join(directory, "root"), { recursive: true });
    expect(await store.put("a/c.json", body, { ...options, expect: "absent" })).not.toBeNull();
    expect(await Array.fromAsync(store.list(""))).toMatchObject([{ key: "a/c.json" }]);
  });

  test.skipIf(spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", tmpdir()]).status !== 0)(
    "says that the disk is full, and leaves no part of an object there",
    () => {
      const program = [process.execPath, join(import.meta.dirname, "full-disk.ts"), directory];
      const output = JSON.parse(execFileSync("unshare", ["-rm", ...program]).toString()) as Record<
        string,
        string[]
      >;
      expect(output["said"]).toEqual([
        expect.stringContaining("ENOSPC"),
        expect.stringContaining("ENOSPC"),
      ]);
      expect(output["left"]?.toSorted()).toEqual(["a", join("a", "small.json")]);
    },
  );

  test("lets exactly one of several processes create an object", async () => {
    const program = join(import.meta.dirname, "race.ts");
    const racers = [1, 2, 3, 4].map(() => fork(program, [directory], { execArgv: [] }));
    await Promise.all(racers.map((racer) => once(racer, "message")));
    const wins = racers.map(async (racer) => {
      const answer = once(racer, "message");
      racer.send("go");
      return (await answer)[0] as number[];
    });
    const created = (await Promise.all(wins)).flat();
    expect(created.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 50 }, (_, index) => index),
    );
    expect(await keysOf()).toHaveLength(50);
  });
});
