import { Gauge, Registry } from "prom-client";
import { afterEach, describe, expect, it } from "vitest";
import {
  startMetricsServer,
  type Health,
  type MetricsServer,
} from "../../generator/monitoring/metrics-server.ts";

let server: MetricsServer | undefined;
afterEach(() => server?.close());

async function start(options: { getHealth?: () => Health; collect?: () => void } = {}) {
  const registry = new Registry();
  new Gauge({
    name: "tried",
    help: "tried",
    registers: [registry],
    collect: options.collect ?? (() => undefined),
  });
  const errors: unknown[] = [];
  const { getHealth } = options;
  server = await startMetricsServer({
    port: 0,
    host: "127.0.0.1",
    registry,
    ...(getHealth && { getHealth }),
    onError: (error) => void errors.push(error),
  });
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(new URL(path, server?.url), init);
    return [response.status, await response.text()];
  };
  return { ask, errors };
}

describe("the server of metrics", () => {
  it("answers /metrics, and nothing but what is read", async () => {
    const { ask } = await start();
    expect(await ask("/metrics")).toEqual([200, expect.stringContaining("# TYPE tried gauge")]);
    expect(await ask("/metrics", { method: "POST" })).toEqual([
      405,
      "This path takes GET, HEAD.\n",
    ]);
    expect(await ask("/other")).toEqual([404, "The metrics are at /metrics.\n"]);
  });

  it("answers /healthz by what it is told, where it is told", async () => {
    const health: Health = { isWell: true, text: "all is well" };
    const { ask } = await start({ getHealth: () => health });
    expect(await ask("/healthz")).toEqual([200, "all is well\n"]);
    Object.assign(health, { isWell: false, text: "nothing is read" });
    expect(await ask("/healthz")).toEqual([503, "nothing is read\n"]);
    await server?.close();
    expect((await (await start()).ask("/healthz"))[0]).toBe(404);
  });

  it("says 503 where the metrics cannot be read, and tells why to its own log alone", async () => {
    const failure = new Error("s3cret");
    const { ask, errors } = await start({
      collect() {
        throw failure;
      },
    });
    expect(await ask("/metrics")).toEqual([503, "The metrics cannot be read at the moment.\n"]);
    expect(errors).toEqual([failure]);
  });
});
