import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import { findProperties, listPermissions, synthesise, type Properties } from "./_setup.ts";

let template: Template;

beforeAll(async () => {
  template = await synthesise();
});

describe("the proxy", () => {
  it("runs on the Node of the house, under its own limit, and knows whom CloudFront speaks for", () => {
    expect(findProxy()).toMatchObject({
      Runtime: "nodejs24.x",
      Architectures: ["arm64"],
      Handler: "lambda.handler",
      ReservedConcurrentExecutions: 20,
      Environment: {
        Variables: {
          RUGWATCH_PUBLIC: { "Fn::Join": ["", ["s3://", { Ref: expect.stringMatching(/^Public/) as string }]] },
          TRUST_PROXY: "cloudfront:0.0.0.0/0,::/0",
          RATE_LIMIT_PER_MINUTE: "60",
        },
      },
    });
  });

  it("is called by the distribution and nobody else", () => {
    expect(findProperties(template, "AWS::Lambda::Url")).toMatchObject({ AuthType: "AWS_IAM" });
    const permissions = Object.values(template.findResources("AWS::Lambda::Permission"))
      .map((resource) => resource["Properties"] as Properties)
      .filter(({ FunctionName }) => JSON.stringify(FunctionName).includes("Proxy"));
    expect(permissions.map(({ Action }) => Action)).toEqual(["lambda:InvokeFunctionUrl", "lambda:InvokeFunction"]);
    for (const { Principal, SourceArn } of permissions) {
      expect(Principal).toBe("cloudfront.amazonaws.com");
      expect(JSON.stringify(SourceArn)).toMatch(/distribution\/.*Cdn/);
    }
    const controls = Object.values(template.findResources("AWS::CloudFront::OriginAccessControl"));
    const kinds = controls.map(
      ({ Properties: { OriginAccessControlConfig } }) => OriginAccessControlConfig as Properties,
    );
    expect(kinds.map((kind) => kind["OriginAccessControlOriginType"]).toSorted()).toEqual(["lambda", "s3"]);
    for (const kind of kinds) expect(kind).toMatchObject({ SigningBehavior: "always", SigningProtocol: "sigv4" });
  });

  it("may read what is published, and tell what is missing from what it may not read", () => {
    expect(listPermissions(template, "ProxyServiceRole").toSorted()).toEqual([
      "Allow s3:GetObject Public.Arn/api/v1/*",
      "Allow s3:GetObject Public.Arn/exports/*",
      "Allow s3:GetObject Public.Arn/feeds/*",
      "Allow s3:ListBucket Public.Arn",
    ]);
  });

  it("has its endpoints' keys from a secret, of which the template shows only the name", async () => {
    const rpcSecretArn = "arn:aws:secretsmanager:us-east-1:123456789012:secret:rpc-AbCdEf";
    const other = await synthesise({ rpcSecretArn, proxyConcurrency: "none" });
    const proxy = findProperties(other, "AWS::Lambda::Function", { Handler: "lambda.handler" });
    expect(proxy["Environment"]).toMatchObject({
      Variables: { MAINNET_RPC_URLS: `{{resolve:secretsmanager:${rpcSecretArn}:SecretString:MAINNET_RPC_URLS::}}` },
    });
    expect(proxy).not.toHaveProperty("ReservedConcurrentExecutions");
  });
});

describe("logs", () => {
  it("go after a month", () => {
    const groups = Object.values(template.findResources("AWS::Logs::LogGroup"));
    expect(groups).toHaveLength(2);
    for (const { Properties } of groups) expect(Properties).toMatchObject({ RetentionInDays: 30 });
    const functions = Object.values(template.findResources("AWS::Lambda::Function"));
    expect(functions).toHaveLength(2);
    for (const { Properties } of functions) expect(Properties).toHaveProperty("LoggingConfig.LogGroup");
  });
});

function findProxy(): Properties {
  return findProperties(template, "AWS::Lambda::Function", { Handler: "lambda.handler" });
}
