import { beforeAll, expect, it } from "vitest";
import { toApiAddress } from "../../generator/contract/addresses.ts";
import { ERROR_CODES } from "../../generator/contract/errors.ts";
import type { EdgeResponse } from "../../infra/edge/function/event.ts";
import { openEdgeFunction, type EdgeFunction } from "../infra/edge/_function.ts";
import { EDGE_CASES, type Decision, type EdgeCase } from "../infra/edge/cases.ts";
import { describeProxy, readError } from "./_setup.ts";

let edge: EdgeFunction;
beforeAll(async () => {
  edge = await openEdgeFunction();
});

type CaseOf<What extends string> = EdgeCase & { decided: Extract<Decision, Record<What, unknown>> };

function casesOf<What extends string>(what: What): CaseOf<What>[] {
  return EDGE_CASES.filter((one): one is CaseOf<What> => what in one.decided);
}

describeProxy("the proxy decides as a CDN's edge does", (open) => {
  it.each(casesOf("error"))("about $method $target: $decided.error", async ({ method, target, decided }) => {
    const { request } = await open({ perMinute: 60 });
    const response = await request(target, { method });
    const { error, message } = decided;
    if (method === "HEAD") expect(response.status).toBe(ERROR_CODES[error]);
    else expect(await readError(response.clone(), ERROR_CODES[error], error)).toBe(message);
    await expectSameAsEdge(response, toEdgeResponse(method, target));
  });

  it.each(casesOf("preflight"))("about $method $target", async ({ method, target }) => {
    const { request } = await open({ perMinute: 60 });
    await expectSameAsEdge(await request(target, { method }), toEdgeResponse(method, target));
  });

  it.each(casesOf("object"))("about $method $target: $decided.object", async ({ method, target, decided }) => {
    const { request } = await open();
    const address = toApiAddress(decided.object);
    const plain = address === null ? `/${decided.object}` : `${address.path}?network=${address.network}`;
    await expectSame(await request(target, { method }), await request(plain, { method }));
  });

  it.each(casesOf("proxy"))("about $method $target: $decided.proxy", async ({ method, target, decided }) => {
    const { request } = await open();
    await expectSame(await request(target, { method }), await request(decided.proxy, { method }));
  });
});

function toEdgeResponse(method: string, target: string): EdgeResponse {
  const answer = edge(target, method);
  if ("response" in answer) return answer.response;
  throw new Error(`The edge passes ${method} ${target} on.`);
}

/** Every header that the edge sends must be the proxy's. The proxy has more: only it knows what is left of the limit. */
async function expectSameAsEdge(response: Response, edgeResponse: EdgeResponse): Promise<void> {
  const headers = Object.entries(edgeResponse.headers).map(([name, { value }]) => [name, value] as const);
  expect(response.status).toBe(edgeResponse.statusCode);
  expect(Object.fromEntries(response.headers)).toMatchObject(Object.fromEntries(headers));
  expect(await response.text()).toBe(edgeResponse.body?.data ?? "");
}

async function expectSame(one: Response, other: Response): Promise<void> {
  const toTag = ({ status, headers }: Response) => ({ status, etag: headers.get("etag") });
  expect(toTag(one)).toEqual(toTag(other));
  expect(await one.text()).toBe(await other.text());
}
