import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openApiDocument } from "../../generator/contract/openapi.ts";
import { makeDirectory } from "../store/directory.ts";
import { createProseCheck } from "./check.ts";
import { readDescriptions } from "./descriptions.ts";
import { keepSentences } from "./sentences.ts";

const words = await readFile(new URL("words.txt", import.meta.url), "utf8");
const check = createProseCheck(words);

/** `line:column` of each finding, and the words it is about. */
async function findIn(file: string, source: string): Promise<string[]> {
  const isMarkdown = file.endsWith(".md");
  const text = isMarkdown ? source : keepSentences(file, source);
  const findings = await check({ file, text, source, form: isMarkdown ? "markdown" : "plain" });
  return findings.map(({ line, column, message }) => `${line}:${column} ${/[`"]([^`"]+)[`"]/.exec(message)?.[1]}`);
}

describe("the prose check finds", () => {
  it.each<[fault: string, file: string, source: string, found: string[]]>([
    ["a misspelt word", "a.md", "Fine.\n\nA validater votes.", ["3:3 validater"]],
    ["a repeated word", "a.md", "It reads the the list.", ["1:10 the"]],
    ["a wrong article", "a.md", "It takes a epoch.", ["1:10 a"]],
    ["a long word for a short one", "a.md", "Use it in order to vote.", ["1:8 in order to"]],
    ["a phrase of ours, over two lines", "a.md", "The change is told\nof in the feed.", ["1:12 is told of"]],
    ["a fault in a cell of a table", "a.md", "| a | b |\n| - | - |\n| x | the the vote |", ["3:7 the"]],
    ["a fault in emphasis", "a.md", "Read *the validater* first.", ["1:11 validater"]],
    ["a fault in a string", "a.ts", 'const a = 1;\nfail("it reads the the list");', ["2:16 the"]],
    ["a fault across joined strings", "a.ts", 'fail("it reads the " +\n  "the list now");', ["1:16 the"]],
    ["a fault beside a value", "a.ts", "fail(`it reads ${a} and an vote ${b}`);", ["1:25 an"]],
    ["a fault within a value", "a.ts", "fail(`it is ${b('the validater is absent')}`);", ["1:22 validater"]],
    ["a fault in the text of an element", "a.tsx", "const a = <p>The validater is here</p>;", ["1:18 validater"]],
    ["a fault after a text", "a.ts", '["one two three four",\n "the validater votes twice"];', ["2:7 validater"]],
  ])("%s", async (_, file, source, found) => {
    expect(await findIn(file, source)).toEqual(found);
  });
});

describe("the prose check passes", () => {
  it.each([
    ["code in a document", "a.md", "Call `getVoteAcounts`, or\n\n```sh\nnpm runn the the\n```"],
    ["equal words in neighbouring cells", "a.md", "| a vote | vote b |\n| - | - |\n| x | y |"],
    ["names of code in a text", "a.ts", 'fail("the field effectiveEpoch of /api/v1/evnts is in --jsn now");'],
    ["texts of one or two words, which are mostly keys", "a.ts", 'read("validater", "the the");'],
    ["what ends one text and begins another", "a.ts", '["it reads all the", "the list is short"];'],
    ["values", "a.ts", "fail(`a ${kind} and a ${other} of them`);"],
    ["imports and comments", "a.ts", 'import "read the the end";\n// the the'],
    ["class names", "a.tsx", 'const a = <p class="x validater the the" />;'],
    ["escapes", "a.ts", String.raw`fail("one line\nand another line");`],
  ])("%s", async (_, file, source) => {
    expect(await findIn(file, source)).toEqual([]);
  });
});

it("the check of the API's description reads what a field, a parameter and an operation say, and no example", () => {
  const pointers = readDescriptions(openApiDocument()).map(({ pointer }) => pointer);
  expect(pointers).toContain("/info/description");
  expect(pointers).toContain("/paths/~1api~1v1~1events/get/summary");
  expect(pointers).toContain("/components/schemas/CommissionEvent/properties/delta/description");
  expect(pointers.filter((pointer) => pointer.includes("/examples/"))).toEqual([]);
});

it("the words are sorted, each once", () => {
  const list = words.trim().split("\n");
  expect(list).toEqual([...new Set(list)].toSorted());
});

describe("the program", () => {
  it("prints the place of each finding and exits 1; 0 where there is none", async () => {
    const { directory, remove } = await makeDirectory();
    onTestFinished(remove);
    const [faulty, fine] = [join(directory, "faulty.md"), join(directory, "fine.md")];
    await Promise.all([writeFile(faulty, "It is\nthe the end.\n"), writeFile(fine, "This is the end.\n")]);
    expect(await run(faulty)).toEqual({ status: 1, stdout: expect.stringMatching(`^${faulty}:2:1 .*the`) as string });
    expect(await run(fine)).toEqual({ status: 0, stdout: "" });
  });

  it("helps, and names the wrong use", async () => {
    expect(await run("--help")).toEqual({ status: 0, stdout: expect.stringContaining("words.txt") as string });
    expect(await run("--hlep")).toEqual({ status: 2, stdout: "" });
    expect(await run("absent.md")).toEqual({ status: 2, stdout: "" });
  });
});

function run(...args: string[]): Promise<{ status: unknown; stdout: string }> {
  const program = [join(import.meta.dirname, "main.ts"), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, program, (error, stdout) =>
      resolve({ status: error === null ? 0 : error.code, stdout }),
    );
  });
}
