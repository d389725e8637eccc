import type { VFile } from "vfile";

/** A phrase that never passes, a space for any white space, and what to write instead. */
interface Phrase {
  phrase: RegExp;
  instead: string;
}

/** Riddles this project's texts once had: inverted, passive without an actor, or a word of another century. */
const PHRASES: readonly Phrase[] = [
  { phrase: /what is wanting/, instead: "what is missing" },
  { phrase: /to be woken for/, instead: "worth waking up for" },
  { phrase: /(?:is|are|be|was|were|been) told (?:of|about)/, instead: "an active verb: “X reports Y”" },
  { phrase: /tells? of/, instead: "“reports”, “shows” or “mentions”" },
  { phrase: /mend(?:s|ed|ing)?/, instead: "fix" },
  { phrase: /(?:was|were) never seen(?: to)?/, instead: "“Rugwatch never saw” or “unknown”" },
  { phrase: /never seen to/, instead: "“did not”" },
  { phrase: /by (?:its|his|their|the [\w']+) own word/, instead: "“as the validator states”, “self-reported”" },
  { phrase: /(?:where|there)(?:of|upon|in|from|to)/, instead: "“of it”, “from it”: plain words" },
  { phrase: /such as (?:are|is|were|have)/, instead: "“those that”" },
  { phrase: /by way of/, instead: "through" },
  { phrase: /learnt/, instead: "learned" },
  { phrase: /unfolds? to/, instead: "expands to" },
  { phrase: /all that (?:had|has|have)/, instead: "“everything that”, with its noun" },
  { phrase: /no (?:\w+ )?(?:but|save) (?:the|by|those|what|that|a)/, instead: "only" },
  { phrase: /nothing but/, instead: "only" },
  { phrase: /none but/, instead: "only" },
  { phrase: /nobody but/, instead: "only" },
  { phrase: /of which (?:the|a|an|each|every|all|\w+s) /, instead: "“whose”, or two sentences" },
  { phrase: /all the same/, instead: "“still”, or “anyway”" },
  { phrase: /so far off as/, instead: "a number" },
];

/** A node of retext's tree: a leaf has a value, any other has children. */
interface TextNode {
  type: string;
  value?: string;
  children?: TextNode[];
  position?: { start: { offset?: number | undefined } } | undefined;
}

/** A rule for retext: reports each of our phrases at its place. */
export function findOurPhrases(tree: TextNode, file: VFile): void {
  for (const sentence of sentencesOf(tree)) {
    const characters = sentence.flatMap(toCharacters);
    const text = characters.map(({ character }) => character).join("");
    for (const { phrase, instead } of PHRASES) {
      for (const { 0: found, index } of text.matchAll(toPattern(phrase))) {
        const place = { line: 1, column: 1, offset: characters[index]?.offset ?? 0 };
        file.message(`Unexpected "${found.replaceAll(/\s+/g, " ")}": write ${instead}.`, place);
      }
    }
  }
}

function sentencesOf(node: TextNode): TextNode[][] {
  if (node.type === "SentenceNode") return [leavesOf(node)];
  return (node.children ?? []).flatMap(sentencesOf);
}

function leavesOf(node: TextNode): TextNode[] {
  return node.children?.flatMap(leavesOf) ?? [node];
}

/** Code holds no phrase. */
function toCharacters({ type, value = "", position }: TextNode): { character: string; offset: number }[] {
  const start = position?.start.offset ?? 0;
  return value
    .split("")
    .map((character, at) => ({ character: type === "SourceNode" ? "-" : character, offset: start + at }));
}

function toPattern({ source }: RegExp): RegExp {
  return new RegExp(`\\b(?:${source.replaceAll(" ", "\\s+")})\\b`, "gi");
}
