import { expect, it } from "vitest";
import { checkMev } from "../../../generator/service/doctor/mev.ts";
import { key } from "../../observe/fixtures.ts";
import { openServer } from "../../rpc/open-server.ts";
import { makeContext, told } from "./node.ts";

const check = async (mainnet: string | null) =>
  (await checkMev("mainnet", makeContext({}, { mevUrls: { mainnet, testnet: null, alpenglow: null } }))).map(told);

it.each([
  [200, [{ vote_account: key(1), mev_commission_bps: 800 }], /^ok MEV API: http:\S+: 1 validators$/],
  [400, [], /^warning MEV API: http:\S+ MEV list: HTTP status 400 → .*MAINNET_MEV_URL.* accounts on chain/],
])("the MEV vendor's answer %i is told without what its address hides", async (status, validators, expected) => {
  const vendor = await openServer((_, response) => response.writeHead(status).end(JSON.stringify({ validators })));
  const [line] = await check(`${vendor.url}/hunter2`);
  expect(line).toMatch(expected);
  expect(line).not.toContain("hunter2");
});

it("a MEV vendor that is not configured is no problem", async () => {
  expect(await check(null)).toEqual(["ok MEV API: none is set: only the accounts on chain are read"]);
});
