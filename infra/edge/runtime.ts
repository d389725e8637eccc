import { Linter } from "eslint";

/**
 * What JavaScript runtime 2.0 of CloudFront Functions knows, as far as our function needs it: ECMAScript 5.1 and a list of
 * later features, https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html.
 * What it does not know passes every check of CloudFront's when it is published, and is a 503 for whoever comes that way.
 */
export const GLOBALS: readonly string[] = [
  ...["Array", "Boolean", "Date", "JSON", "Math", "Number", "Object", "RegExp", "String", "Symbol"],
  ...["Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"],
  ...["decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent"],
  ...["isFinite", "isNaN", "parseFloat", "parseInt", "globalThis", "undefined", "NaN", "Infinity"],
];

/** Methods of its objects, by the object. Of an instance, unless a dot says otherwise. */
export const METHODS: Readonly<Record<string, readonly string[]>> = {
  Array: [
    ...[
      "concat",
      "every",
      "filter",
      "find",
      "findIndex",
      "forEach",
      "includes",
      "indexOf",
      "join",
      "lastIndexOf",
      "map",
    ],
    ...["pop", "push", "reduce", "reduceRight", "reverse", "shift", "slice", "some", "sort", "splice", "unshift"],
  ],
  String: [
    ...["charAt", "charCodeAt", "codePointAt", "concat", "endsWith", "includes", "indexOf", "lastIndexOf", "match"],
    ...["padEnd", "padStart", "repeat", "replace", "replaceAll", "search", "slice", "split", "startsWith", "substr"],
    ...["substring", "toLowerCase", "toUpperCase", "trim", "trimEnd", "trimStart"],
  ],
  RegExp: ["exec", "test"],
  Object: ["hasOwnProperty", "toString", "valueOf"],
};

/** Functions of its constructors. */
export const STATIC_METHODS: Readonly<Record<string, readonly string[]>> = {
  Array: ["isArray", "of"],
  Object: ["assign", "create", "defineProperty", "entries", "freeze", "getPrototypeOf", "keys", "values"],
  String: ["fromCharCode", "fromCodePoint"],
  Number: ["isFinite", "isInteger", "isNaN", "isSafeInteger", "parseFloat", "parseInt"],
  JSON: ["parse", "stringify"],
};

/** What CloudFront itself puts on a viewer request. */
const OF_REQUESTS = ["rawQueryString"];

/** ESLint takes those of the edition below for known. */
const TAKEN_FOR_KNOWN = Object.getOwnPropertyNames(globalThis).map((name) => [name, "off"] as const);

/** The newest edition of which the runtime knows any syntax that is not refused below. */
const ECMA_VERSION = 2018;

/** Syntax of ECMAScript 6 to 9 that is not on the list, each with its ESTree nodes. */
const MISSING_SYNTAX: Readonly<Record<string, string>> = {
  "for…of": "ForOfStatement",
  classes: "ClassDeclaration, ClassExpression",
  spread: "SpreadElement",
  destructuring: "ObjectPattern, ArrayPattern",
  "default values": "AssignmentPattern",
  "short properties, methods and computed names":
    "Property[shorthand=true], Property[method=true], ObjectExpression > Property[computed=true]",
  generators: ":function[generator=true]",
  "tagged templates": "TaggedTemplateExpression",
  "new.target": "MetaProperty",
  "flags of regular expressions but g, i and m": "Literal[regex.flags=/[^gim]/]",
  "look-behind and Unicode classes": "Literal[regex.pattern=/\\(\\?<[=!]|\\\\[pP]\\{/]",
};

/**
 * What in a script the runtime does not know, a line each: syntax, names that are nowhere defined, and methods. Properties are
 * judged by their names alone, so that one of our own must not be called like a method that the runtime lacks.
 */
export function findUnknown(script: string): string[] {
  const known = [...Object.values(METHODS), ...Object.values(STATIC_METHODS), OF_REQUESTS].flat();
  const syntax = Object.entries(MISSING_SYNTAX).map(([what, selector]) => ({
    selector,
    message: `It has no ${what}.`,
  }));
  const method = `CallExpression > MemberExpression.callee[computed=false]:not([property.name=/^(?:${known.join("|")})$/])`;
  const messages = new Linter().verify(script, {
    languageOptions: {
      ecmaVersion: ECMA_VERSION,
      sourceType: "script",
      globals: Object.fromEntries([...TAKEN_FOR_KNOWN, ...GLOBALS.map((name) => [name, "readonly"] as const)]),
    },
    linterOptions: { noInlineConfig: true },
    rules: {
      "no-undef": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-restricted-syntax": ["error", ...syntax, { selector: method, message: "It has no such method." }],
    },
  });
  const lines = script.split("\n");
  return messages.map(
    ({ line, message }) => `line ${line}: ${message} ${(lines[line - 1] ?? "").trim().slice(0, 100)}`,
  );
}
