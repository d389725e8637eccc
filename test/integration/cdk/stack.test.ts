import { Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import { STACK } from "../../bench/month.ts";
import { findProperties, listPermissions, synthesise, type Properties } from "./_setup.ts";

let template: Template;
beforeAll(async () => {
  template = await synthesise();
});

const toA = (name: string) => ({ Ref: expect.stringMatching(`^${name}`) as string });
const listProperties = (type: string) =>
  Object.values(template.findResources(type)).map(
    (resource) => resource["Properties"] as Properties,
  );

describe("the stack", () => {
  it("names what the workflows and the operator need", () => {
    const outputs = [
      "AlertsTopicArn",
      "CdnName",
      "DeployRoleArn",
      "DistributionId",
      "GenerateRoleArn",
    ];
    const names = [...outputs, "PublicBucketName", "SiteUrl", "StateBucketName"];
    expect(Object.keys(template.findOutputs("*")).toSorted()).toEqual(names);
  });

  it("is what its costs are computed of", async () => {
    expect(findProperties(template, "AWS::WAFv2::WebACL")["Rules"]).toHaveLength(
      STACK.firewallRules,
    );
    const proxy = findProperties(template, "AWS::Lambda::Function", { Handler: "lambda.handler" });
    expect(proxy["MemorySize"]).toBe(STACK.proxyMegabytes);
    const ScheduleExpression = "rate(1 minute)";
    template.hasResourceProperties("AWS::Events::Rule", { ScheduleExpression });
    expect(STACK.ageEveryMinutes).toBe(1);
    const all = "mainnet,testnet,alpenglow";
    const alarms = (await synthesise({ networks: all })).findResources("AWS::CloudWatch::Alarm");
    expect(Object.keys(alarms)).toHaveLength(STACK.alarms);
    const ofMetrics = Object.values(alarms).filter(({ Properties }) =>
      JSON.stringify(Properties).includes('"Namespace":"Rugwatch"'),
    );
    expect(ofMetrics).toHaveLength(STACK.metrics);
  });
});

describe("both buckets", () => {
  it("are nobody's but ours, stay when the stack goes, and answer over TLS alone", () => {
    const isOurs = {
      DeletionPolicy: "Retain",
      UpdateReplacePolicy: "Retain",
      Properties: {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: "BucketOwnerEnforced" }] },
        BucketEncryption: expect.anything() as unknown,
      },
    };
    const buckets = Object.values(template.findResources("AWS::S3::Bucket"));
    expect(buckets).toMatchObject([isOurs, isOurs]);
    const Condition = { Bool: { "aws:SecureTransport": "false" } };
    const denial = Match.objectLike({
      Effect: "Deny",
      Action: "s3:*",
      Principal: { AWS: "*" },
      Condition,
    });
    const Properties = { PolicyDocument: { Statement: Match.arrayWith([denial]) } };
    expect(
      Object.keys(template.findResources("AWS::S3::BucketPolicy", { Properties })),
    ).toHaveLength(2);
  });

  it.each([
    ["State", []],
    ["Public", ["s3:GetObject"]],
  ])(
    "let the distribution read objects of what is public, and list none: %s",
    (bucket, actions) => {
      const statements = listProperties("AWS::S3::BucketPolicy")
        .filter(({ Bucket }) => (Bucket as { Ref: string }).Ref.startsWith(bucket))
        .flatMap(
          ({ PolicyDocument }) =>
            (PolicyDocument as { Statement: Record<string, unknown>[] }).Statement,
        )
        .filter(({ Effect }) => Effect === "Allow");
      expect(statements.map(({ Action }) => Action)).toEqual(actions);
      for (const { Principal, Condition } of statements) {
        expect(Principal).toEqual({ Service: "cloudfront.amazonaws.com" });
        expect(JSON.stringify(Condition)).toMatch(/SourceArn.*distribution.*Cdn/);
      }
    },
  );

  it("keep every version of the journal, and those of what is made of it for two weeks", () => {
    const state = findProperties(template, "AWS::S3::Bucket", {
      VersioningConfiguration: { Status: "Enabled" },
    });
    const { Rules } = state["LifecycleConfiguration"] as { Rules: Record<string, unknown>[] };
    const expiring = Rules.filter((rule) => "NoncurrentVersionExpiration" in rule);
    const folders = [
      "alerts/",
      "checkpoints/",
      "lease/",
      "manifest/",
      "quarantine/",
      "rebuild/",
      "wallets/",
    ];
    expect(expiring.map((rule) => rule["Prefix"] as string).toSorted()).toEqual(folders);
    for (const rule of expiring)
      expect(rule["NoncurrentVersionExpiration"]).toEqual({
        NoncurrentDays: STACK.derivedKeptDays,
      });
    for (const rule of Rules) expect(rule).not.toHaveProperty("ExpirationInDays");
  });
});

describe("the proxy", () => {
  it("runs on the Node of the house, under its own limit, and knows whom CloudFront speaks for", () => {
    expect(
      findProperties(template, "AWS::Lambda::Function", { Handler: "lambda.handler" }),
    ).toMatchObject({
      Runtime: "nodejs24.x",
      Architectures: ["arm64"],
      ReservedConcurrentExecutions: 20,
      Environment: {
        Variables: {
          RUGWATCH_PUBLIC: { "Fn::Join": ["", ["s3://", toA("Public")]] },
          TRUST_PROXY: "cloudfront:0.0.0.0/0,::/0",
          RATE_LIMIT_PER_MINUTE: "60",
        },
      },
    });
  });

  it("is called by the distribution and nobody else", () => {
    expect(findProperties(template, "AWS::Lambda::Url")).toMatchObject({ AuthType: "AWS_IAM" });
    const isOfProxy = ({ FunctionName }: Properties) =>
      JSON.stringify(FunctionName).includes("Proxy");
    const permissions = listProperties("AWS::Lambda::Permission").filter(isOfProxy);
    expect(permissions.map(({ Action }) => Action)).toEqual([
      "lambda:InvokeFunctionUrl",
      "lambda:InvokeFunction",
    ]);
    for (const { Principal, SourceArn } of permissions) {
      expect(Principal).toBe("cloudfront.amazonaws.com");
      expect(JSON.stringify(SourceArn)).toMatch(/distribution\/.*Cdn/);
    }
    const signed = { SigningBehavior: "always", SigningProtocol: "sigv4" };
    const controls = listProperties("AWS::CloudFront::OriginAccessControl");
    expect(
      controls.map(({ OriginAccessControlConfig }) => OriginAccessControlConfig),
    ).toMatchObject([signed, signed]);
  });

  it("may read what is published, and tell what is missing from what it may not read", () => {
    expect(listPermissions(template, "ProxyServiceRole").toSorted()).toEqual([
      ...["api/v1", "badges", "exports", "feeds", "pages"].map(
        (folder) => `Allow s3:GetObject Public.Arn/${folder}/*`,
      ),
      "Allow s3:ListBucket Public.Arn",
    ]);
  });

  it("has its endpoints' keys from a secret, of which the template shows only the name", async () => {
    const rpcSecretArn = "arn:aws:secretsmanager:us-east-1:123456789012:secret:rpc-AbCdEf";
    const other = await synthesise({ rpcSecretArn, proxyConcurrency: "none" });
    const proxy = findProperties(other, "AWS::Lambda::Function", { Handler: "lambda.handler" });
    const reference = `{{resolve:secretsmanager:${rpcSecretArn}:SecretString:MAINNET_RPC_URLS::}}`;
    expect(proxy["Environment"]).toMatchObject({ Variables: { MAINNET_RPC_URLS: reference } });
    expect(proxy).not.toHaveProperty("ReservedConcurrentExecutions");
  });

  it("asks for the epoch of no network that nobody watches, with a secret or without", async () => {
    const rpcSecretArn = "arn:aws:secretsmanager:us-east-1:123456789012:secret:rpc-AbCdEf";
    const networks = "mainnet, alpenglow";
    for (const other of [
      await synthesise({ networks }),
      await synthesise({ networks, rpcSecretArn }),
    ]) {
      const proxy = findProperties(other, "AWS::Lambda::Function", { Handler: "lambda.handler" });
      const { Variables } = proxy["Environment"] as { Variables: Record<string, string> };
      const unwatched = Object.keys(Variables).filter((name) => Variables[name] === "none");
      expect(unwatched).toEqual(["TESTNET_RPC_URLS"]);
    }
  });

  it("and all else that logs keeps its log for a month", () => {
    const kept = { RetentionInDays: 30 };
    expect(listProperties("AWS::Logs::LogGroup")).toMatchObject([kept, kept]);
    const logs = { LoggingConfig: { LogGroup: expect.anything() as unknown } };
    expect(listProperties("AWS::Lambda::Function")).toMatchObject([logs, logs]);
  });
});

describe("the alarm", () => {
  it("sounds when the data is half an hour old, or when nobody can say how old", () => {
    expect(
      findProperties(template, "AWS::CloudWatch::Alarm", { MetricName: "AgeSeconds" }),
    ).toMatchObject({
      Namespace: "Rugwatch",
      Dimensions: [{ Name: "network", Value: "mainnet" }],
      Statistic: "Maximum",
      ComparisonOperator: "GreaterThanThreshold",
      Threshold: 1_800,
      Period: 60,
      EvaluationPeriods: 4,
      TreatMissingData: "breaching",
      AlarmActions: [toA("Alerts")],
      OKActions: [toA("Alerts")],
    });
    const rule = findProperties(template, "AWS::Events::Rule");
    expect(rule).toMatchObject({ State: "ENABLED", ScheduleExpression: "rate(1 minute)" });
    expect(JSON.stringify(rule["Targets"])).toMatch(
      /https:\/\/.*Cdn.*DomainName.*networks.*mainnet/,
    );
  });

  it("sounds within ten minutes when the status names something that needs somebody, or grows old", () => {
    expect(
      findProperties(template, "AWS::CloudWatch::Alarm", { MetricName: "Problems" }),
    ).toMatchObject({
      Namespace: "Rugwatch",
      Dimensions: [{ Name: "network", Value: "mainnet" }],
      ComparisonOperator: "GreaterThanThreshold",
      Threshold: 0,
      Period: 60,
      EvaluationPeriods: 4,
      TreatMissingData: "ignore",
      AlarmActions: [toA("Alerts")],
      OKActions: [toA("Alerts")],
    });
  });

  it.each([
    ["the proxy's errors", "AWS/Lambda", "Errors", 10],
    ["answers of 5xx, in percent", "AWS/CloudFront", "5xxErrorRate", 5],
    ["what the month costs, in dollars", "AWS/Billing", "EstimatedCharges", 100],
  ])("sounds for %s", (_, Namespace, MetricName, Threshold) => {
    expect(findProperties(template, "AWS::CloudWatch::Alarm", { MetricName })).toMatchObject({
      Namespace,
      Threshold,
      ComparisonOperator: "GreaterThanThreshold",
      TreatMissingData: "notBreaching",
      AlarmActions: [toA("Alerts")],
      OKActions: [toA("Alerts")],
    });
  });

  it("may tell the topic, which takes messages over TLS alone", () => {
    expect(findProperties(template, "AWS::SNS::TopicPolicy")).toMatchObject({
      PolicyDocument: {
        Statement: [
          {
            Effect: "Deny",
            Action: "sns:Publish",
            Condition: { Bool: { "aws:SecureTransport": "false" } },
          },
          {
            Effect: "Allow",
            Action: "sns:Publish",
            Principal: { Service: "cloudwatch.amazonaws.com" },
            Condition: { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } },
          },
        ],
      },
    });
  });

  it("is set for each network that is named, and tells by mail whom the operator names", async () => {
    const other = await synthesise({
      networks: "mainnet,testnet",
      alertEmail: "operator@rugwatch.example",
    });
    expect(Object.keys(other.findResources("AWS::CloudWatch::Alarm"))).toHaveLength(7);
    other.hasResourceProperties("AWS::SNS::Subscription", {
      Protocol: "email",
      Endpoint: "operator@rugwatch.example",
    });
    template.resourceCountIs("AWS::SNS::Subscription", 0);
  });
});

describe("the roles of GitHub's workflows", () => {
  it.each([
    ["GenerateRole", "repo:example/rugwatch:ref:refs/heads/main"],
    ["DeployRole", "repo:example/rugwatch:environment:production"],
  ])("are taken on by nobody else: %s", (role, subject) => {
    const [, found] = Object.entries(template.findResources("AWS::IAM::Role")).find(([id]) =>
      id.startsWith(role),
    )!;
    const issuer = "token.actions.githubusercontent.com";
    const StringEquals = { [`${issuer}:aud`]: "sts.amazonaws.com", [`${issuer}:sub`]: subject };
    expect((found["Properties"] as Properties)["AssumeRolePolicyDocument"]).toMatchObject({
      Statement: [
        { Effect: "Allow", Action: "sts:AssumeRoleWithWebIdentity", Condition: { StringEquals } },
      ],
    });
  });

  it("let the generator write its keys of both buckets, and delete no version", () => {
    const folders = ["api/v1/*", "feeds/*", "exports/*", "badges/*", "pages/*", "doctor-*"];
    const objects = ["State.Arn/*", ...folders.map((keys) => `Public.Arn/${keys}`)];
    const actions = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"];
    const lists = ["State.Arn", "Public.Arn"].map((bucket) => `Allow s3:ListBucket ${bucket}`);
    const writes = actions.flatMap((action) =>
      objects.map((object) => `Allow ${action} ${object}`),
    );
    expect(listPermissions(template, "GenerateRole").toSorted()).toEqual(
      [...writes, ...lists].toSorted(),
    );
  });

  it("let a deployment write the site and never a document, and nothing of the state", () => {
    const permissions = listPermissions(template, "DeployRole");
    // deploy.yml only copies files: no list, read or delete.
    const written = ["api/v1/*", "badges/*", "doctor-*", "exports/*", "feeds/*", "pages/*"];
    expect(permissions.filter((permission) => / s3:/.test(permission)).toSorted()).toEqual([
      "Allow s3:PutObject Public.Arn/*",
      ...written.map((keys) => `Deny s3:PutObject Public.Arn/${keys}`),
    ]);
    expect(
      permissions.filter((permission) => / \*$|:\*$|cloudformation:/.test(permission)),
    ).toEqual([]);
    const assumed = permissions.filter((permission) =>
      permission.startsWith("Allow sts:AssumeRole"),
    );
    expect(assumed).toHaveLength(3);
    for (const permission of assumed)
      expect(permission).toMatch(/:role\/cdk-\*-[a-z-]+-role-AWS::AccountId-us-east-1$/);
  });

  it("rest on the account's provider where it has one, since it can have no other", async () => {
    template.resourceCountIs("AWS::IAM::OIDCProvider", 1);
    const githubProviderArn =
      "arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com";
    const other = await synthesise({ githubProviderArn, branch: "release" });
    other.resourceCountIs("AWS::IAM::OIDCProvider", 0);
    const roles = JSON.stringify(other.findResources("AWS::IAM::Role"));
    expect(roles).toContain(githubProviderArn);
    expect(roles).toContain("refs/heads/release");
  });
});
