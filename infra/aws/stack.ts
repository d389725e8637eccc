import { CfnOutput, Stack, type App } from "aws-cdk-lib";
import { addPublicBucket, addStateBucket } from "./buckets.ts";
import { addDistribution } from "./distribution.ts";
import { addFirewall } from "./firewall.ts";
import { addFreshnessAlarm } from "./freshness-alarm.ts";
import { addGitHubRoles } from "./github-roles.ts";
import { toOrigins } from "./origins.ts";
import { addProxyFunction } from "./proxy-function.ts";
import { addServiceAlarms } from "./service-alarms.ts";
import type { Settings } from "./settings.ts";

interface Artefacts {
  /** Source code of the edge function; the others are bundles. */
  edgeFunction: string;
  proxyDirectory: string;
  freshnessDirectory: string;
}

/** CloudFront's firewall and certificates must be here. */
const REGION = "us-east-1";

/** Makes the whole stack. */
export function createStack(app: App, settings: Settings, artefacts: Artefacts): Stack {
  const stack = new Stack(app, "Rugwatch", {
    description: "Rugwatch: commission changes of Solana validators",
    env: { region: REGION },
    terminationProtection: true,
  });
  const state = addStateBucket(stack);
  const published = addPublicBucket(stack);
  const { proxy, url: proxyUrl } = addProxyFunction(stack, {
    bucket: published,
    directory: artefacts.proxyDirectory,
    settings,
  });
  const distribution = addDistribution(stack, {
    origins: toOrigins({ bucket: published, proxyUrl }),
    firewall: addFirewall(stack, settings),
    edgeFunction: artefacts.edgeFunction,
    settings,
  });
  const siteUrl = `https://${settings.domain?.name ?? distribution.distributionDomainName}`;
  const alerts = addFreshnessAlarm(stack, {
    siteUrl,
    directory: artefacts.freshnessDirectory,
    settings,
  });
  addServiceAlarms(stack, { proxy, distribution, topic: alerts });
  const roles = addGitHubRoles(stack, { state, published, distribution, settings });

  addOutputs(stack, {
    SiteUrl: [siteUrl, "Set it as the repository's variable RUGWATCH_SITE_URL"],
    CdnName: [
      distribution.distributionDomainName,
      "Point your domain's CNAME or alias record here",
    ],
    DistributionId: [
      distribution.distributionId,
      "deploy.yml invalidates the pages of this distribution",
    ],
    PublicBucketName: [
      published.bucketName,
      "Set it as variable RUGWATCH_PUBLIC, with s3:// in front",
    ],
    StateBucketName: [state.bucketName, "Set it as variable RUGWATCH_STATE, with s3:// in front"],
    GenerateRoleArn: [roles.generate.roleArn, "Set it as variable AWS_GENERATE_ROLE_ARN"],
    DeployRoleArn: [roles.deploy.roleArn, "Set it as variable AWS_DEPLOY_ROLE_ARN"],
    AlertsTopicArn: [alerts.topicArn, "Subscribe to it to hear of the alarms"],
  });
  return stack;
}

function addOutputs(
  stack: Stack,
  outputs: Record<string, [value: string, description: string]>,
): void {
  for (const [name, [value, description]] of Object.entries(outputs))
    new CfnOutput(stack, `Output${name}`, { value, description }).overrideLogicalId(name);
}
