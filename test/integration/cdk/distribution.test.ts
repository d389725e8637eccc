import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import { OPERATIONS } from "../../../generator/contract/operations.ts";
import { PARAMETERS } from "../../../generator/contract/parameters.ts";
import { CORS_HEADERS, SECURITY_HEADERS } from "../../../generator/contract/response-headers.ts";
import { SITE_HEADERS } from "../../../generator/contract/site-headers.ts";
import { readDistribution } from "./_distribution.ts";
import { findProperties, follow, synthesise, type Properties } from "./_setup.ts";

type Treatment = `${"bucket" | "proxy"}, ${number} s, by ${string}`;

/** A new endpoint fails here until its treatment is decided. */
const TREATMENTS: Record<keyof typeof OPERATIONS, Treatment> = {
  validators:
    "proxy, 300 s, by commissionMax commissionMin delinquent dir limit network order page verdict votePubkeys",
  search: "proxy, 300 s, by network q",
  validator: "bucket, 300 s, by network",
  commissionHistory: "bucket, 300 s, by network",
  stakeHistory: "bucket, 300 s, by network",
  uptime: "proxy, 300 s, by days network",
  location: "bucket, 300 s, by network",
  events: "proxy, 60 s, by collapse epochs fields network severity source votePubkey",
  changes: "proxy, 60 s, by after limit network",
  epochs: "bucket, 300 s, by network",
  epochEvents: "bucket, 60 s, by network",
  validatorTransactions: "bucket, 300 s, by network",
  validatorEvents: "proxy, 60 s, by collapse network",
  atomFeed: "bucket, 60 s, by path",
  jsonFeed: "bucket, 60 s, by path",
  validatorAtomFeed: "bucket, 60 s, by path",
  validatorJsonFeed: "bucket, 60 s, by path",
  watchFeed: "proxy, 60 s, by votes",
  badge: "bucket, 60 s, by path",
  picture: "bucket, 60 s, by path",
  sitemap: "bucket, 300 s, by path",
  rugsPerEpoch: "proxy, 60 s, by epochs network offset",
  stakeConcentration: "bucket, 300 s, by network",
  exports: "bucket, 300 s, by network",
  eventsCsv: "bucket, 300 s, by path",
  eventsParquet: "bucket, 300 s, by path",
  costsCsv: "bucket, 300 s, by path",
  costsParquet: "bucket, 300 s, by path",
  rugsCsv: "bucket, 300 s, by path",
  rugsParquet: "bucket, 300 s, by path",
  validatorsCsv: "bucket, 300 s, by path",
  validatorsParquet: "bucket, 300 s, by path",
  locationsCsv: "bucket, 300 s, by path",
  locationsParquet: "bucket, 300 s, by path",
  epochsCsv: "bucket, 300 s, by path",
  epochsParquet: "bucket, 300 s, by path",
  uptimeCsv: "bucket, 300 s, by path",
  uptimeParquet: "bucket, 300 s, by path",
  historyCsv: "bucket, 300 s, by path",
  historyParquet: "bucket, 300 s, by path",
  wallet: "proxy, 300 s, by limit network page",
  wallets: "bucket, 300 s, by network",
  epoch: "proxy, 30 s, by network",
  status: "bucket, 15 s, by network",
  openapi: "proxy, 300 s, by path",
};

let template: Template;
let distribution: ReturnType<typeof readDistribution>;

beforeAll(async () => {
  template = await synthesise();
  distribution = readDistribution(template);
});

describe("a path", () => {
  it.each(Object.entries(OPERATIONS))(
    "of the endpoint %s is cached as the contract says",
    (key, { path }) => {
      const toExample = (name: string) =>
        String(PARAMETERS[name as "network" | "feed" | "votePubkey" | "epoch"].example);
      const example = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => toExample(name));
      expect(distribution.toTreatment(example)).toBe(TREATMENTS[key as keyof typeof TREATMENTS]);
      const { ResponseHeadersPolicyId } = distribution.find("/api/v1/validators");
      expect(distribution.find(example).ResponseHeadersPolicyId).toEqual(ResponseHeadersPolicyId);
    },
  );

  it.each([
    ["/api/v1/nothing", "proxy, 300 s, by network"],
    ["/api/v1/mainnet/validators.json", "proxy, 300 s, by network"],
    ["/api/v1/Validators", "proxy, 300 s, by network"],
    ["/", "bucket, 60 s, by path"],
    ["/validators/D9i28L1u8HRSocDTC3YSnkjLidCn9JhN3ZNVNq2xC2EK", "bucket, 60 s, by path"],
    ["/api", "bucket, 60 s, by path"],
    ["/nothing/here", "bucket, 60 s, by path"],
    ["/healthz", "bucket, 60 s, by path"],
    ["/assets/index-B4mxx5BT.js", "bucket, 31536000 s, by path"],
  ])("%s is treated so: %s", (path, treatment) => {
    expect(distribution.toTreatment(path)).toBe(treatment);
  });

  it("is looked for in the bucket, and then asked of the proxy when the bucket has nothing or fails", () => {
    const { OriginGroups, Origins } = distribution.config;
    const [group] = OriginGroups.Items;
    expect([OriginGroups.Items.length, Origins.length]).toEqual([1, 2]);
    expect(group!.FailoverCriteria.StatusCodes.Items).toEqual([403, 404, 500, 502, 503, 504]);
    const [first, second] = group!.Members.Items.map(({ OriginId }) =>
      distribution.toOrigin(OriginId),
    );
    expect(first?.S3OriginConfig).toBeDefined();
    expect(JSON.stringify(second?.DomainName)).toContain("FunctionUrl");
  });

  it("goes through the edge function first, over TLS, and by methods that can fail over", () => {
    const source = findProperties(template, "AWS::CloudFront::Function");
    expect(source).toMatchObject({ FunctionConfig: { Runtime: "cloudfront-js-2.0" } });
    expect(source["FunctionCode"]).toMatch(/^function handler\(event\)/);
    for (const behavior of distribution.behaviors) {
      expect(behavior.FunctionAssociations.map(({ EventType }) => EventType)).toEqual([
        "viewer-request",
      ]);
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
      expect(
        distribution.toCachePolicy(behavior).ParametersInCacheKeyAndForwardedToOrigin,
      ).toMatchObject({
        HeadersConfig: { HeaderBehavior: "none" },
        CookiesConfig: { CookieBehavior: "none" },
      });
    }
  });
});

describe("an answer", () => {
  it("is kept as long as it says itself: `no-store` too, and old ones stand in for errors for a day", () => {
    for (const one of distribution.behaviors)
      expect(distribution.toCachePolicy(one)).toMatchObject({ MinTTL: 0 });
    const policyOf = (path: string) => distribution.toCachePolicy(distribution.find(path));
    expect([policyOf("/api/v1/events"), policyOf("/api/v1/epoch")]).toMatchObject([
      { MaxTTL: 86_400 },
      { MaxTTL: 30 },
    ]);
  });

  it("is compressed", () => {
    for (const behavior of distribution.behaviors) {
      expect(behavior.Compress).toBe(true);
      expect(
        distribution.toCachePolicy(behavior).ParametersInCacheKeyAndForwardedToOrigin,
      ).toMatchObject({ EnableAcceptEncodingGzip: true, EnableAcceptEncodingBrotli: true });
    }
  });

  it("is kept for ten seconds when it is an error, as the proxy gave it; but not that of one client", () => {
    const kept = distribution.config.CustomErrorResponses;
    expect(kept.map(({ ErrorCode }) => ErrorCode)).toEqual(
      expect.arrayContaining([400, 404, 405, 414, 500, 503]),
    );
    expect(kept.map(({ ErrorCode }) => ErrorCode)).not.toContain(429);
    for (const { ErrorCachingMinTTL, ResponsePagePath } of kept)
      expect([ErrorCachingMinTTL, ResponsePagePath]).toEqual([10, undefined]);
  });

  // The proxy also answers missing files and odd spellings of API paths, and those are cached.
  it.each(["/api/v1/validators", "/", "/assets/index-B4mxx5BT.js"])(
    "at %s tells nobody what another has left",
    (path) => {
      const Items = ["X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit"].map((Header) => ({
        Header,
      }));
      expect(distribution.toHeadersPolicy(path)).toMatchObject({ RemoveHeadersConfig: { Items } });
    },
  );

  it("of the API may be read by any page, is data to a browser, and says what the limit is", () => {
    const policy = distribution.toHeadersPolicy("/api/v1/validators");
    expect(policy).toMatchObject({
      CorsConfig: {
        AccessControlAllowOrigins: { Items: ["*"] },
        AccessControlAllowCredentials: false,
        AccessControlExposeHeaders: {
          Items: CORS_HEADERS["access-control-expose-headers"].split(", "),
        },
        AccessControlMaxAgeSec: 86_400,
        OriginOverride: true,
      },
      SecurityHeadersConfig: {
        StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
      },
    });
    const limit = { "x-ratelimit-limit": "60", "ratelimit-policy": '"default";q=60;w=60' };
    expect(toHeaders(policy)).toEqual({ ...SECURITY_HEADERS, ...limit });
  });

  it.each(["/", "/assets/index-B4mxx5BT.js"])(
    "of the site at %s has every header of the site",
    (path) => {
      expect(toHeaders(distribution.toHeadersPolicy(path))).toEqual(SITE_HEADERS);
    },
  );
});

describe("the distribution", () => {
  it("stays within what an account has without asking: 25 behaviours, 20 cache policies", () => {
    expect(distribution.config.CacheBehaviors.length).toBeLessThanOrEqual(25);
    expect(
      Object.keys(template.findResources("AWS::CloudFront::CachePolicy")).length,
    ).toBeLessThanOrEqual(20);
  });

  it("keeps no record of who reads", () => {
    expect(distribution.config).not.toHaveProperty("Logging");
  });

  it("has CloudFront's name without a domain, and the domain's with its certificate", async () => {
    expect(distribution.config).not.toHaveProperty("Aliases");
    const certificateArn = "arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d";
    const other = await synthesise({ domainName: "rugwatch.example", certificateArn });
    expect(
      findProperties(other, "AWS::CloudFront::Distribution")["DistributionConfig"],
    ).toMatchObject({
      Aliases: ["rugwatch.example"],
      ViewerCertificate: {
        AcmCertificateArn: certificateArn,
        MinimumProtocolVersion: "TLSv1.2_2021",
      },
    });
  });
});

/** Those that the policy puts over an answer's own, but CORS and HSTS. */
function toHeaders(policy: Properties): Record<string, unknown> {
  const { Items } = policy["CustomHeadersConfig"] as {
    Items: { Header: string; Value: string; Override: boolean }[];
  };
  const {
    ContentSecurityPolicy: content,
    ContentTypeOptions: type,
    ReferrerPolicy: referrer,
  } = policy["SecurityHeadersConfig"] as Record<
    string,
    (Properties & { Override: boolean }) | undefined
  >;
  return {
    ...Object.fromEntries(
      Items.filter(({ Override }) => Override).map((one) => [one.Header.toLowerCase(), one.Value]),
    ),
    "content-security-policy": content?.Override && content["ContentSecurityPolicy"],
    "x-content-type-options": type?.Override && "nosniff",
    ...(referrer && { "referrer-policy": referrer["ReferrerPolicy"] }),
  };
}
