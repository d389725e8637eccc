import { expect, it, onTestFinished } from "vitest";
import { makeCluster, send, timeAt } from "./_cluster.ts";
import { ENDPOINTS } from "./options.ts";
import { answerMevValidators, answerValidatorHistory } from "./rpc/mev-api.ts";
import { startSimulator } from "./simulator.ts";

it("the simulator's servers answer what the cluster does, at an origin for each endpoint, and the vendor's API", async () => {
  const at = timeAt(1.25);
  const cluster = makeCluster();
  const simulator = await startSimulator({ clusters: [cluster], now: () => at, isDated: true });
  onTestFinished(() => simulator.close());
  const urls = simulator.rpcUrls("mainnet");
  expect(new Set(urls.map((url) => new URL(url).origin)).size).toBe(ENDPOINTS.length);
  const body = '{"jsonrpc":"2.0","id":1,"method":"getVoteAccounts"}';
  for (const [place, endpoint] of ENDPOINTS.entries()) {
    const response = await fetch(urls[place]!, { method: "POST", body });
    expect(await response.text()).toBe(send(cluster, body, { at, endpoint }));
    expect(response.headers.get("date")).toBe(new Date(at).toUTCString());
  }
  const mev = `${simulator.mevUrl("mainnet")}/api/v1`;
  const { moment } = cluster.at(at);
  const { address } = cluster.members[0]!.vote;
  const told = async (path: string, init: object = {}) => (await fetch(mev + path, init)).text();
  const closed = { method: "POST", body: '{"epoch":1060}' };
  expect(await told("/validators")).toBe(answerMevValidators(cluster, moment, null).body);
  expect(await told("/validators", closed)).toBe(
    answerMevValidators(cluster, moment, closed.body).body,
  );
  const { body: history } = answerValidatorHistory(cluster, moment, address);
  expect(await told(`/validator_history/${address}`)).toBe(history);
  expect(simulator.mevUrl("alpenglow")).toBeNull();
  const statuses = [
    [urls[0]!, {}, 405],
    [`${mev}/validators`, { method: "PUT" }, 405],
    [`${mev}/validator_history/${address}`, { method: "POST" }, 405],
    [`${simulator.url}/nowhere`, {}, 404],
    [urls[0]!, { method: "POST", body: "x".repeat(70_000) }, 413],
  ] as const;
  for (const [url, init, status] of statuses)
    expect((await fetch(url, init)).status, url).toBe(status);
});
