import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import { OPERATIONS, type Operation } from "../../../generator/contract/operations.ts";
import { PARAMETERS, type Parameter } from "../../../generator/contract/parameters.ts";
import { buildEdgeFunction } from "../../../infra/edge/build.ts";
import { openHandler, type Handler } from "../../../infra/edge/sandbox.ts";
import { readDistribution } from "./_distribution.ts";
import { findProperties, follow, synthesise } from "./_setup.ts";

/** What a cache behaviour does with a path, in a line. */
type Treatment = `${"bucket" | "proxy"}, ${number} s, by ${string}`;

/** Each endpoint, as it must be treated. One that is new turns red here until somebody thought of it. */
const TREATMENTS: Record<keyof typeof OPERATIONS, Treatment> = {
  validators: "proxy, 300 s, by limit network page",
  search: "proxy, 300 s, by network q",
  validator: "bucket, 300 s, by network",
  commissionHistory: "bucket, 300 s, by network",
  stakeHistory: "bucket, 300 s, by network",
  uptime: "proxy, 300 s, by days network",
  location: "bucket, 300 s, by network",
  events: "proxy, 60 s, by epochs network severity",
  epochEvents: "bucket, 60 s, by network",
  validatorEvents: "bucket, 60 s, by network",
  atomFeed: "bucket, 60 s, by path",
  jsonFeed: "bucket, 60 s, by path",
  rugsPerEpoch: "proxy, 60 s, by epochs network offset",
  stakeConcentration: "bucket, 300 s, by network",
  exports: "bucket, 300 s, by network",
  eventsCsv: "bucket, 300 s, by path",
  eventsParquet: "bucket, 300 s, by path",
  historyCsv: "bucket, 300 s, by path",
  historyParquet: "bucket, 300 s, by path",
  epoch: "proxy, 30 s, by network",
  status: "bucket, 15 s, by network",
  openapi: "proxy, 300 s, by path",
};

let template: Template;
let distribution: ReturnType<typeof readDistribution>;
let handleAtEdge: Handler;

beforeAll(async () => {
  template = await synthesise();
  distribution = readDistribution(template);
  handleAtEdge = openHandler(await buildEdgeFunction());
});

describe("a path", () => {
  it.each(Object.entries(OPERATIONS))("of the endpoint %s is cached as the contract says", (key, { path }) => {
    const example = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => toExample(name));
    expect(distribution.toTreatment(example)).toBe(TREATMENTS[key as keyof typeof TREATMENTS]);
    expect(distribution.find(example).ResponseHeadersPolicyId).toEqual(
      distribution.find("/api/v1/validators").ResponseHeadersPolicyId,
    );
  });

  it.each([
    ["/api/v1/nothing", "bucket, 300 s, by network"],
    ["/api/v1/mainnet/validators.json", "bucket, 300 s, by network"],
    ["/api/v1/Validators", "bucket, 300 s, by network"],
    ["/api/v1/validators/", "bucket, 300 s, by network"],
    ["/", "bucket, 60 s, by path"],
    ["/validators/D9i28L1u8HRSocDTC3YSnkjLidCn9JhN3ZNVNq2xC2EK", "bucket, 60 s, by path"],
    ["/api", "bucket, 60 s, by path"],
    ["/theme.js", "bucket, 60 s, by path"],
    ["/healthz", "bucket, 60 s, by path"],
    ["/assets/index-B4mxx5BT.js", "bucket, 31536000 s, by path"],
  ])("%s is treated so: %s", (path, treatment) => {
    expect(distribution.toTreatment(path)).toBe(treatment);
  });

  it.each(Object.entries<Operation>(OPERATIONS))(
    "of the endpoint %s loses nothing of what the edge function passes on",
    (_, { path, parameters }) => {
      const example = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => toExample(name));
      const given = parameters.map((key): Parameter => PARAMETERS[key]).filter((parameter) => parameter.in === "query");
      const query = new URLSearchParams(
        Object.fromEntries(given.map((parameter) => [parameter.name, toUnusual(parameter)])),
      ).toString();
      const passed = handleAtEdge({
        request: { method: "GET", uri: example, querystring: {}, rawQueryString: () => query },
      });
      if (!("uri" in passed) || typeof passed.querystring !== "string")
        throw new Error(`The edge passes on no query of ${example}?${query}: ${JSON.stringify(passed)}`);
      const names = [...new URLSearchParams(passed.querystring).keys()].toSorted();
      // What is in no cache key, CloudFront tells no origin.
      const { QueryStrings = [] } = distribution.toCachePolicy(distribution.find(example))
        .ParametersInCacheKeyAndForwardedToOrigin.QueryStringsConfig;
      expect(names).toEqual(distribution.toTreatment(example).startsWith("bucket") ? [] : QueryStrings);
    },
  );

  it("is looked for in the bucket, and then asked of the proxy when the bucket has nothing or fails", () => {
    const [group] = distribution.config.OriginGroups.Items;
    expect(distribution.config.OriginGroups.Items).toHaveLength(1);
    expect(group!.FailoverCriteria.StatusCodes.Items).toEqual([403, 404, 500, 502, 503, 504]);
    const [first, second] = group!.Members.Items.map(({ OriginId }) => distribution.toOrigin(OriginId));
    expect(first?.S3OriginConfig).toBeDefined();
    expect(JSON.stringify(second?.DomainName)).toContain("FunctionUrl");
    expect(distribution.config.Origins).toHaveLength(2);
  });

  it("goes through the edge function first, over TLS, and by methods that can fail over", () => {
    const source = findProperties(template, "AWS::CloudFront::Function");
    expect(source).toMatchObject({ FunctionConfig: { Runtime: "cloudfront-js-2.0" } });
    expect(source["FunctionCode"]).toMatch(/function handler\(event\)/);
    for (const behavior of distribution.behaviors) {
      expect(behavior.FunctionAssociations.map(({ EventType }) => EventType)).toEqual(["viewer-request"]);
      expect(behavior.AllowedMethods).toEqual(["GET", "HEAD", "OPTIONS"]);
      expect(behavior.ViewerProtocolPolicy).toBe("redirect-to-https");
    }
  });

  it("tells the proxy who asks by a header that is in no cache key", () => {
    for (const behavior of distribution.behaviors) {
      expect(follow(template, behavior.OriginRequestPolicyId)).toMatchObject({
        OriginRequestPolicyConfig: {
          HeadersConfig: { HeaderBehavior: "whitelist", Headers: ["CloudFront-Viewer-Address"] },
          QueryStringsConfig: { QueryStringBehavior: "none" },
          CookiesConfig: { CookieBehavior: "none" },
        },
      });
      const { ParametersInCacheKeyAndForwardedToOrigin: key } = distribution.toCachePolicy(behavior);
      expect(key.HeadersConfig.HeaderBehavior).toBe("none");
      expect(key.CookiesConfig.CookieBehavior).toBe("none");
    }
  });
});

describe("an answer", () => {
  it("is kept as long as it says itself: `no-store` too, and old ones stand in for errors for a day", () => {
    for (const behavior of distribution.behaviors) expect(distribution.toCachePolicy(behavior).MinTTL).toBe(0);
    expect(distribution.toCachePolicy(distribution.find("/api/v1/events")).MaxTTL).toBe(86_400);
    expect(distribution.toCachePolicy(distribution.find("/api/v1/epoch")).MaxTTL).toBe(30);
  });

  it("is compressed", () => {
    for (const behavior of distribution.behaviors) {
      expect(behavior.Compress).toBe(true);
      expect(distribution.toCachePolicy(behavior).ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
        EnableAcceptEncodingGzip: true,
        EnableAcceptEncodingBrotli: true,
      });
    }
  });

  it("is never kept when it is an error, nor replaced by another", () => {
    expect(distribution.config.CustomErrorResponses.map(({ ErrorCode }) => ErrorCode)).toEqual(
      expect.arrayContaining([400, 403, 404, 405, 414, 500, 502, 503, 504]),
    );
    for (const response of distribution.config.CustomErrorResponses) {
      expect(response.ErrorCachingMinTTL).toBe(0);
      expect(response.ResponsePagePath).toBeUndefined();
    }
  });
});

describe("the distribution", () => {
  it("stays within what an account has without asking: 25 behaviours, 20 cache policies", () => {
    expect(distribution.config.CacheBehaviors.length).toBeLessThanOrEqual(25);
    expect(Object.keys(template.findResources("AWS::CloudFront::CachePolicy")).length).toBeLessThanOrEqual(20);
  });

  it("keeps no record of who reads", () => {
    expect(distribution.config).not.toHaveProperty("Logging");
  });

  it("has CloudFront's name without a domain, and the domain's with its certificate", async () => {
    expect(distribution.config).not.toHaveProperty("Aliases");
    const certificateArn = "arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d";
    const other = await synthesise({ domainName: "rugwatch.example", certificateArn });
    expect(findProperties(other, "AWS::CloudFront::Distribution")["DistributionConfig"]).toMatchObject({
      Aliases: ["rugwatch.example"],
      ViewerCertificate: { AcmCertificateArn: certificateArn, MinimumProtocolVersion: "TLSv1.2_2021" },
    });
  });
});

function toExample(name: string): string {
  return String(PARAMETERS[name as "network" | "feed" | "votePubkey" | "epoch"].example);
}

/** A value that is not the default, which the edge would leave out. */
function toUnusual({ name, example, ...parameter }: Parameter): string {
  if (name === PARAMETERS.network.name) return "testnet";
  return String(example === parameter.default ? Number(example) + 1 : example);
}
