import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startProcess, toUrl, type ProxyProcess } from "./_process.ts";

/** The status of an answer over a connection of its own. */
function ask(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: new Agent({ keepAlive: false }) }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", reject);
  });
}

function count(values: readonly unknown[], wanted: unknown): number {
  return values.filter((value) => value === wanted).length;
}

/** The address of the API, once as many processes serve it. */
async function untilListening({ until }: ProxyProcess, processes: number): Promise<string> {
  return toUrl(await until(/^listening on /, processes));
}

/**
 * What a hundred requests of one client are answered. A process that hears nothing of the first within 100 ms counts alone and
 * says so (proxy/limits/fallback.ts): where that is because this machine is busy, all begins anew.
 */
async function askInOneCount(): Promise<{ proxy: ProxyProcess; statuses: number[] }> {
  for (let tries = 0; tries < 5; tries += 1) {
    const proxy = startProcess({ METRICS_PORT: "0", LOG_REQUESTS: "1" }, ["--processes", "2"]);
    const url = await untilListening(proxy, 2);
    const statuses = await Promise.all(Array.from({ length: 100 }, () => ask(`${url}/api/v1/validators`)));
    // A process says so before it answers, and names a request after that.
    await proxy.until(/^request$/, 100);
    if (!proxy.lines.some((line) => line.includes("the first process does not count"))) return { proxy, statuses };
    process.kill(-proxy.pid, "SIGKILL");
    await proxy.exited;
  }
  throw new Error("five times the first process was not heard within 100 ms");
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("several processes", () => {
  it("serve one port, keep one limit to the request, and show the sum of their metrics", async () => {
    const { proxy, statuses } = await askInOneCount();
    expect([count(statuses, 200), count(statuses, 429)]).toEqual([60, 40]);

    const metricsUrl = toUrl(await proxy.until(/^metrics on /));
    const readMetrics = async () => (await fetch(metricsUrl)).text();
    const series = (status: number, value: number) =>
      `rugwatch_http_requests_total{route="/api/v1/validators",method="GET",status="${status}"} ${value}\n`;
    // A request is counted when its connection has the answer, which its client may know first.
    await expect.poll(readMetrics).toContain(series(200, 60));
    expect(await readMetrics()).toContain(series(429, 40));
    expect(await readMetrics()).toContain("rugwatch_processes 2\n");
    expect((await proxy.until(/^request$/, 100))["worker"]).toBeDefined();
    const workers = new Set(proxy.lines.map((line) => /"message":"request".*"worker":(\d)/.exec(line)?.[1]));
    workers.delete(undefined);
    expect(workers.size).toBe(2);
  });

  it("show their metrics while one hangs, with its last word, and that it hangs", async () => {
    const proxy = startProcess({ METRICS_PORT: "0" }, ["--processes", "2"]);
    const url = await untilListening(proxy, 2);
    await Promise.all(Array.from({ length: 20 }, () => ask(`${url}/healthz`)));
    const metricsUrl = toUrl(await proxy.until(/^metrics on /));
    const readMetrics = async () => (await fetch(metricsUrl)).text();
    const allRequests = 'rugwatch_http_requests_total{route="/healthz",method="GET",status="200"} 20\n';
    await expect.poll(readMetrics).toContain(allRequests);
    expect(await readMetrics()).toContain("rugwatch_processes_silent 0\n");

    const { number, pid } = await proxy.until(/^process \d started$/);
    process.kill(pid as number, "SIGSTOP");
    const text = await readMetrics();
    for (const line of [allRequests, "rugwatch_processes 2\n", "rugwatch_processes_silent 1\n"])
      expect(text).toContain(line);
    expect(await proxy.until(/does not tell its metrics$/)).toMatchObject({ level: "warn", number, pid });

    process.kill(pid as number, "SIGCONT");
    await expect.poll(readMetrics, { timeout: 10_000 }).toContain("rugwatch_processes_silent 0\n");
    expect(proxy.lines.join("\n")).not.toContain("has ended");
  });

  it("go on when one is killed, start another, and end all together", async () => {
    const proxy = startProcess({}, ["--processes", "2"]);
    const url = await untilListening(proxy, 2);
    const { number, pid } = await proxy.until(/^process \d started$/);
    process.kill(pid as number, "SIGKILL");
    expect(await proxy.until(/has ended$/)).toMatchObject({ level: "warn", number, signal: "SIGKILL" });
    expect(await ask(`${url}/healthz`)).toBe(200);
    expect(await untilListening(proxy, 3)).toBe(url);
    expect(await ask(`${url}/healthz`)).toBe(200);

    process.kill(proxy.pid, "SIGTERM");
    expect(await proxy.exited).toBe(0);
    for (const nth of [2, 3])
      expect(isAlive((await proxy.until(/^process \d started$/, nth))["pid"] as number)).toBe(false);
    await expect(ask(`${url}/healthz`)).rejects.toThrow();
  });

  it("end gracefully with Ctrl-C, which reaches all of them at once", async () => {
    const proxy = startProcess({}, ["--processes", "2"]);
    await untilListening(proxy, 2);
    process.kill(-proxy.pid, "SIGINT");
    expect(await proxy.exited).toBe(0);
    expect(proxy.lines.join("\n")).not.toContain("has ended");
  });

  it("end at once when they are told to before they serve", async () => {
    const proxy = startProcess({ METRICS_PORT: "0", DRAIN_SECONDS: "60" }, ["--processes", "2"]);
    await proxy.until(/^metrics on /);
    process.kill(proxy.pid, "SIGTERM");
    expect(await proxy.exited).toBe(0);
    expect(proxy.lines.join("\n")).not.toContain("listening on");
  });

  it("are given up when they die five times within a minute", async () => {
    const proxy = startProcess({}, ["--processes", "2"]);
    for (let nth = 1; nth <= 5; nth++) {
      const { pid } = await proxy.until(/^process \d started$/, nth);
      process.kill(pid as number, "SIGKILL");
    }
    expect(await proxy.exited).toBe(1);
    expect(proxy.lines.at(-1)).toContain("5 processes have ended within a minute: giving up");
  });

  it("are given up just so when each fails at its start, and say why", async () => {
    const directory = await mkdtemp(join(tmpdir(), "rugwatch-site-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    await writeFile(join(directory, "index.html"), "<!doctype html>");
    // More than Node reads at once, and nothing on the disk.
    await writeFile(join(directory, "video.mp4"), "");
    await truncate(join(directory, "video.mp4"), 3 * 2 ** 30);
    const proxy = startProcess({ SITE_DIR: directory }, ["--processes", "2"]);
    expect(await proxy.exited).toBe(1);
    expect(proxy.lines).toContainEqual(expect.stringContaining("giving up"));
    expect(proxy.lines).toContainEqual(
      expect.stringMatching(/^rugwatch proxy: SITE_DIR: cannot read .*\/video\.mp4: File size/),
    );
  });

  it("are given up just so when the system lets none begin", async () => {
    const noProgram = "--import=data:text/javascript,process.execPath='/no/such/program'";
    const proxy = startProcess({ NODE_OPTIONS: noProgram }, ["--processes", "2"]);
    expect(await proxy.until(/^cannot start process \d$/)).toMatchObject({ level: "warn" });
    expect(await proxy.exited).toBe(1);
    expect(proxy.lines.at(-1)).toContain("giving up");
  });
});
