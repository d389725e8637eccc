import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";

const PROJECT = join(import.meta.dirname, "../../..");
const TOOLS = join(PROJECT, ".data/tools/bin");

const isInPath = (name: string) =>
  (process.env["PATH"] ?? "").split(delimiter).some((directory) => existsSync(join(directory, name)));
// The store is not built for this: .ci/install-s3 takes two minutes.
const hasPrograms =
  isInPath("nginx") &&
  (isInPath("valkey-server") || isInPath("redis-server")) &&
  existsSync(TOOLS) &&
  readdirSync(TOOLS).some((name) => name.startsWith("versitygw-"));

describe.skipIf(!hasPrograms)("infra/one-machine.ts", () => {
  it("plays compose.yaml, publishes a snapshot that nginx gives out, and ends with all it started", async () => {
    const machine = spawn(process.execPath, ["infra/one-machine.ts"], {
      cwd: PROJECT,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(machine, "exit");
    const lines: string[] = [];
    let url = "";
    for await (const line of createInterface(machine.stderr)) {
      lines.push(line);
      url ||= /^Rugwatch is at (\S+)\.(?: |$)/.exec(line)?.[1] ?? "";
      if (url !== "" && /^generator +snapshot mainnet/.test(line)) break;
    }
    machine.stderr.resume();
    const status = await fetch(`${url}/api/v1/status`);
    const page = await fetch(url);
    machine.kill("SIGINT");
    expect(await ended, lines.join("\n")).toEqual([0, null]);
    expect([status.status, page.status, page.headers.get("content-type")]).toEqual([
      200,
      200,
      "text/html; charset=utf-8",
    ]);
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  });
});
