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
import { rpcUrlVariables } from "../../generator/settings/variables.ts";
import { addLogGroup } from "./logs.ts";
import type { Settings } from "./settings.ts";

interface ProxyFunctionOptions {
  bucket: Bucket;
  /** Directory of the bundle, as build-lambda.ts makes it. */
  directory: string;
  settings: Pick<Settings, "rateLimitPerMinute" | "proxyConcurrency" | "rpcSecretArn">;
}

/** An index of planning size, its search table and the answers kept; CPU comes in proportion. */
const MEMORY_MEGABYTES = 1_024;
/** The proxy itself gives up on the store after five seconds, and on a cluster. */
const TIMEOUT = Duration.seconds(15);

/**
 * Whoever sends a request is CloudFront, since its URL takes none but the distribution's signed ones: so every sender is believed
 * in what it says of the viewer.
 */
const TRUST_PROXY = "cloudfront:0.0.0.0/0,::/0";

/** The proxy on AWS Lambda, behind a URL that only the distribution may call. */
export function addProxyFunction(scope: Construct, { bucket, directory, settings }: ProxyFunctionOptions): FunctionUrl {
  const { rateLimitPerMinute, proxyConcurrency, rpcSecretArn } = settings;
  const proxy = new Function(scope, "Proxy", {
    description: "Rugwatch: what depends on a query, and what the bucket does not hold",
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
      ...(rpcSecretArn !== null && toRpcVariables(rpcSecretArn)),
    },
    logGroup: addLogGroup(scope, "ProxyLog"),
    // Of each request there would be three lines else, which say nothing and cost more than it.
    loggingFormat: LoggingFormat.JSON,
    systemLogLevelV2: SystemLogLevel.WARN,
  });
  allowReading(proxy, bucket);
  return proxy.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM });
}

/** The whole list may be read too: who may not is told 403 of what is missing, and could not tell that from a fault. */
function allowReading(proxy: Function, bucket: Bucket): void {
  const objects = FOLDERS.map((folder) => bucket.arnForObjects(`${folder}/*`));
  proxy.addToRolePolicy(new PolicyStatement({ actions: ["s3:GetObject"], resources: objects }));
  proxy.addToRolePolicy(new PolicyStatement({ actions: ["s3:ListBucket"], resources: [bucket.bucketArn] }));
}

/** References that CloudFormation resolves: addresses of endpoints may hold keys, and the template shows none. */
function toRpcVariables(secretArn: string): Record<string, string> {
  const toReference = (jsonField: string) => SecretValue.secretsManager(secretArn, { jsonField }).unsafeUnwrap();
  return Object.fromEntries(Object.keys(rpcUrlVariables).map((name) => [name, toReference(name)]));
}
