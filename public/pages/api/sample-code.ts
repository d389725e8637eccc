import type { Parameter } from "./description.ts";
import type { Trial, Values } from "./request.ts";
import { toValues } from "./schemas.ts";

export const LANGUAGES = ["curl", "TypeScript", "Python"] as const;
export type Language = (typeof LANGUAGES)[number];

export function withExamples(parameters: readonly Parameter[], values: Values): Values {
  const toValue = ({ name, isRequired, example, schema }: Parameter) =>
    isRequired ? (example ?? toValues(schema)[0] ?? "") : (values[name] ?? "");
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, toValue(parameter)]));
}

/** Quotes values, which may come from the address. */
export function toSample(
  language: Language,
  { target, headers }: Trial,
  { origin, isJson }: SampleOptions,
): string {
  const url = origin + target;
  switch (language) {
    case "curl":
      return [
        "curl",
        ...headers.flatMap(([name, value]) => ["-H", toShellWord(`${name}: ${value}`)]),
        toShellWord(url),
      ].join(" ");
    case "TypeScript":
      return [
        headers.length === 0
          ? `const response = await fetch(${toText(url)});`
          : `const response = await fetch(${toText(url)}, {\n  headers: { ${headers.map(toPair).join(", ")} },\n});`,
        "if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);",
        isJson
          ? "const { data, meta } = await response.json();"
          : "const text = await response.text();",
        isJson ? "console.log(data, meta);" : "console.log(text);",
      ].join("\n");
    case "Python":
      return [
        isJson ? "import json\nimport urllib.request" : "import urllib.request",
        "",
        headers.length === 0
          ? `request = urllib.request.Request(${toText(url)})`
          : `request = urllib.request.Request(${toText(url)}, headers={${headers.map(toPair).join(", ")}})`,
        "with urllib.request.urlopen(request) as response:",
        isJson ? "    document = json.load(response)" : "    text = response.read().decode()",
        isJson ? 'print(document["data"], document["meta"])' : "print(text)",
      ].join("\n");
  }
}

interface SampleOptions {
  origin: string;
  isJson: boolean;
}

function toPair([name, value]: readonly [string, string]): string {
  return `${toText(name)}: ${toText(value)}`;
}

/** With lone surrogates escaped, a JSON string is also one of TypeScript and Python. */
function toText(text: string): string {
  return JSON.stringify(text);
}

/** POSIX shell (2.2.2, single quotes). */
function toShellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
