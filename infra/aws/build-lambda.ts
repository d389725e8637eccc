import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";

// node infra/aws/build-lambda.ts: bundles the Lambda functions into infra/dist/lambda/.

const HOUSE = join(import.meta.dirname, "../..");

const LAMBDA_DIRECTORY = join(HOUSE, "infra/dist/lambda");

const ENTRIES = {
  /** Handler: `lambda.handler`. */
  proxy: "proxy/lambda.ts",
  /** Handler: `handler.handler`. */
  freshness: "infra/aws/freshness/handler.ts",
} as const;

type LambdaName = keyof typeof ENTRIES;

/** Bundles every Lambda function, and returns the directory of each. */
export async function buildLambda(
  directory = LAMBDA_DIRECTORY,
): Promise<Record<LambdaName, string>> {
  const names = Object.keys(ENTRIES) as LambdaName[];
  const built = await Promise.all(
    names.map(async (name) => [name, await bundle(name, directory)] as const),
  );
  return Object.fromEntries(built) as Record<LambdaName, string>;
}

async function bundle(name: LambdaName, directory: string): Promise<string> {
  const outDir = join(directory, name);
  await build({
    configFile: false,
    root: HOUSE,
    logLevel: "warn",
    publicDir: false,
    // Lambda has none of our packages.
    ssr: { noExternal: true, target: "node" },
    build: {
      ssr: ENTRIES[name],
      outDir,
      emptyOutDir: true,
      target: "node24",
      minify: true,
      rolldownOptions: {
        // Marks modules without a package.json.
        output: { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
      },
    },
  });
  return outDir;
}

async function countBytes(directory: string): Promise<number> {
  const files = await readdir(directory);
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(directory, file))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

if (import.meta.main) {
  for (const directory of Object.values(await buildLambda()))
    process.stdout.write(`Wrote ${directory} (${await countBytes(directory)} bytes).\n`);
}
