import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import tseslint from "typescript-eslint";

/**
 * Who may import whom: a room lists what of ours it may NOT reach. Rooms are the folders of generator/ and the top-level
 * folders; CONTRIBUTING.md draws the same rules as a picture.
 */
const ROOMS = [
  "contract",
  "chain",
  "observe",
  "journal",
  "ledger",
  "documents",
  "publish",
  "store",
  "entries",
  "rpc",
  "operations",
  "settings",
  "service",
  "commands",
];

/**
 * @param {string} files
 * @param {string[]} allowed regular expressions of the specifiers outside the own room that are allowed
 * @param {string} own the same of the room's other files, for those in a folder of it
 */
function room(files, allowed, own = "(?!)") {
  const permitted = allowed.length === 0 ? "(?!)" : allowed.join("|");
  return {
    files: [files],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: `^\\.\\./(?!(?:\\.\\./)*(?:${permitted})$|(?:${own})$)`,
              message: "This room may not import that one: see the rules in eslint.config.js.",
            },
          ],
        },
      ],
    },
  };
}

const CONTRACT = "(?:generator/)?contract/[\\w.-]+\\.ts";
const STORE = "(?:generator/)?store/[\\w.-]+\\.ts";
const CHAIN = "(?:generator/)?chain/[\\w.-]+\\.ts";
const ENTRIES = "entries/[\\w.-]+\\.ts";
const RPC = "(?:generator/)?rpc/[\\w.-]+\\.ts";
const OPERATIONS = "(?:generator/)?operations/[\\w.-]+\\.ts";
const SETTINGS = "(?:generator/)?settings/[\\w.-]+\\.ts";
/** From a folder of a room: a file of the room, or of another of its folders. */
const OWN = "(?:[\\w-]+/)?[\\w.-]+\\.ts";
/** The rooms of the site, each with what lies below it: shell, pages, parts, api, format. */
const BELOW_API = [CONTRACT, "format/[\\w.-]+"];
const BELOW_PARTS = [...BELOW_API, "(?:api|style)/[\\w.-]+"];
const BELOW_PAGES = [...BELOW_PARTS, "parts/[\\w.-]+"];
const BELOW_SHELL = [...BELOW_PAGES, "pages/[\\w-]+/[\\w.-]+"];
const PROXY = [CONTRACT, RPC, OPERATIONS];
/** For the rooms that put others together. */
const ANY_BUT = (/** @type {string[]} */ ...closed) =>
  `(?:generator/)?(?:${ROOMS.filter((name) => !closed.includes(name)).join("|")})/[\\w./-]+\\.ts`;

export default tseslint.config(
  { ignores: ["node_modules/", ".data/", "coverage/", "public/dist/", "infra/dist/", "cdk.out/"] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  prettier,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ["eslint.config.js", "public/static/*.js"] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "no-console": "error",
      "no-empty": ["error", { allowEmptyCatch: false }],
      "no-restricted-properties": [
        "error",
        { object: "process", property: "env", message: "Variables are read where settings are, and nowhere else." },
        { object: "Date", property: "now", message: "Time is passed in; only a composition root reads the clock." },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-unnecessary-condition": ["error", { allowConstantLoopConditions: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  // The second imports declarations that only a test makes: without them its types are not known here.
  { files: ["eslint.config.js", "test/api/description/client-program.ts"], ...tseslint.configs.disableTypeChecked },
  {
    files: ["test/**"],
    rules: { "no-restricted-properties": "off", "@typescript-eslint/no-non-null-assertion": "off" },
  },
  { files: ["generator/settings/settings.ts", "proxy/settings.ts"], rules: { "no-restricted-properties": "off" } },
  room("generator/contract/**", []),
  room("generator/chain/**", []),
  room("generator/entries/**", [CONTRACT, CHAIN]),
  room("generator/settings/**", [CONTRACT]),
  room("generator/rpc/**", [CONTRACT, CHAIN]),
  room("generator/operations/**", []),
  room("generator/store/**", [CONTRACT]),
  room("generator/store/*/**", [CONTRACT], OWN),
  room("generator/ledger/**", [CONTRACT, CHAIN, ENTRIES]),
  room("generator/documents/**", [CONTRACT, "ledger/[\\w.-]+\\.ts"]),
  room("generator/documents/*/**", [CONTRACT, "ledger/[\\w.-]+\\.ts"], OWN),
  room("generator/observe/**", [CONTRACT, CHAIN, ENTRIES, RPC]),
  room("generator/observe/*/**", [CONTRACT, CHAIN, ENTRIES, RPC], OWN),
  room("generator/journal/**", [CONTRACT, ENTRIES, STORE]),
  room("generator/journal/*/**", [CONTRACT, ENTRIES, STORE], OWN),
  room("generator/publish/**", [CONTRACT, STORE]),
  room("generator/service/**", [ANY_BUT("commands")]),
  room("generator/service/*/**", [ANY_BUT("commands")], OWN),
  room("generator/commands/**", [ANY_BUT()]),
  room("generator/commands/*/**", [ANY_BUT()], OWN),
  room("proxy/**", PROXY),
  room("proxy/*/**", PROXY, OWN),
  room("proxy/{main,lambda}.ts", [...PROXY, STORE, SETTINGS]),
  room("proxy/settings.ts", [...PROXY, SETTINGS]),
  room("infra/**", [CONTRACT]),
  room("infra/*/**", [CONTRACT], OWN),
  room("infra/aws/proxy-function.ts", [CONTRACT, SETTINGS]),
  room("infra/demo/**", [ANY_BUT(), "proxy/[\\w./-]+\\.ts"], OWN),
  room("infra/demo/cluster/**", [CONTRACT, CHAIN, RPC, "(?:generator/)?observe/[\\w./-]+\\.ts"], OWN),
  room("public/format/**", [CONTRACT]),
  room("public/api/**", BELOW_API),
  room("public/parts/**", BELOW_PARTS),
  room("public/pages/**", BELOW_PAGES),
  room("public/shell/**", BELOW_SHELL),
  {
    files: ["public/**"],
    rules: {
      "@typescript-eslint/no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "/generator/(?!contract/severity\\.ts$)",
              allowTypeImports: true,
              message: "Types only, and severity.ts, which has no parser: none reaches the browser.",
            },
          ],
        },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "JSXAttribute[name.name=/^(?:dangerouslySetInnerHTML|style)$/], Property[key.name='dangerouslySetInnerHTML']",
          message: "Text stays text, and the Content-Security-Policy allows no styles but those of files.",
        },
      ],
    },
  },
  // Runs where the site is built, not in the browser.
  {
    files: ["public/vite*.config.ts"],
    rules: { "no-restricted-properties": "off", "@typescript-eslint/no-restricted-imports": "off" },
  },
  {
    files: ["public/static/*.js"],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      ...tseslint.configs.disableTypeChecked.languageOptions,
      sourceType: "script",
      globals: { document: "readonly", localStorage: "readonly", matchMedia: "readonly" },
    },
  },
);
