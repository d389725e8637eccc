/** The text of all blocks of a Markdown document that are marked `sh`. */
export function readShellBlocks(document: string): string[] {
  return [...document.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, block]) => block ?? "");
}

/** The lines of a shell block without comments, continued ones joined. */
export function readShellLines(block: string): string[] {
  return block
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.replace(/(?:^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");
}
