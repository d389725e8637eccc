import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import { errorSchema } from "../../../generator/contract/errors.ts";
import { CORS_HEADERS, SECURITY_HEADERS } from "../../../generator/contract/response-headers.ts";
import { findProperties, synthesise } from "./_setup.ts";

interface Rule {
  Name: string;
  Priority: number;
  Statement: Record<string, unknown>;
  Action: { Block: { CustomResponse: Response } };
  VisibilityConfig: { SampledRequestsEnabled: boolean };
}

interface Response {
  ResponseCode: number;
  CustomResponseBodyKey: string;
  ResponseHeaders: { Name: string; Value: string }[];
}

interface Firewall {
  Scope: string;
  DefaultAction: unknown;
  Rules: Rule[];
  CustomResponseBodies: Record<string, { ContentType: string; Content: string }>;
  VisibilityConfig: { SampledRequestsEnabled: boolean };
}

let template: Template;
let firewall: Firewall;

beforeAll(async () => {
  template = await synthesise({ rateLimitPerMinute: "90" });
  firewall = findProperties(template, "AWS::WAFv2::WebACL") as unknown as Firewall;
});

describe("the firewall", () => {
  it("stands before the distribution and lets through what no rule stops", () => {
    expect(firewall).toMatchObject({ Scope: "CLOUDFRONT", DefaultAction: { Allow: {} } });
    expect(JSON.stringify(findProperties(template, "AWS::CloudFront::Distribution"))).toContain(
      '"WebACLId"',
    );
    expect(firewall.Rules.map(({ Priority }) => Priority)).toEqual([0, 1, 2]);
  });

  it("refuses methods that the API does not have", () => {
    const { NotStatement } = find("methods").Statement as {
      NotStatement: { Statement: { OrStatement: Statements } };
    };
    const allowed = NotStatement.Statement.OrStatement.Statements.map(
      ({ ByteMatchStatement }) => ByteMatchStatement,
    );
    expect(allowed.map(({ SearchString }) => SearchString)).toEqual(["GET", "HEAD", "OPTIONS"]);
    for (const match of allowed)
      expect(match).toMatchObject({
        FieldToMatch: { Method: {} },
        PositionalConstraint: "EXACTLY",
      });
  });

  it("counts each address by the minute: requests to the API, and ten times as many to all", () => {
    expect(find("api-rate").Statement).toMatchObject({
      RateBasedStatement: { AggregateKeyType: "IP", Limit: 90, EvaluationWindowSec: 60 },
    });
    expect(find("rate").Statement).toEqual({
      RateBasedStatement: { AggregateKeyType: "IP", Limit: 900, EvaluationWindowSec: 60 },
    });
  });

  it.each([
    ["/api/v1/validators", true],
    ["/feeds/mainnet/rug.atom", true],
    ["/exports/mainnet/events.csv", true],
    ["/api", false],
    ["/validators", false],
    ["/assets/index.js", false],
  ])("counts %s as a request to the API: %s", (path, counted) => {
    const { RateBasedStatement } = find("api-rate").Statement as {
      RateBasedStatement: { ScopeDownStatement: { RegexMatchStatement: { RegexString: string } } };
    };
    const match = RateBasedStatement.ScopeDownStatement.RegexMatchStatement;
    expect(new RegExp(match.RegexString).test(path)).toBe(counted);
    // As CloudFront does before it picks a behaviour, with
    // backslashes as slashes, as edge and proxy read them.
    expect(match).toMatchObject({
      TextTransformations: [{ Type: "URL_DECODE" }, { Type: "NORMALIZE_PATH_WIN" }],
    });
  });

  const tooMany = {
    status: 429,
    code: "rate_limited",
    own: { "Retry-After": "60", "X-RateLimit-Remaining": "0" },
  };
  it.each([
    ["methods", { status: 405, code: "method_not_allowed", own: { Allow: "GET, HEAD, OPTIONS" } }],
    ["api-rate", tooMany],
    ["rate", tooMany],
  ])(
    "refuses by %s as the API does: with the limit, for any page to read and no cache to keep",
    (name, expected) => {
      const { status, code, headers } = toAnswer(name);
      const shared = {
        ...CORS_HEADERS,
        ...SECURITY_HEADERS,
        "Cache-Control": "no-store",
        "X-RateLimit-Limit": "90",
      };
      expect([status, code]).toEqual([expected.status, expected.code]);
      expect(headers).toMatchObject({ ...shared, ...expected.own });
      // A custom response has at most ten headers; the body sets its Content-Type.
      expect(Object.keys(headers).length).toBeLessThanOrEqual(10);
      expect(headers).not.toHaveProperty("Content-Type");
    },
  );

  it("keeps no sample of requests, in which addresses are", () => {
    for (const { VisibilityConfig } of [firewall, ...firewall.Rules])
      expect(VisibilityConfig.SampledRequestsEnabled).toBe(false);
  });
});

interface Statements {
  Statements: { ByteMatchStatement: { SearchString: string } }[];
}

function find(name: string): Rule {
  return firewall.Rules.find(({ Name }) => Name === name)!;
}

function toAnswer(name: string) {
  const { ResponseCode, ResponseHeaders, CustomResponseBodyKey } =
    find(name).Action.Block.CustomResponse;
  const { ContentType, Content } = firewall.CustomResponseBodies[CustomResponseBodyKey]!;
  expect(ContentType).toBe("APPLICATION_JSON");
  const { code } = errorSchema.strict().parse(JSON.parse(Content)).error;
  return {
    status: ResponseCode,
    code,
    headers: Object.fromEntries(ResponseHeaders.map((one) => [one.Name, one.Value])),
  };
}
