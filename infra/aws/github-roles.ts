import { Duration, Stack } from "aws-cdk-lib";
import type { Distribution } from "aws-cdk-lib/aws-cloudfront";
import {
  Effect,
  OidcProviderNative,
  OpenIdConnectPrincipal,
  PolicyStatement,
  Role,
} from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { FOLDERS } from "../../generator/contract/forms.ts";
import type { Settings } from "./settings.ts";

interface GitHubRolesOptions {
  state: Bucket;
  published: Bucket;
  distribution: Distribution;
  settings: Pick<Settings, "repository" | "branch" | "deployEnvironment" | "githubProviderArn">;
}

const ISSUER = "token.actions.githubusercontent.com";
const AUDIENCE = "sts.amazonaws.com";

/** With `generate doctor`'s trial object. */
const GENERATED = [...FOLDERS.map((folder) => `${folder}/*`), "doctor-*"];

/** From `cdk bootstrap`. */
const CDK_ROLES = ["deploy", "file-publishing", "lookup"];

/**
 * GitHub vouches for repository and branch or environment. Neither role may delete
 * versions. A deployer can change the whole stack: the environment needs rules.
 */
export function addGitHubRoles(
  scope: Construct,
  { state, published, distribution, settings }: GitHubRolesOptions,
) {
  const { repository, branch, deployEnvironment } = settings;
  const providerArn = settings.githubProviderArn ?? addProvider(scope);
  const addRole = (
    id: string,
    { description, subject }: { description: string; subject: string },
  ) =>
    new Role(scope, id, {
      description,
      assumedBy: toPrincipal(scope, id, { providerArn, subject }),
      maxSessionDuration: Duration.hours(1),
    });

  const generate = addRole("GenerateRole", {
    description: "Lets the generator's workflow read and write journal and documents",
    subject: `repo:${repository}:ref:refs/heads/${branch}`,
  });
  for (const statement of toGenerateStatements(state, published)) generate.addToPolicy(statement);

  const deploy = addRole("DeployRole", {
    description: "Lets a workflow deploy stack and site",
    subject: `repo:${repository}:environment:${deployEnvironment}`,
  });
  for (const statement of toDeployStatements(published, distribution))
    deploy.addToPolicy(statement);
  return { generate, deploy };
}

function addProvider(scope: Construct): string {
  const provider = new OidcProviderNative(scope, "GitHub", {
    url: `https://${ISSUER}`,
    clientIds: [AUDIENCE],
  });
  return provider.oidcProviderArn;
}

function toPrincipal(
  scope: Construct,
  id: string,
  { providerArn, subject }: { providerArn: string; subject: string },
) {
  const provider = OidcProviderNative.fromOidcProviderArn(scope, `${id}Provider`, providerArn);
  const conditions = { StringEquals: { [`${ISSUER}:aud`]: AUDIENCE, [`${ISSUER}:sub`]: subject } };
  return new OpenIdConnectPrincipal(provider, conditions);
}

function toGenerateStatements(state: Bucket, published: Bucket): PolicyStatement[] {
  const objectActions = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"];
  return [
    new PolicyStatement({
      actions: objectActions,
      resources: [
        state.arnForObjects("*"),
        ...GENERATED.map((keys) => published.arnForObjects(keys)),
      ],
    }),
    new PolicyStatement({
      actions: ["s3:ListBucket"],
      resources: [state.bucketArn, published.bucketArn],
    }),
  ];
}

/** deploy.yml puts the site's files, never documents, and invalidates pages. */
function toDeployStatements(published: Bucket, distribution: Distribution): PolicyStatement[] {
  const { partition, account, region } = Stack.of(published);
  const cdkRoles = CDK_ROLES.map(
    (name) => `arn:${partition}:iam::${account}:role/cdk-*-${name}-role-${account}-${region}`,
  );
  return [
    new PolicyStatement({ actions: ["sts:AssumeRole"], resources: cdkRoles }),
    new PolicyStatement({ actions: ["s3:PutObject"], resources: [published.arnForObjects("*")] }),
    new PolicyStatement({
      effect: Effect.DENY,
      actions: ["s3:PutObject"],
      resources: GENERATED.map((keys) => published.arnForObjects(keys)),
    }),
    new PolicyStatement({
      actions: ["cloudfront:CreateInvalidation"],
      resources: [distribution.distributionArn],
    }),
  ];
}
