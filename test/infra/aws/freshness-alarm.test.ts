import type { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import { findProperties, synthesise } from "./_setup.ts";

let template: Template;

beforeAll(async () => {
  template = await synthesise();
});

describe("the alarm", () => {
  it("sounds when the data is half an hour old, or when nobody can say how old", () => {
    expect(findProperties(template, "AWS::CloudWatch::Alarm")).toMatchObject({
      Namespace: "Rugwatch",
      MetricName: "AgeSeconds",
      Dimensions: [{ Name: "network", Value: "mainnet" }],
      Statistic: "Maximum",
      ComparisonOperator: "GreaterThanThreshold",
      Threshold: 1_800,
      Period: 300,
      EvaluationPeriods: 2,
      TreatMissingData: "breaching",
      AlarmActions: [{ Ref: expect.stringMatching(/^Alerts/) as string }],
      OKActions: [{ Ref: expect.stringMatching(/^Alerts/) as string }],
    });
  });

  it("measures every five minutes what a reader of the site gets", () => {
    const rule = findProperties(template, "AWS::Events::Rule");
    expect(rule).toMatchObject({ ScheduleExpression: "rate(5 minutes)", State: "ENABLED" });
    const [target] = rule["Targets"] as { Input: { "Fn::Join": [string, unknown[]] } }[];
    expect(JSON.stringify(target!.Input)).toMatch(/https:\/\/.*Cdn.*DomainName.*networks.*mainnet/);
  });

  it("may tell the topic, which takes messages over TLS alone", () => {
    expect(findProperties(template, "AWS::SNS::TopicPolicy")).toMatchObject({
      PolicyDocument: {
        Statement: [
          { Effect: "Deny", Action: "sns:Publish", Condition: { Bool: { "aws:SecureTransport": "false" } } },
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
    const other = await synthesise({ networks: "mainnet,testnet", alertEmail: "operator@rugwatch.example" });
    expect(Object.keys(other.findResources("AWS::CloudWatch::Alarm"))).toHaveLength(2);
    other.hasResourceProperties("AWS::SNS::Subscription", { Protocol: "email", Endpoint: "operator@rugwatch.example" });
    template.resourceCountIs("AWS::SNS::Subscription", 0);
  });
});
