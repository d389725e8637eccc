import { expect, it } from "vitest";
import { startLiveProxy } from "./live-proxy.ts";
import { fuzz } from "./run.ts";

// 100,000 and more, and other seeds, by hand: node test/proxy/fuzz.ts --help.
it("every answer to 3,000 made-up requests is as the API's own description says", async () => {
  const proxy = await startLiveProxy();
  const { statuses, faults } = await fuzz({ url: proxy.url, requests: 3_000, seed: 1 });
  expect(await proxy.stop()).toEqual([]);
  expect(faults).toEqual([]);
  // Else the requests are not what they are meant to be.
  for (const status of [200, 204, 304, 400, 404, 405]) expect(statuses[status], String(status)).toBeGreaterThan(0);
});
