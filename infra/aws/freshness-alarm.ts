import { Aws, Duration } from "aws-cdk-lib";
import {
  Alarm,
  ComparisonOperator,
  Metric,
  Stats,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { Rule, RuleTargetInput, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, Code, Function, Runtime } from "aws-cdk-lib/aws-lambda";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";
import type { Network } from "../../generator/contract/networks.ts";
import { METRICS, type Input } from "./freshness/measure.ts";
import { addLogGroup } from "./logs.ts";
import type { Settings } from "./settings.ts";

interface FreshnessAlarmOptions {
  siteUrl: string;
  directory: string;
  settings: Pick<Settings, "networks" | "alertEmail">;
}

const PERIOD = Duration.minutes(1);
/** Three missed snapshots. */
const OLD_AFTER = Duration.minutes(30);
/** With the five minutes after which an observation is late, ten until somebody is told. */
const PERIODS_BAD = 4;

/** Alarms on the age of what is published, and on what its status names. Missing data alarms too. */
export function addFreshnessAlarm(scope: Construct, options: FreshnessAlarmOptions): Topic {
  const { networks, alertEmail } = options.settings;
  addMeasuring(scope, options);
  const topic = addTopic(scope);
  if (alertEmail !== null) topic.addSubscription(new EmailSubscription(alertEmail));
  for (const network of networks) {
    for (const alarm of [addAgeAlarm(scope, network), addProblemsAlarm(scope, network)]) {
      alarm.addAlarmAction(new SnsAction(topic));
      alarm.addOkAction(new SnsAction(topic));
    }
  }
  return topic;
}

function addMeasuring(
  scope: Construct,
  { siteUrl, directory, settings }: FreshnessAlarmOptions,
): void {
  const measuring = new Function(scope, "Freshness", {
    description: "Rugwatch: measures the age of the published data",
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(directory),
    handler: "handler.handler",
    memorySize: 256,
    timeout: Duration.seconds(30),
    // The next run is soon enough.
    retryAttempts: 0,
    logGroup: addLogGroup(scope, "FreshnessLog"),
  });
  const input: Input = { siteUrl, networks: settings.networks };
  new Rule(scope, "FreshnessSchedule", {
    description: "Rugwatch: starts the measurement of the data's age",
    schedule: Schedule.rate(PERIOD),
    targets: [
      new LambdaFunction(measuring, { event: RuleTargetInput.fromObject(input), retryAttempts: 0 }),
    ],
  });
}

/** CloudWatch cannot use the SNS key, and the message is public. */
function addTopic(scope: Construct): Topic {
  const topic = new Topic(scope, "Alerts", { displayName: "Rugwatch", enforceSSL: true });
  // By default the whole account may publish.
  const ofThisAccount = { StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID } };
  const principals = [new ServicePrincipal("cloudwatch.amazonaws.com")];
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals,
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: ofThisAccount,
    }),
  );
  return topic;
}

function addAgeAlarm(scope: Construct, network: Network): Alarm {
  return new Alarm(scope, `Old-${network}`, {
    alarmDescription:
      `The newest accepted observation of ${network}, or the newest snapshot that is published, is over ` +
      `${OLD_AFTER.toMinutes()} minutes old, or nobody can read them. ` +
      "Look at the generator's last run and at /api/v1/status, then follow infra/RUNBOOK.md.",
    metric: toMetric(METRICS.age, network),
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    threshold: OLD_AFTER.toSeconds(),
    evaluationPeriods: PERIODS_BAD,
    treatMissingData: TreatMissingData.BREACHING,
  });
}

/** Where nothing is measured, the age alarms. */
function addProblemsAlarm(scope: Construct, network: Network): Alarm {
  return new Alarm(scope, `Problems-${network}`, {
    alarmDescription:
      `Something in the status of ${network} needs you: nothing accepted for five minutes, an entry ` +
      "that cannot be read, too few endpoints that answer, or a change that stays pending. " +
      "See observedAt, quarantined, sources and pending of /api/v1/status, then follow infra/RUNBOOK.md.",
    metric: toMetric(METRICS.problems, network),
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    threshold: 0,
    evaluationPeriods: PERIODS_BAD,
    treatMissingData: TreatMissingData.IGNORE,
  });
}

function toMetric(metricName: string, network: Network): Metric {
  return new Metric({
    namespace: METRICS.namespace,
    metricName,
    dimensionsMap: { [METRICS.dimension]: network },
    statistic: Stats.MAXIMUM,
    period: PERIOD,
  });
}
