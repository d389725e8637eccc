import ts from "typescript";

const WORDS_MIN = 3;
const WORD = /(?<![^\s("'«“])[A-Za-z][A-Za-z'’-]*(?=[\s.,:;?!)"'»”]|$)/g;
/** What is code in a text: addresses, paths, flags, names with inner capitals, digits or underscores, `spans`. */
const CODE =
  /`[^`]*`|https?:\S+|--[a-z-]+|\S*[\w)}]?[/_{}=$<>@\\|]\S*|\S*[a-z\d][A-Z]\S*|\S*[A-Za-z][.:]\w\S*|(?<!\S)\.\w+|\w+-src/g;
const ESCAPE = /\\(?:u\{[\dA-Fa-f]+\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[\s\S])|&#?\w+;/g;
/** Attributes that no one reads. */
const MACHINE_ATTRIBUTES = new Set(["class", "className", "style", "d", "viewBox", "transform", "points", "rel"]);

type Range = readonly [start: number, end: number];

/**
 * A TypeScript file with everything blanked but its sentences: string literals and JSX text of at least three words. Every
 * character stays where it was, so positions in the result are positions in the file.
 */
export function keepSentences(file: string, source: string): string {
  const kept: string[] = blank(source).split("");
  for (const ranges of findTexts(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true))) {
    const text = joinRanges(source, ranges);
    if ((text.match(WORD) ?? []).length < WORDS_MIN) continue;
    const first = ranges[0]?.[0] ?? 0;
    for (const [offset, character] of Array.from(text).entries()) kept[first + offset] = character;
    const end = first + text.length;
    // A blank line ends a paragraph: two texts never run together.
    kept[end] = "\n";
    kept[end + 1] = "\n";
  }
  return kept.join("");
}

/** One text from the first range to the last: between two, blanks, or dashes where a value is put in. */
function joinRanges(source: string, ranges: readonly Range[]): string {
  let text = "";
  let at = ranges[0]?.[0] ?? 0;
  for (const [start, end] of ranges) {
    const between = source.slice(at, start);
    text += /^["'`\s+]*$/.test(between) ? blank(between) : "-".repeat(between.length);
    text += source.slice(start, end).replace(ESCAPE, blank);
    at = end;
  }
  return hideCode(text.replace(/[^\s-]*-{2,}[^\s-]*/g, dash));
}

/** The text with dashes for what is code in it. */
export function hideCode(text: string): string {
  return text.replace(CODE, dash);
}

const blank = (text: string) => text.replace(/[^\n]/g, " ");
/** A punctuation mark is no word: rules about neighbours stop at it. */
const dash = (text: string) => text.replace(/[^\s]/g, "-");

/** The ranges of each text: several where it is joined with `+` or holds values. */
function findTexts(root: ts.SourceFile): Range[][] {
  const found: Range[][] = [];
  visit(root);
  return found;

  function visit(node: ts.Node): void {
    if (isForMachines(node)) return;
    const ranges = toRanges(node, root);
    if (ranges.length > 0) found.push(ranges);
    // Values within a text may hold texts of their own.
    for (const inner of ranges.length > 0 ? toValues(node) : node.getChildren(root)) visit(inner);
  }
}

function isForMachines(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true;
  return ts.isJsxAttribute(node) && MACHINE_ATTRIBUTES.has(node.name.getText());
}

function toRanges(node: ts.Node, root: ts.SourceFile): Range[] {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return [[node.getStart(root) + 1, node.getEnd() - 1]];
  if (ts.isJsxText(node)) return [[node.getFullStart(), node.getEnd()]];
  if (ts.isTemplateExpression(node)) {
    const { head, templateSpans } = node;
    const tails = templateSpans.map(({ literal }): Range => [literal.getStart(root) + 1, toTextEnd(literal)]);
    return [[head.getStart(root) + 1, toTextEnd(head)], ...tails];
  }
  if (isSum(node)) return [...toRanges(node.left, root), ...toRanges(node.right, root)];
  return [];
}

/** Before "${", or before the last backtick. */
function toTextEnd(literal: ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail): number {
  return literal.getEnd() - (ts.isTemplateTail(literal) ? 1 : 2);
}

/** The parts of a text that are no text. */
function toValues(node: ts.Node): ts.Node[] {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  if (!isSum(node)) return [];
  return [node.left, node.right].flatMap((side) => (isText(side) ? toValues(side) : [side]));
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || isSum(node);
}

function isSum(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
}
