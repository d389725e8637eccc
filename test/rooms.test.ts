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
  // What is allowed, ESLint shows over the house itself.
  it.each([
    ["generator/contract/values.ts", "../entries/entry.ts"],
    ["generator/chain/transaction.ts", "../contract/values.ts"],
    ["generator/entries/entry.ts", "../ledger/ledger.ts"],
    ["generator/settings/settings.ts", "../store/open.ts"],
    ["generator/rpc/ranking.ts", "../entries/entry.ts"],
    ["generator/ledger/fold.ts", "../journal/journal.ts"],
    ["generator/ledger/fold.ts", "./../journal/journal.ts"],
    ["generator/documents/render.ts", "../entries/entry.ts"],
    ["generator/observe/snapshot.ts", "../ledger/fold.ts"],
    ["generator/observe/stakes/stake-answers.ts", "../../ledger/fold.ts"],
    ["generator/journal/checkpoints.ts", "../ledger/ledger.ts"],
    ["generator/store/files.ts", "../journal/names.ts"],
    ["generator/publish/publish.ts", "../documents/render.ts"],
    ["generator/service/run.ts", "../commands/complaint.ts"],
    ["generator/commands/complaint.ts", "../../proxy/server.ts"],
    ["generator/monitoring/listen.ts", "../contract/networks.ts"],
    ["generator/main.ts", "./service/run.ts"],
    ["proxy/app.ts", "../generator/store/open.ts"],
    ["proxy/app.ts", "../infra/aws/edge-function.ts"],
    ["infra/aws/app.ts", "../../generator/store/open.ts"],
    ["infra/aws/app.ts", "../demo/demo.ts"],
    ["infra/github/summary.ts", "../aws/settings.ts"],
    ["infra/demo/demo.ts", "../aws/stack.ts"],
    ["test/cluster/cluster.ts", "../../infra/demo/demo.ts"],
    ["public/api/clock.ts", "../parts/use-url.ts"],
    ["public/pages/now/Now.tsx", "../status/Status.tsx"],
    ["public/main.tsx", "./pages/now/Now.tsx"],
    ["public/shell/App.tsx", "../../generator/store/open.ts"],
  ])("%s may not import %s, in whatever way", async (file, specifier) => {
    expect(
      [file, join(dirname(file), specifier)].filter((path) => !existsSync(join(ROOT, path))),
    ).toEqual([]);
    expect(await waysTo(file, specifier)).toEqual([]);
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
