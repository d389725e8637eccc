import { beforeAll, describe, expect, it } from "vitest";
import { CORS_HEADERS, SECURITY_HEADERS } from "../../../generator/contract/response-headers.ts";
import { SITE_HEADERS } from "../../../generator/contract/site-headers.ts";
import { readDistribution } from "./_distribution.ts";
import { synthesise, type Properties } from "./_setup.ts";

let distribution: ReturnType<typeof readDistribution>;

beforeAll(async () => {
  distribution = readDistribution(await synthesise());
});

describe("an answer", () => {
  it("of the API says what the limit is", () => {
    const policy = distribution.toHeadersPolicy("/api/v1/validators");
    expect(toCustomHeaders(policy)).toMatchObject({
      "X-RateLimit-Limit": "60",
      "RateLimit-Policy": '"default";q=60;w=60',
      "Cross-Origin-Resource-Policy": SECURITY_HEADERS["cross-origin-resource-policy"],
    });
  });

  // The proxy answers there too, for files that are missing and for odd spellings of the API's paths, which are kept.
  it.each(["/api/v1/validators", "/", "/assets/index-B4mxx5BT.js"])(
    "at %s tells nobody what another has left",
    (path) => {
      expect(distribution.toHeadersPolicy(path)).toMatchObject({
        RemoveHeadersConfig: {
          Items: [{ Header: "X-RateLimit-Remaining" }, { Header: "X-RateLimit-Reset" }, { Header: "RateLimit" }],
        },
      });
    },
  );

  it("of the API may be read by any page, and is data to a browser", () => {
    expect(distribution.toHeadersPolicy("/api/v1/validators")).toMatchObject({
      CorsConfig: {
        AccessControlAllowOrigins: { Items: ["*"] },
        AccessControlAllowCredentials: false,
        AccessControlExposeHeaders: { Items: CORS_HEADERS["access-control-expose-headers"].split(", ") },
        AccessControlMaxAgeSec: 86_400,
        OriginOverride: true,
      },
      SecurityHeadersConfig: {
        ContentSecurityPolicy: { ContentSecurityPolicy: SECURITY_HEADERS["content-security-policy"], Override: true },
        ContentTypeOptions: { Override: true },
        StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
      },
    });
  });

  it.each(["/", "/assets/index-B4mxx5BT.js"])("of the site at %s has every header of the site", (path) => {
    const policy = distribution.toHeadersPolicy(path);
    const { ContentSecurityPolicy, ContentTypeOptions, ReferrerPolicy } = policy["SecurityHeadersConfig"] as {
      ContentSecurityPolicy: { ContentSecurityPolicy: string };
      ContentTypeOptions: { Override: boolean };
      ReferrerPolicy: { ReferrerPolicy: string };
    };
    expect({
      ...toCustomHeaders(policy),
      "content-security-policy": ContentSecurityPolicy.ContentSecurityPolicy,
      "x-content-type-options": ContentTypeOptions.Override && "nosniff",
      "referrer-policy": ReferrerPolicy.ReferrerPolicy,
    }).toEqual(SITE_HEADERS);
  });
});

function toCustomHeaders(policy: Properties): Record<string, string> {
  const { Items } = policy["CustomHeadersConfig"] as { Items: { Header: string; Value: string; Override: boolean }[] };
  return Object.fromEntries(Items.filter(({ Override }) => Override).map(({ Header, Value }) => [Header, Value]));
}
