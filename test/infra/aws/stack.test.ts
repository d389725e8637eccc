import { describe, expect, it } from "vitest";
import { synthesise } from "./_setup.ts";

describe("the stack", () => {
  it("names what the workflows and the operator need", async () => {
    const template = await synthesise();
    expect(Object.keys(template.findOutputs("*")).toSorted()).toEqual([
      "AlertsTopicArn",
      "CdnName",
      "DeployRoleArn",
      "DistributionId",
      "GenerateRoleArn",
      "PublicBucketName",
      "SiteUrl",
      "StateBucketName",
    ]);
  });
});
