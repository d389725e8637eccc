import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { isPresent } from "../../required.ts";

const HOUSE = join(import.meta.dirname, "../../..");
const UNIT = readFileSync(join(HOUSE, "infra/systemd/rugwatch-backup.service"), "utf8");
const hasRclone = isPresent("rclone", spawnSync("rclone", ["version"]).status === 0);

const toEntry = (number: number) =>
  `journal/mainnet/0001/${String(number).padStart(10, "0")}.json.zst`;
const PACK = "packs/mainnet/0001/0000000001-0000000003.ndjson.zst";

describe.skipIf(!hasRclone)("the daily copy, by a real rclone", () => {
  let directory: string;
  let from: string;
  let to: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "rugwatch-backup-"));
    from = join(directory, "state");
    to = join(directory, "copy");
    put(join(directory, "credentials/rclone.conf"), "");
    put(join(from, "series/mainnet/0001.json"), "{}");
    put(join(from, "checkpoints/mainnet/1"), "not copied");
    put(join(from, PACK), "1 2 3");
    for (const number of [1, 2, 3, 4, 5]) put(join(from, toEntry(number)), `entry ${number}`);
    return () => rmSync(directory, { recursive: true });
  });

  function put(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** What the unit starts; `meanwhile` is done after each call of rclone. */
  function copy(meanwhile = "true") {
    const program = join(directory, "bin/rclone");
    put(
      program,
      `#!/bin/bash\n/usr/bin/env PATH="$REAL_PATH" rclone "$@"\nstatus=$?\n${meanwhile}\nexit $status\n`,
    );
    chmodSync(program, 0o755);
    const started = /^ExecStart=(.*)$/m.exec(UNIT)?.[1]?.replace("/srv/rugwatch", HOUSE) ?? "";
    const path = process.env["PATH"] ?? "";
    const { status, stdout, stderr } = spawnSync(started, {
      encoding: "utf8",
      env: {
        PATH: `${dirname(program)}:${path}`,
        REAL_PATH: path,
        CREDENTIALS_DIRECTORY: join(directory, "credentials"),
        FROM: from,
        TO: to,
      },
    });
    return { status, stdout, stderr };
  }

  const copied = () =>
    readdirSync(to, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));

  it("has the journal, packs and series, and says up to which number", () => {
    const { status, stdout } = copy();
    expect([status, stdout]).toEqual([0, "mainnet/0001: copied up to number 5\n"]);
    const all = [1, 2, 3, 4, 5].map(toEntry);
    expect(copied().toSorted()).toEqual([...all, PACK, "series/mainnet/0001.json"].toSorted());
  });

  it("is of one moment, while the generator writes and packs", () => {
    const journal = join(from, "journal/mainnet/0001");
    const { status, stdout } = copy(
      `last=$(ls ${journal} | tail -n 1); echo new >"${journal}/$(printf %010d $((10#\${last%%.*} + 1))).json.zst"; rm -f ${join(from, toEntry(1))}`,
    );
    expect([status, stdout]).toEqual([0, "mainnet/0001: copied up to number 5\n"]);
    expect(readdirSync(journal)).toContain("0000000008.json.zst");
    expect(copied()).not.toContain(toEntry(6));
  });

  it("keeps what it has, and fails, where an original has changed", () => {
    copy();
    writeFileSync(join(from, toEntry(4)), "forged!");
    expect(copy().status).not.toBe(0);
    expect(readFileSync(join(to, toEntry(4)), "utf8")).toBe("entry 4");
  });

  it("fails where the state is gone, instead of agreeing with nothing", () => {
    copy();
    rmSync(from, { recursive: true });
    mkdirSync(from);
    const { status, stderr } = copy();
    expect([status, stderr]).toEqual([1, expect.stringContaining("holds no journal")]);
    expect(copied()).toContain(toEntry(5));
  });

  it("fails where an entry vanished before it was copied", () => {
    const { status, stderr } = copy(`rm -f ${join(from, toEntry(5))}`);
    expect(status).toBe(1);
    expect(stderr).toContain("the copy lacks these entries: mainnet/0001 5");
  });
});
