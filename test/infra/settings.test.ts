import { describe, expect, it } from "vitest";
import { readSettings } from "../../infra/aws/settings.ts";

const CERTIFICATE =
  "arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-0000-1111-2222-333344445555";

describe("the settings of the stack", () => {
  it("need the repository alone", () => {
    const repository = "example/rugwatch";
    expect(readSettings({ repository })).toEqual({
      ...{ repository, branch: "main", deployEnvironment: "production", networks: ["mainnet"] },
      ...{ rateLimitPerMinute: 60, proxyConcurrency: 20 },
      ...{ domain: null, alertEmail: null, githubProviderArn: null, rpcSecretArn: null },
    });
  });

  it("are read from texts, and numbers from numbers too", () => {
    const repository = "example@123456/rugwatch@456789";
    const context = {
      repository,
      networks: "mainnet, alpenglow",
      rateLimitPerMinute: 120,
      proxyConcurrency: "none",
    };
    expect(
      readSettings({ ...context, domainName: "rugwatch.example", certificateArn: CERTIFICATE }),
    ).toMatchObject({
      repository,
      networks: ["mainnet", "alpenglow"],
      rateLimitPerMinute: 120,
      proxyConcurrency: null,
      domain: { name: "rugwatch.example", certificateArn: CERTIFICATE },
    });
  });

  it.each([
    [
      { repository: undefined },
      /^repository is missing: it must be OWNER\/NAME .* Set it with -c repository=VALUE/,
    ],
    [{ repository: "rugwatch" }, /^repository must be OWNER\/NAME/],
    [{ repository: "example/*" }, /^repository must be/],
    [{ branch: "*" }, /^branch must be/],
    [{ networks: "mainnet,devnet" }, /^networks /],
    [{ networks: "" }, /^networks /],
    [{ rateLimitPerMinute: "9" }, /^rateLimitPerMinute must be a whole number from 10 to 1000000/],
    [{ rateLimitPerMinute: "1e3" }, /^rateLimitPerMinute must be/],
    [{ proxyConcurrency: "0" }, /^proxyConcurrency /],
    [{ alertEmail: "nobody" }, /^alertEmail must be/],
    [
      { domainName: "rugwatch.example" },
      /^certificateArn is missing: give domainName and certificateArn together/,
    ],
    [{ certificateArn: CERTIFICATE }, /^domainName is missing/],
    [
      {
        domainName: "rugwatch.example",
        certificateArn: CERTIFICATE.replace("us-east-1", "eu-west-1"),
      },
      /us-east-1/,
    ],
    [
      { githubProviderArn: "arn:aws:iam::1:oidc-provider/elsewhere.example" },
      /^githubProviderArn must be/,
    ],
    [{ rpcSecretArn: "https://endpoint.example/key" }, /^rpcSecretArn must be/],
  ])("are refused when they are %j", (context, message) => {
    expect(() => readSettings({ repository: "example/rugwatch", ...context })).toThrow(message);
  });

  it("are refused by name where they are unknown, and CDK's own are none", () => {
    const context = {
      repository: "example/rugwatch",
      "@aws-cdk/core:x": true,
      "cli-telemetry": false,
    };
    const complaint = /^rateLimit is not a setting\. Use one of repository,/;
    expect(() => readSettings({ ...context, rateLimit: "120" })).toThrow(complaint);
    expect(readSettings(context).rateLimitPerMinute).toBe(60);
  });

  it("are all complained of at once, and nothing of them is repeated", () => {
    const complain = () =>
      readSettings({ branch: "a b", rpcSecretArn: "https://endpoint.example/key" });
    expect(complain).toThrow(/repository .*\n.*branch .*\n.*rpcSecretArn /);
    expect(complain).not.toThrow(/endpoint/);
  });
});
