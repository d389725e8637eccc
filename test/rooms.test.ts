import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";

const eslint = new ESLint({
  ruleFilter: ({ ruleId }) => ruleId === "no-restricted-imports",
  // This rule asks for no types, and those of the whole project take long to load.
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
});

/** Whether the lint rules let a file import a specifier. */
async function mayImport(file: string, specifier: string): Promise<boolean> {
  const [result] = await eslint.lintText(`import "${specifier}";\n`, { filePath: file });
  return result?.messages.length === 0;
}

describe("who may import whom", () => {
  it.each([
    ["generator/contract/values.ts", "../ledger/entry.ts", false],
    ["generator/chain/transaction.ts", "../contract/values.ts", true],
    ["generator/chain/transaction.ts", "../observe/rpc.ts", false],
    ["generator/chain/transaction.ts", "../ledger/entry.ts", false],
    ["generator/ledger/fold.ts", "../contract/event.ts", true],
    ["generator/ledger/fold.ts", "../chain/transaction.ts", true],
    ["generator/ledger/fold.ts", "../journal/journal.ts", false],
    ["generator/ledger/fold.ts", "../documents/render.ts", false],
    ["generator/documents/render.ts", "../ledger/ledger.ts", true],
    ["generator/documents/render.ts", "../store/store.ts", false],
    ["generator/documents/render.ts", "../chain/transaction.ts", false],
    ["generator/observe/rpc.ts", "../ledger/entry.ts", true],
    ["generator/observe/vote-account.ts", "../chain/programs.ts", true],
    ["generator/observe/mev/mev.ts", "../../chain/public-key.ts", true],
    ["generator/journal/journal.ts", "../chain/transaction.ts", false],
    ["generator/commands/backfill.ts", "../chain/transaction.ts", true],
    ["generator/demo/cluster.ts", "../chain/transaction.ts", true],
    ["generator/observe/rpc.ts", "../ledger/fold.ts", false],
    ["generator/observe/stakes/stake-whole.ts", "../rpc.ts", true],
    ["generator/observe/stakes/stake-whole.ts", "../transport/rpc-error.ts", true],
    ["generator/observe/stakes/stake-whole.ts", "../../ledger/entry.ts", true],
    ["generator/observe/stakes/stake-whole.ts", "../../ledger/fold.ts", false],
    ["generator/observe/stakes/stake-whole.ts", "../../config.ts", false],
    ["generator/commands/doctor/stores.ts", "../../demo/cluster.ts", false],
    ["generator/journal/journal.ts", "../ledger/ledger.ts", false],
    ["generator/journal/checkpoints.ts", "../ledger/ledger.ts", true],
    ["generator/store/files.ts", "../journal/names.ts", false],
    ["generator/publish/publish.ts", "../documents/render.ts", false],
    ["generator/publish/publish.ts", "../commands/report.ts", false],
    ["generator/demo/cluster.ts", "../ledger/fold.ts", false],
    ["generator/commands/run.ts", "../demo/cluster.ts", false],
    ["generator/commands/demo.ts", "../demo/cluster.ts", true],
    ["proxy/app.ts", "../generator/contract/openapi.ts", true],
    ["proxy/app.ts", "../generator/store/open.ts", false],
    ["proxy/app.ts", "../generator/observe/observation.ts", false],
    ["proxy/main.ts", "../generator/store/open.ts", true],
    ["proxy/routes/epoch.ts", "../../generator/ledger/fold.ts", false],
    ["infra/edge/build.ts", "../../generator/contract/endpoints.ts", true],
    ["infra/aws/app.ts", "../edge/build.ts", true],
    ["infra/edge/build.ts", "../../proxy/http/parameters.ts", false],
    ["infra/buckets.ts", "../proxy/server.ts", false],
    ["infra/aws/app.ts", "../../generator/store/open.ts", false],
    ["proxy/app.ts", "../infra/edge/build.ts", false],
  ])("%s importing %s is allowed: %s", async (file, specifier, allowed) => {
    expect(await mayImport(file, specifier)).toBe(allowed);
  });
});
