import { Duration, SecretValue } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Code,
  Function,
  FunctionUrlAuthType,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  type FunctionUrl,
} from "aws-cdk-lib/aws-lambda";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { FOLDERS } from "../../generator/contract/forms.ts";
import { NETWORKS } from "../../generator/contract/networks.ts";
import { addLogGroup } from "./logs.ts";
import type { Settings } from "./settings.ts";

interface ProxyFunctionOptions {
  bucket: Bucket;
  directory: string;
  settings: Pick<Settings, "networks" | "rateLimitPerMinute" | "proxyConcurrency" | "rpcSecretArn">;
}

/** Index, search table and cached answers; CPU grows with it. */
const MEMORY_MEGABYTES = 1_024;
/** The proxy gives up on store or cluster after 5 s. */
const TIMEOUT = Duration.seconds(15);

/** The URL takes only requests that CloudFront signed. */
const TRUST_PROXY = "cloudfront:0.0.0.0/0,::/0";

/** Adds the proxy as a Lambda function that only CloudFront may call. */
export function addProxyFunction(
  scope: Construct,
  { bucket, directory, settings }: ProxyFunctionOptions,
): { proxy: Function; url: FunctionUrl } {
  const { rateLimitPerMinute, proxyConcurrency } = settings;
  const proxy = new Function(scope, "Proxy", {
    description: "Rugwatch: answers queries, and what the bucket lacks",
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(directory),
    handler: "lambda.handler",
    memorySize: MEMORY_MEGABYTES,
    timeout: TIMEOUT,
    ...(proxyConcurrency !== null && { reservedConcurrentExecutions: proxyConcurrency }),
    environment: {
      RUGWATCH_PUBLIC: `s3://${bucket.bucketName}`,
      TRUST_PROXY,
      RATE_LIMIT_PER_MINUTE: String(rateLimitPerMinute),
      ...toRpcVariables(settings),
    },
    logGroup: addLogGroup(scope, "ProxyLog"),
    // Three log lines per request would cost more than it.
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
  });
  allowReading(proxy, bucket);
  return { proxy, url: proxy.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM }) };
}

/** Without listing, S3 answers 403 for a missing object, like for a fault. */
function allowReading(proxy: Function, bucket: Bucket): void {
  const objects = FOLDERS.map((folder) => bucket.arnForObjects(`${folder}/*`));
  proxy.addToRolePolicy(new PolicyStatement({ actions: ["s3:GetObject"], resources: objects }));
  proxy.addToRolePolicy(
    new PolicyStatement({ actions: ["s3:ListBucket"], resources: [bucket.bucketArn] }),
  );
}

/** CloudFormation resolves those of the secret: the template shows no keys. */
function toRpcVariables({
  networks,
  rpcSecretArn,
}: Pick<Settings, "networks" | "rpcSecretArn">): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const network of NETWORKS) {
    const name = `${network.toUpperCase()}_RPC_URLS`;
    if (!networks.includes(network)) variables[name] = "none";
    else if (rpcSecretArn !== null)
      variables[name] = SecretValue.secretsManager(rpcSecretArn, {
        jsonField: name,
      }).unsafeUnwrap();
  }
  return variables;
}
