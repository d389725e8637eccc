import { expect, it } from "vitest";
import { examineMev } from "../../../generator/service/doctor/mev.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { createDispatcher } from "../../../generator/rpc/http.ts";
import { key } from "../../observe/fixtures.ts";
import { startServer } from "../../rpc/rpc-server.ts";
import { told } from "./node.ts";

async function examine(mevUrl: string | null, epoch: number | null = 1060, network: Network = "mainnet") {
  const dispatcher = createDispatcher();
  const timer = () => performance.now();
  const { signal } = new AbortController();
  try {
    const { findings, contact } = await examineMev({
      network,
      mevUrl,
      epoch,
      dispatcher,
      now: Date.now,
      timer,
      signal,
    });
    return { lines: findings.map(told), contact };
  } finally {
    await dispatcher.destroy();
  }
}

/** A vendor with lists of these lengths; null: it refuses. */
function startVendor(latest: number | null, closed: number | null) {
  return startServer(({ body }, response) => {
    const length = body === null ? latest : closed;
    response.writeHead(length === null ? 400 : 200, { date: new Date().toUTCString() });
    const validators = Array.from({ length: length ?? 0 }, (_, index) => ({
      vote_account: key(index + 1),
      mev_commission_bps: 800,
      running_jito: true,
    }));
    response.end(JSON.stringify({ validators }));
  });
}

it.each<[string, number | null, number | null, number | null, RegExp, RegExp]>([
  [
    "are told with their lengths",
    3,
    2,
    1060,
    /^ok .*: 3 validators in \d+ ms$/,
    /^ok .*: 2 validators of epoch 1059 in/,
  ],
  ["are a warning where the latest fails", null, 2, 1060, /^warning .* → .*read from the accounts on chain/, /^ok /],
  ["are a warning where the closed one fails", 3, null, 1060, /^ok /, /^warning .* → .*who switched MEV off/],
  ["are one while the epoch is not known", 3, null, null, /^ok /, /^ok .*: not asked/],
])("the MEV vendor's lists %s", async (_, latest, closed, epoch, ofLatest, ofClosed) => {
  const vendor = await startVendor(latest, closed);
  try {
    const { lines, contact } = await examine(`${vendor.url}/hunter2`, epoch);
    expect(lines).toEqual([expect.stringMatching(ofLatest), expect.stringMatching(ofClosed)]);
    expect(contact).toMatchObject({ clockAheadMilliseconds: expect.any(Number) as number });
    if (epoch !== null) expect(vendor.asked.map(({ body }) => body)).toContainEqual({ epoch: 1059 });
    expect(lines.join()).not.toContain("hunter2");
  } finally {
    await vendor.close();
  }
});

it("a MEV vendor that is not there is a warning", async () => {
  const server = await startServer(() => undefined);
  await server.close();
  const { lines, contact } = await examine(`${server.url}/hunter2`);
  expect(lines).toEqual([
    expect.stringMatching(`^warning MEV API: ${server.url}: no connection: ECONNREFUSED → .*MAINNET_MEV_URL`),
  ]);
  expect(contact).toBeNull();
});

it.each([
  ["mainnet" as const, "ok MEV API: none is asked, as MAINNET_MEV_URL says: the accounts on chain are read"],
  ["alpenglow" as const, "ok MEV API: there is none for this network"],
])("a MEV vendor that is not configured for %s is no problem", async (network, found) => {
  expect((await examine(null, 1060, network)).lines).toEqual([found]);
});
