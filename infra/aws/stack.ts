import { CfnOutput, Stack, type App } from "aws-cdk-lib";
import { addPublicBucket, addStateBucket } from "./buckets.ts";
import { addDistribution } from "./distribution.ts";
import { addFirewall } from "./firewall.ts";
import { addFreshnessAlarm } from "./freshness-alarm.ts";
import { addGitHubRoles } from "./github-roles.ts";
import { toOrigins } from "./origins.ts";
import { addProxyFunction } from "./proxy-function.ts";
import type { Settings } from "./settings.ts";

/** What is built before the stack can be described. */
export interface Artefacts {
  /** Source of the edge function. */
  edgeFunction: string;
  /** Directory of the proxy's bundle. */
  proxyDirectory: string;
  /** Directory of the bundle that measures the data's age. */
  freshnessDirectory: string;
}

/**
 * All in the region where CloudFront's firewall and certificates must be: one stack, deployed as a whole, and nothing that must
 * find its way from one region to the other. Readers are served from where they are in any case.
 */
export const REGION = "us-east-1";

/** Rugwatch on AWS: state and public documents in two buckets, a CDN before them, the proxy behind it, and who watches it. */
export function createStack(app: App, settings: Settings, artefacts: Artefacts): Stack {
  const stack = new Stack(app, "Rugwatch", {
    description: "Rugwatch: commission changes of Solana validators",
    env: { region: REGION },
    terminationProtection: true,
  });
  const state = addStateBucket(stack);
  const published = addPublicBucket(stack);
  const proxyUrl = addProxyFunction(stack, { bucket: published, directory: artefacts.proxyDirectory, settings });
  const distribution = addDistribution(stack, {
    origins: toOrigins({ bucket: published, proxyUrl }),
    firewall: addFirewall(stack, settings),
    edgeFunction: artefacts.edgeFunction,
    settings,
  });
  const siteUrl = `https://${settings.domain?.name ?? distribution.distributionDomainName}`;
  const alerts = addFreshnessAlarm(stack, { siteUrl, directory: artefacts.freshnessDirectory, settings });
  const roles = addGitHubRoles(stack, { state, published, distribution, settings });

  addOutputs(stack, {
    SiteUrl: [siteUrl, "where it is; variable RUGWATCH_SITE_URL of the repository"],
    CdnName: [distribution.distributionDomainName, "what the domain's CNAME or alias record names"],
    DistributionId: [distribution.distributionId, "whose pages are invalidated after a deployment"],
    PublicBucketName: [published.bucketName, "variable RUGWATCH_PUBLIC, with s3:// before it"],
    StateBucketName: [state.bucketName, "variable RUGWATCH_STATE, with s3:// before it"],
    GenerateRoleArn: [roles.generate.roleArn, "variable AWS_GENERATE_ROLE_ARN"],
    DeployRoleArn: [roles.deploy.roleArn, "variable AWS_DEPLOY_ROLE_ARN"],
    AlertsTopicArn: [alerts.topicArn, "subscribe to it to be told when the data is old"],
  });
  return stack;
}

function addOutputs(stack: Stack, outputs: Record<string, [value: string, description: string]>): void {
  for (const [name, [value, description]] of Object.entries(outputs))
    new CfnOutput(stack, `Output${name}`, { value, description }).overrideLogicalId(name);
}
