import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const RULES = [
  "no-restricted-imports",
  "@typescript-eslint/no-restricted-imports",
  "no-restricted-syntax",
];

const eslint = new ESLint({
  ruleFilter: ({ ruleId }) => RULES.includes(ruleId),
  // These rules ask for no types, and those of the whole project take long to load.
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
});

/** How a file can reach another. */
const WAYS = {
  "side effect": (specifier: string) => `import "${specifier}";`,
  name: (specifier: string) => `import { thing } from "${specifier}";`,
  "passed on": (specifier: string) => `export * from "${specifier}";`,
  "when asked for": (specifier: string) => `await import("${specifier}");`,
  type: (specifier: string) => `type Thing = import("${specifier}").Thing;`,
  "type of all": (specifier: string) => `type All = typeof import("${specifier}");`,
};

/** The ways that the lint rules leave open from a file to a specifier. */
async function waysTo(file: string, specifier: string): Promise<string[]> {
  const text = Object.values(WAYS).map((write) => `${write(specifier)}\n`);
  const [result] = await eslint.lintText(text.join(""), { filePath: join(ROOT, file) });
  const refused = new Set(result?.messages.map(({ line }) => line));
  return Object.keys(WAYS).filter((_, index) => !refused.has(index + 1));
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
    ["generator/observe/vote-accounts.ts", "../chain/program-address.ts", true],
    ["generator/observe/snapshot.ts", "../ledger/fold.ts", false],
    ["generator/observe/stakes/stake-answers.ts", "../../rpc/rpc.ts", true],
    ["generator/observe/stakes/stake-answers.ts", "../snapshot.ts", true],
    ["generator/observe/stakes/stake-answers.ts", "../../ledger/fold.ts", false],
    ["generator/observe/stakes/stake-answers.ts", "../../settings/settings.ts", false],
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
    ["proxy/server.ts", "../generator/monitoring/listen.ts", true],
    ["generator/monitoring/listen.ts", "../contract/networks.ts", false],
    ["proxy/app.ts", "../generator/store/open.ts", false],
    ["proxy/app.ts", "../generator/observe/observation.ts", false],
    ["proxy/main.ts", "../generator/store/open.ts", true],
    ["proxy/routes/lists.ts", "../../generator/ledger/fold.ts", false],
    ["infra/demo/demo.ts", "../../generator/service/run.ts", true],
    ["infra/demo/demo.ts", "../../proxy/server.ts", true],
    ["test/cluster/cluster.ts", "../../generator/ledger/fold.ts", false],
    ["test/cluster/cluster.ts", "../../generator/chain/transaction.ts", true],
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
    ["generator/main.ts", "./commands/run.ts", true],
    ["generator/main.ts", "./service/run.ts", false],
    ["generator/main.ts", "../proxy/server.ts", false],
    ["generator/ledger/fold.ts", "./../journal/journal.ts", false],
    ["infra/aws/app.ts", "../demo/demo.ts", false],
    ["infra/aws/freshness/handler.ts", "../settings.ts", true],
    ["infra/demo/demo.ts", "../aws/stack.ts", false],
    ["test/cluster/cluster.ts", "../../infra/demo/script.ts", false],
    ["test/cluster/chain/cast.ts", "../world.ts", true],
    ["infra/github/summary.ts", "../aws/settings.ts", false],
    ["public/main.tsx", "./shell/App.tsx", true],
    ["public/main.tsx", "./pages/now/Now.tsx", false],
    ["public/main.tsx", "../generator/store/open.ts", false],
    ["public/vite.config.ts", "../generator/contract/networks.ts", true],
    ["public/vite.config.ts", "../generator/store/open.ts", false],
    ["public/shell/pages.ts", "../pages/now/Now.tsx", true],
  ])("%s importing %s is allowed: %s", async (file, specifier, allowed) => {
    expect(
      [file, join(dirname(file), specifier)].filter((path) => !existsSync(join(ROOT, path))),
    ).toEqual([]);
    expect(await waysTo(file, specifier)).toEqual(allowed ? Object.keys(WAYS) : []);
  });

  it("lets the site take types of the contract, and no parser", async () => {
    const ways = await waysTo("public/api/client.ts", "../../generator/contract/objects.ts");
    expect(ways).toEqual(["type", "type of all"]);
  });

  it("refuses an import that is put together when it runs", async () => {
    const [result] = await eslint.lintText("await import(`../${1}.ts`);\n", {
      filePath: join(ROOT, "proxy/app.ts"),
    });
    expect(result?.messages.map(({ ruleId }) => ruleId)).toEqual(["no-restricted-syntax"]);
  });
});
