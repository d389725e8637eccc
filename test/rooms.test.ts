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
    ["generator/contract/values.ts", "../entries/entry.ts", false],
    ["generator/chain/transaction.ts", "../contract/values.ts", false],
    ["generator/entries/entry.ts", "../contract/values.ts", true],
    ["generator/entries/entry.ts", "../ledger/ledger.ts", false],
    ["generator/settings/settings.ts", "../contract/networks.ts", true],
    ["generator/settings/settings.ts", "../store/open.ts", false],
    ["generator/rpc/ranking.ts", "../contract/networks.ts", true],
    ["generator/rpc/ranking.ts", "../entries/entry.ts", false],
    ["generator/rpc/ranking.ts", "../observe/observation.ts", false],
    ["generator/ledger/fold.ts", "../contract/event.ts", true],
    ["generator/ledger/fold.ts", "../chain/transaction.ts", true],
    ["generator/ledger/fold.ts", "../entries/entry.ts", true],
    ["generator/ledger/fold.ts", "../journal/journal.ts", false],
    ["generator/ledger/fold.ts", "../documents/render.ts", false],
    ["generator/documents/render.ts", "../ledger/ledger.ts", true],
    ["generator/documents/render.ts", "../entries/entry.ts", false],
    ["generator/documents/render.ts", "../store/store.ts", false],
    ["generator/documents/render.ts", "../chain/transaction.ts", false],
    ["generator/observe/snapshot.ts", "../entries/entry.ts", true],
    ["generator/observe/vote-account.ts", "../chain/program-address.ts", true],
    ["generator/observe/snapshot.ts", "../ledger/fold.ts", false],
    ["generator/observe/stakes/stake-whole.ts", "../../rpc/rpc.ts", true],
    ["generator/observe/stakes/stake-whole.ts", "../snapshot.ts", true],
    ["generator/observe/stakes/stake-whole.ts", "../../ledger/fold.ts", false],
    ["generator/observe/stakes/stake-whole.ts", "../../settings/settings.ts", false],
    ["generator/journal/journal.ts", "../chain/transaction.ts", false],
    ["generator/journal/journal.ts", "../entries/entry.ts", true],
    ["generator/journal/checkpoints.ts", "../ledger/ledger.ts", false],
    ["generator/store/files.ts", "../journal/names.ts", false],
    ["generator/publish/publish.ts", "../documents/render.ts", false],
    ["generator/publish/publish.ts", "../service/report.ts", false],
    ["generator/service/run.ts", "../ledger/fold.ts", true],
    ["generator/service/run.ts", "../commands/complaint.ts", false],
    ["generator/service/run.ts", "../../infra/demo/demo.ts", false],
    ["generator/commands/complaint.ts", "../service/report.ts", true],
    ["generator/commands/complaint.ts", "../../proxy/server.ts", false],
    ["proxy/app.ts", "../generator/contract/openapi.ts", true],
    ["proxy/app.ts", "../generator/rpc/epoch.ts", true],
    ["proxy/server.ts", "../generator/operations/listen.ts", true],
    ["generator/operations/listen.ts", "../contract/networks.ts", false],
    ["proxy/app.ts", "../generator/store/open.ts", false],
    ["proxy/app.ts", "../generator/observe/observation.ts", false],
    ["proxy/main.ts", "../generator/store/open.ts", true],
    ["proxy/routes/lists.ts", "../../generator/ledger/fold.ts", false],
    ["infra/demo/demo.ts", "../../generator/service/run.ts", true],
    ["infra/demo/demo.ts", "../../proxy/server.ts", true],
    ["infra/demo/cluster/cluster.ts", "../../../generator/ledger/fold.ts", false],
    ["infra/demo/cluster/cluster.ts", "../../../generator/chain/transaction.ts", true],
    ["infra/aws/edge-function.ts", "../../generator/contract/operations.ts", true],
    ["infra/aws/edge-function.ts", "../../proxy/app.ts", false],
    ["infra/buckets.ts", "../proxy/server.ts", false],
    ["infra/aws/app.ts", "../../generator/store/open.ts", false],
    ["proxy/app.ts", "../infra/aws/edge-function.ts", false],
    ["public/format/url.ts", "../api/documents.ts", false],
    ["public/api/clock.ts", "../format/url.ts", true],
    ["public/api/clock.ts", "../parts/use-url.ts", false],
    ["public/parts/Chart.tsx", "../shell/Header.tsx", false],
    ["public/parts/Chart.tsx", "../pages/now/Now.tsx", false],
    ["public/pages/now/Now.tsx", "../../parts/Card.tsx", true],
    ["public/pages/now/Now.tsx", "../../shell/pages.ts", false],
    ["public/pages/now/Now.tsx", "../status/Status.tsx", false],
    ["public/shell/App.tsx", "../../generator/store/open.ts", false],
  ])("%s importing %s is allowed: %s", async (file, specifier, allowed) => {
    expect(await mayImport(file, specifier)).toBe(allowed);
  });
});
