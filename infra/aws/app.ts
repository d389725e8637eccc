import { App } from "aws-cdk-lib";
import { buildEdgeFunction } from "./edge-function.ts";
import { buildLambda } from "./build-lambda.ts";
import { readSettings, SettingsError } from "./settings.ts";
import { createStack } from "./stack.ts";

// Builds all code anew: nothing old gets deployed.

const app = new App();
try {
  const settings = readSettings(app.node.getAllContext() as Record<string, unknown>);
  const { proxy, freshness } = await buildLambda();
  createStack(app, settings, {
    edgeFunction: buildEdgeFunction(),
    proxyDirectory: proxy,
    freshnessDirectory: freshness,
  });
  app.synth();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
