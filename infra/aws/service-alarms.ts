import { Duration } from "aws-cdk-lib";
import { ComparisonOperator, Metric, Stats, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Distribution } from "aws-cdk-lib/aws-cloudfront";
import type { Function } from "aws-cdk-lib/aws-lambda";
import type { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";

interface ServiceAlarmsOptions {
  proxy: Function;
  distribution: Distribution;
  /** Whom the alarms tell. */
  topic: Topic;
}

const PERIOD = Duration.minutes(5);
/** Of a period. */
const PROXY_ERRORS_MAX = 10;
/** Of all answers of a period. */
const SERVER_ERRORS_MAX_PERCENT = 5;
/** A single failure among few requests is no trouble. */
const PERIODS_BAD = 2;
/** About twice a month's cost (README), of the whole account. */
const COST_MAX_DOLLARS = 100;
/** AWS publishes the metric every six hours. */
const COST_PERIOD = Duration.hours(6);

/** Alarms on the proxy's errors, on answers of 5xx, and on the account's cost of the month. */
export function addServiceAlarms(
  scope: Construct,
  { proxy, distribution, topic }: ServiceAlarmsOptions,
): void {
  const alarms = [
    proxy
      .metricErrors({ period: PERIOD })
      .createAlarm(scope, "ProxyErrors", {
        ...toBadPeriods("The proxy's function fails. Read its log."),
        threshold: PROXY_ERRORS_MAX,
      }),
    distribution
      .metric5xxErrorRate({ period: PERIOD })
      .createAlarm(scope, "ServerErrors", {
        ...toBadPeriods("Readers get errors of the server. Look at the proxy and the buckets."),
        threshold: SERVER_ERRORS_MAX_PERCENT,
      }),
    toCostMetric().createAlarm(scope, "Cost", {
      ...toBadPeriods("The account costs more this month than expected. See Cost Explorer."),
      threshold: COST_MAX_DOLLARS,
      evaluationPeriods: 1,
    }),
  ];
  for (const alarm of alarms) {
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
  }
}

/** Only where the account's billing preferences turn billing alerts on is there a metric. */
function toCostMetric(): Metric {
  return new Metric({
    namespace: "AWS/Billing",
    metricName: "EstimatedCharges",
    dimensionsMap: { Currency: "USD" },
    statistic: Stats.MAXIMUM,
    period: COST_PERIOD,
  });
}

/** Where nobody asks, nothing is measured, and all is well. */
function toBadPeriods(alarmDescription: string) {
  return {
    alarmDescription: `${alarmDescription} Then follow infra/RUNBOOK.md.`,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: PERIODS_BAD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  };
}
