import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startRecordingProxy, type RecordingProxy } from "./recording-proxy.ts";

describe("what stands between a process that is killed and its store", () => {
  const done: string[] = [];
  const server = createServer((request, response) => {
    done.push(`${request.method} ${request.url}`);
    response.end("done");
  });
  let target = "";
  let proxy: RecordingProxy | undefined;

  beforeEach(async () => {
    done.length = 0;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    await proxy?.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it("passes a request on, and knows that it was answered", async () => {
    proxy = await startRecordingProxy({ target });
    const answer = await fetch(`${proxy.url}/bucket/key`, { method: "PUT", body: "bytes" });
    expect(await answer.text()).toBe("done");
    await proxy.close();
    expect(done).toEqual(["PUT /bucket/key"]);
    expect(proxy.requests).toMatchObject([{ writeOrdinal: 1, path: "bucket/key", phase: "answered", status: 200 }]);
  });

  it("keeps from the server what is not to pass: its process dies before it was done", async () => {
    proxy = await startRecordingProxy({ target, letPass: () => Promise.resolve(false) });
    await expect(fetch(`${proxy.url}/bucket/key`, { method: "PUT", body: "bytes" })).rejects.toThrow();
    await proxy.close();
    expect(done).toEqual([]);
    expect(proxy.requests).toMatchObject([{ phase: "before it was done", status: null }]);
  });

  it("lets a request take effect after who sent it is gone, and is closed only then", async () => {
    const [arrived, released] = [Promise.withResolvers<true>(), Promise.withResolvers<boolean>()];
    const letPass = ({ ordinal }: { ordinal: number }) => {
      arrived.resolve(true);
      return ordinal === 1 ? released.promise : Promise.resolve(true);
    };
    proxy = await startRecordingProxy({ target, letPass });
    const sender = new AbortController();
    const sent = fetch(`${proxy.url}/bucket/key`, { method: "PUT", body: "bytes", signal: sender.signal });
    await arrived.promise;
    sender.abort();
    await expect(sent).rejects.toThrow();
    await (await fetch(`${proxy.url}/bucket/other`)).text();
    expect(done).toEqual(["GET /bucket/other"]);
    released.resolve(true);
    await proxy.close();
    expect(done).toEqual(["GET /bucket/other", "PUT /bucket/key"]);
    expect(proxy.requests[0]).toMatchObject({ phase: "done, not answered", status: null });
  });
});
