import { describe, expect, it } from "vitest";
import { toLambdaHandler, type LambdaEvent } from "../../../proxy/http/lambda-handler.ts";
import { withApiAddress } from "../../../proxy/http/lambda-handler.ts";
import { createWorld } from "../_setup.ts";
import { makeMainnet, toPubkey } from "../fixtures.ts";

const STRANGER = toPubkey(99);

function toEvent(rawPath: string, rawQueryString = ""): LambdaEvent {
  return { rawPath, rawQueryString, headers: {}, requestContext: { http: { method: "GET", sourceIp: "203.0.113.7" } } };
}

async function ask(rawPath: string, rawQueryString?: string) {
  const { app } = await createWorld(makeMainnet(), { perMinute: 60, trusted: { by: "nothing" } });
  const handle = toLambdaHandler((request) => app.fetch(request));
  const { statusCode, body } = await handle(withApiAddress(toEvent(rawPath, rawQueryString)), {});
  return { status: statusCode, ...(JSON.parse(body) as { error?: { code: string }; data?: unknown; meta?: object }) };
}

describe("the key of a document that the bucket does not have", () => {
  it.each([
    [`/api/v1/mainnet/validators/${STRANGER}.json`, 404, "validator_not_found"],
    [`/api/v1/mainnet/validators/${STRANGER}/location.json`, 404, "location_not_found"],
    ["/api/v1/testnet/status.json", 404, "not_found"],
    [`/api/v1/mainnet/validators/${"z".repeat(44)}.json`, 400, "invalid_pubkey"],
  ])("has the error of the API's address: %s", async (path, status, code) => {
    expect(await ask(path)).toMatchObject({ status, error: { code } });
  });

  it.each(["events", "commission-history", "stake-history", "uptime"])("has an empty list of %s", async (list) => {
    expect(await ask(`/api/v1/testnet/validators/${STRANGER}/${list}.json`)).toMatchObject({
      status: 200,
      data: [],
      meta: { network: "testnet", votePubkey: STRANGER },
    });
  });

  it("has the list that the proxy makes, by no query but the key's", async () => {
    const { status, meta } = await ask("/api/v1/mainnet/validators.json", "network=nonsense&limit=0");
    expect({ status, meta }).toMatchObject({ status: 200, meta: { network: "mainnet", page: 1, limit: 50 } });
  });

  it("changes nothing of a request that asks for none", () => {
    for (const path of ["/api/v1/validators", "/api/v1/mainnet/index.json", "/feeds/mainnet/rug.json", "/", ""]) {
      const event = toEvent(path, "network=testnet");
      expect(withApiAddress(event)).toBe(event);
    }
  });
});
