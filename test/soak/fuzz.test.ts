import { expect, it } from "vitest";
import { startLiveProxy } from "../proxy/fuzz/live-proxy.ts";
import { fuzz } from "../proxy/fuzz/run.ts";
import { SOAK } from "./soak.ts";

// Other seeds, by hand: npx node test/proxy/fuzz.ts --help.
const REQUESTS = 10_000 * SOAK;
const MILLISECONDS_EACH = 10;

const title = `every answer to ${REQUESTS} made-up requests is as the API's own description says`;
it(title, { timeout: 60_000 + REQUESTS * MILLISECONDS_EACH }, async () => {
  const proxy = await startLiveProxy();
  const { statuses, faults } = await fuzz({ url: proxy.url, requests: REQUESTS, seed: 1 });
  expect(await proxy.stop()).toEqual([]);
  expect(faults).toEqual([]);
  for (const status of [200, 204, 304, 400, 404, 405])
    expect(statuses[status], String(status)).toBeGreaterThan(0);
});
