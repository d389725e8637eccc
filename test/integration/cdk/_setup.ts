import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { onTestFinished } from "vitest";
import { readSettings } from "../../../infra/aws/settings.ts";
import { createStack } from "../../../infra/aws/stack.ts";
import { buildEdgeFunction } from "../../../infra/aws/edge-function.ts";

export const HOUSE = join(import.meta.dirname, "../../..");

export type Properties = Record<string, unknown>;

interface Resource {
  Type: string;
  Properties: Properties;
  DeletionPolicy?: string;
}

export async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-aws-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

// Validation takes ten seconds; cli.test.ts runs it with the real command.
process.env["CDK_VALIDATION"] = "false";

export async function synthesise(context: Record<string, string> = {}): Promise<Template> {
  const { context: house } = JSON.parse(await readFile(join(HOUSE, "cdk.json"), "utf8")) as {
    context: Properties;
  };
  const outdir = await mkdtemp(join(tmpdir(), "rugwatch-synth-"));
  try {
    const app = new App({
      outdir,
      context: { ...house, repository: "example/rugwatch", ...context },
    });
    // Bundles are tested where they run; any folder describes the stack.
    const anyDirectory = join(HOUSE, "infra/aws/freshness");
    const stack = createStack(
      app,
      readSettings(app.node.getAllContext() as Record<string, unknown>),
      {
        edgeFunction: buildEdgeFunction(),
        proxyDirectory: anyDirectory,
        freshnessDirectory: anyDirectory,
      },
    );
    return Template.fromStack(stack);
  } finally {
    await rm(outdir, { recursive: true });
  }
}

export function findProperties(
  template: Template,
  type: string,
  matching: Properties = {},
): Properties {
  const found = Object.values(template.findResources(type, { Properties: matching })) as Resource[];
  if (found.length !== 1)
    throw new Error(
      `There are ${found.length} resources ${type} like ${JSON.stringify(matching)}.`,
    );
  return found[0]!.Properties;
}

/** Properties of the resource behind `{ Ref: ID }` or `{ "Fn::GetAtt": [ID, …] }`. */
export function follow(template: Template, reference: unknown): Properties {
  const { Ref, "Fn::GetAtt": attribute } = reference as {
    Ref?: string;
    "Fn::GetAtt"?: [string, string];
  };
  const { Resources } = template.toJSON() as { Resources: Record<string, Resource> };
  return Resources[Ref ?? attribute?.[0] ?? ""]!.Properties;
}

/** Permissions of roles whose logical id begins so, a line each: `Allow s3:GetObject RESOURCE`. */
export function listPermissions(template: Template, role: string): string[] {
  const policies = Object.values(template.findResources("AWS::IAM::Policy")) as Resource[];
  const isOfRole = ({ Properties }: Resource) =>
    JSON.stringify(Properties["Roles"]).includes(`"${role}`);
  return policies.filter(isOfRole).flatMap(({ Properties }) => {
    const { Statement } = Properties["PolicyDocument"] as { Statement: Statement[] };
    return Statement.flatMap(({ Effect, Action, Resource }) =>
      [Action]
        .flat()
        .flatMap((action) => [Resource].flat().map((one) => `${Effect} ${action} ${toText(one)}`)),
    );
  });
}

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: object | string | (object | string)[];
}

/** `{ "Fn::Join": ["", [{ "Fn::GetAtt": ["State1234ABCD", "Arn"] }, "/*"]] }` as `State.Arn/*`. */
function toText(value: unknown): string {
  if (typeof value === "string") return value;
  const made = value as {
    Ref?: string;
    "Fn::Join"?: [string, unknown[]];
    "Fn::GetAtt"?: [string, string];
  };
  const { Ref, "Fn::Join": joined, "Fn::GetAtt": attribute } = made;
  if (joined !== undefined) return joined[1].map(toText).join(joined[0]);
  if (attribute !== undefined) return `${withoutHash(attribute[0])}.${attribute[1]}`;
  return withoutHash(Ref ?? JSON.stringify(value));
}

function withoutHash(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, "");
}
