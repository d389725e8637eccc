import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import tseslint from "typescript-eslint";

/** The rooms of the generator. CONTRIBUTING.md has the same rules as a table. */
const ROOMS = [
  "contract",
  "chain",
  "agree",
  "observe",
  "journal",
  "ledger",
  "views",
  "documents",
  "publish",
  "store",
  "entries",
  "rpc",
  "monitoring",
  "settings",
  "service",
  "commands",
];

/**
 * Who may import whom: a room lists what it may reach of ours outside itself.
 *
 * @param {string} files
 * @param {string[]} allowed regular expressions of the
 * specifiers outside the own room that are allowed
 * @param {object} [options]
 * @param {string} [options.own] the same of the room's other files, for those in a folder of it
 * @param {boolean} [options.isEntrance] the files lie
 * beside rooms, and what they reach begins with `./` too
 * @param {{ selector: string, message: string }[]}
 * [options.syntax] what else these files may not write
 */
function room(files, allowed, { own = "(?!)", isEntrance = false, syntax = [] } = {}) {
  const permitted = allowed.length === 0 ? "(?!)" : allowed.join("|");
  const outward = `\\.\\./(?!(?:\\.\\./)*(?:${permitted})$|(?:${own})$)`;
  const regex = isEntrance
    ? `^\\.{1,2}/(?!(?:\\.\\./)*(?:${permitted})$)`
    : `^(?:${outward}|\\./.*\\.\\./)`;
  const message = "This room may not import that one: see the rules in eslint.config.js.";
  return {
    files: [files],
    rules: {
      "no-restricted-imports": ["error", { patterns: [{ regex, message }] }],
      "no-restricted-syntax": [
        "error",
        {
          selector: `:matches(ImportExpression, TSImportType)[source.value=${toSelector(regex)}]`,
          message,
        },
        {
          selector: "ImportExpression:not([source.type='Literal'])",
          message: "Write out what is imported: the rules between rooms cannot see it otherwise.",
        },
        ...syntax,
      ],
    },
  };
}

/** A regular expression of a selector ends at its first slash. */
function toSelector(/** @type {string} */ regex) {
  return `/${regex.replaceAll("/", "\\u002F")}/`;
}

const CONTRACT = "(?:generator/)?contract/[\\w.-]+\\.ts";
const STORE = "(?:generator/)?store/[\\w.-]+\\.ts";
const CHAIN = "(?:generator/)?chain/[\\w.-]+\\.ts";
const LEDGER = "ledger/(?:[\\w-]+/)?[\\w.-]+\\.ts";
const VIEWS = "views/(?:[\\w-]+/)?[\\w.-]+\\.ts";
const AGREE = "agree/[\\w.-]+\\.ts";
const ENTRIES = "entries/[\\w.-]+\\.ts";
const RPC = "(?:generator/)?rpc/[\\w.-]+\\.ts";
const MONITORING = "(?:generator/)?monitoring/[\\w.-]+\\.ts";
const SETTINGS = "(?:generator/)?settings/[\\w.-]+\\.ts";
/** In a room: its file, or one of its folders'. */
const FILE = "(?:[\\w-]+/)?[\\w.-]+\\.ts";
/** For a folder of a room. */
const OWN = { own: FILE };
/** The rooms of the site, each with what lies below it: shell, pages, parts, api, format. */
const BELOW_API = [CONTRACT, "format/[\\w.-]+"];
const BELOW_PARTS = [...BELOW_API, "(?:api|style)/[\\w.-]+"];
const BELOW_PAGES = [...BELOW_PARTS, "parts/[\\w.-]+"];
const BELOW_SHELL = [...BELOW_PAGES, "pages/[\\w-]+/[\\w.-]+"];
const PROXY = [CONTRACT, RPC, MONITORING];
const CLUSTER = [CONTRACT, CHAIN, RPC, `(?:generator/)?observe/${FILE}`];
const PARSERS = "/generator/(?!contract/(?:clients|repeats|severity)\\.ts$)";
const TYPES_ONLY =
  "Types only, and clients.ts, repeats.ts and severity.ts, which have no parser: none reaches the browser.";
const SITE = {
  syntax: [
    {
      selector:
        "JSXAttribute[name.name=/^(?:dangerouslySetInnerHTML|style)$/], " +
        "Property[key.name='dangerouslySetInnerHTML']",
      message:
        "Text stays text, and the Content-Security-Policy allows no styles but those of files.",
    },
    { selector: `ImportExpression[source.value=${toSelector(PARSERS)}]`, message: TYPES_ONLY },
  ],
};
/** For the rooms that put others together. */
const ANY_BUT = (/** @type {string[]} */ ...closed) =>
  `(?:generator/)?(?:${ROOMS.filter((name) => !closed.includes(name)).join("|")})/${FILE}`;

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
        {
          object: "process",
          property: "env",
          message: "Variables are read where settings are, and nowhere else.",
        },
        {
          object: "Date",
          property: "now",
          message: "Time is passed in; only a composition root reads the clock.",
        },
      ],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/no-unnecessary-condition": [
        "error",
        { allowConstantLoopConditions: true },
      ],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  // All but the first import declarations that only a test
  // makes: without them their types are not known here.
  {
    files: ["eslint.config.js", "test/integration/api/client-program.ts", "public/examples/*.ts"],
    ...tseslint.configs.disableTypeChecked,
  },
  // Programs for readers to copy: they print, and read their environment.
  {
    files: ["public/examples/*.ts"],
    rules: {
      "no-console": "off",
      "no-restricted-properties": "off",
      "@typescript-eslint/no-dynamic-delete": "off",
    },
  },
  {
    files: ["test/**"],
    rules: { "no-restricted-properties": "off", "@typescript-eslint/no-non-null-assertion": "off" },
  },
  {
    files: ["generator/settings/settings.ts", "proxy/settings.ts"],
    rules: { "no-restricted-properties": "off" },
  },
  room("generator/*", ["(?:commands|contract|entries|settings)/[\\w.-]+\\.ts"], {
    isEntrance: true,
  }),
  room("generator/contract/**", []),
  room("generator/chain/**", []),
  room("generator/entries/**", [CONTRACT, CHAIN]),
  room("generator/settings/**", [CONTRACT]),
  room("generator/rpc/**", [CONTRACT, CHAIN]),
  room("generator/monitoring/**", []),
  room("generator/store/**", [CONTRACT]),
  room("generator/store/*/**", [CONTRACT], OWN),
  room("generator/agree/**", [CONTRACT, CHAIN, ENTRIES]),
  room("generator/ledger/**", [CONTRACT, CHAIN, ENTRIES, AGREE]),
  room("generator/ledger/*/**", [CONTRACT, CHAIN, ENTRIES, AGREE], OWN),
  {
    files: ["generator/ledger/**"],
    rules: {
      "@typescript-eslint/no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "/(agree|entries)/",
              allowTypeImports: true,
              message: "Types only: an entry comes read and agreed upon.",
            },
          ],
        },
      ],
    },
  },
  room("generator/views/**", [CONTRACT, CHAIN, LEDGER]),
  room("generator/views/*/**", [CONTRACT, CHAIN, LEDGER], OWN),
  room("generator/documents/**", [CONTRACT, LEDGER, VIEWS]),
  room("generator/documents/*/**", [CONTRACT, LEDGER, VIEWS], OWN),
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
  room("infra/*/*/**", [CONTRACT], OWN),
  room("infra/aws/proxy-function.ts", [CONTRACT, SETTINGS]),
  room("infra/demo/**", [ANY_BUT(), `proxy/${FILE}`, `test/cluster/${FILE}`]),
  room("test/cluster/!(*.test).ts", CLUSTER),
  room("test/cluster/*/**", CLUSTER, OWN),
  room("public/*", ["(?:api|parts|shell|style)/[\\w.-]+"], { isEntrance: true, ...SITE }),
  room(
    "public/vite*.config.ts",
    [CONTRACT, "parts/(?:terms|world)\\.ts", "vite-\\w+\\.config\\.ts"],
    { isEntrance: true },
  ),
  room("public/format/**", [CONTRACT], SITE),
  room("public/api/**", BELOW_API, SITE),
  room("public/parts/**", BELOW_PARTS, SITE),
  room("public/pages/**", [...BELOW_PAGES, "examples/[\\w.-]+\\?raw"], SITE),
  room("public/shell/**", BELOW_SHELL, SITE),
  {
    files: ["public/**"],
    rules: {
      "@typescript-eslint/no-restricted-imports": [
        "error",
        { patterns: [{ regex: PARSERS, allowTypeImports: true, message: TYPES_ONLY }] },
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
