import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import { listPermissions, synthesise, type Properties } from "./_setup.ts";

let template: Template;

beforeAll(async () => {
  template = await synthesise();
});

describe("the roles of GitHub's workflows", () => {
  it.each([
    ["GenerateRole", "repo:example/rugwatch:ref:refs/heads/main"],
    ["DeployRole", "repo:example/rugwatch:environment:production"],
  ])("are taken on by nobody else: %s", (role, subject) => {
    const roles = Object.entries(template.findResources("AWS::IAM::Role"));
    const [, found] = roles.find(([id]) => id.startsWith(role))!;
    const { Statement } = (found["Properties"] as Properties)["AssumeRolePolicyDocument"] as { Statement: unknown[] };
    expect(Statement).toMatchObject([
      {
        Effect: "Allow",
        Action: "sts:AssumeRoleWithWebIdentity",
        Condition: {
          StringEquals: {
            "token.actions.githubusercontent.com:aud": "sts.amazonaws.com",
            "token.actions.githubusercontent.com:sub": subject,
          },
        },
      },
    ]);
    expect(Statement).toHaveLength(1);
  });

  it("let the generator write its keys of both buckets, and delete no version", () => {
    const objects = [
      "State.Arn/*",
      ...["api/v1/*", "feeds/*", "exports/*", "doctor-*"].map((keys) => `Public.Arn/${keys}`),
    ];
    const actions = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"];
    expect(listPermissions(template, "GenerateRole").toSorted()).toEqual(
      [
        ...actions.flatMap((action) => objects.map((object) => `Allow ${action} ${object}`)),
        "Allow s3:ListBucket State.Arn",
        "Allow s3:ListBucket Public.Arn",
      ].toSorted(),
    );
  });

  it("let a deployment write the site and never a document, and nothing of the state", () => {
    const permissions = listPermissions(template, "DeployRole");
    // deploy.yml copies files there, and neither lists, reads nor deletes any.
    expect(permissions.filter((permission) => / s3:/.test(permission)).toSorted()).toEqual([
      "Allow s3:PutObject Public.Arn/*",
      "Deny s3:PutObject Public.Arn/api/v1/*",
      "Deny s3:PutObject Public.Arn/doctor-*",
      "Deny s3:PutObject Public.Arn/exports/*",
      "Deny s3:PutObject Public.Arn/feeds/*",
    ]);
    expect(permissions.filter((permission) => permission.includes("cloudformation:"))).toEqual([]);
    expect(permissions.filter((permission) => / \*$|:\*$/.test(permission))).toEqual([]);
    const assumed = permissions.filter((permission) => permission.startsWith("Allow sts:AssumeRole"));
    expect(assumed).toHaveLength(3);
    for (const permission of assumed)
      expect(permission).toMatch(/:role\/cdk-\*-[a-z-]+-role-AWS::AccountId-us-east-1$/);
  });

  it("rest on the account's provider where it has one, since it can have no other", async () => {
    template.resourceCountIs("AWS::IAM::OIDCProvider", 1);
    const githubProviderArn = "arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com";
    const other = await synthesise({ githubProviderArn, branch: "release" });
    other.resourceCountIs("AWS::IAM::OIDCProvider", 0);
    expect(JSON.stringify(other.findResources("AWS::IAM::Role"))).toContain(githubProviderArn);
    expect(JSON.stringify(other.findResources("AWS::IAM::Role"))).toContain("refs/heads/release");
  });
});
