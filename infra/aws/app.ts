import { App } from "aws-cdk-lib";
import { buildEdgeFunction } from "../edge/build.ts";
import { buildLambda } from "./build-lambda.ts";
import { readSettings, SettingsError } from "./settings.ts";
import { createStack } from "./stack.ts";

// What `cdk synth` and `cdk deploy` run (cdk.json). All code is built anew each time, so that nothing old is deployed.

const app = new App();
try {
  const settings = readSettings((name) => app.node.tryGetContext(name) as unknown);
  const [edgeFunction, { proxy, freshness }] = await Promise.all([buildEdgeFunction(settings), buildLambda()]);
  createStack(app, settings, { edgeFunction, proxyDirectory: proxy, freshnessDirectory: freshness });
  app.synth();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
