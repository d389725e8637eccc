import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import type { Asked, PreparedAnswersOptions } from "./prepared-answers.ts";

const SERVER = fileURLToPath(new URL("prepared-answers.ts", import.meta.url));

export interface Answers {
  url: string;
  rpcUrls: string[];
  mevUrl: string;
  asked(): Promise<Asked>;
  close(): Promise<void>;
}

export async function startAnswers(options: PreparedAnswersOptions): Promise<Answers> {
  const child = spawn(process.execPath, [SERVER, JSON.stringify(options)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value } = (await lines.next()) as { value?: string };
  if (value === undefined) throw new Error("the prepared answers ended before they were ready");
  const addresses = JSON.parse(value) as Pick<Answers, "url" | "rpcUrls" | "mevUrl">;
  return {
    ...addresses,
    asked: async () => (await (await fetch(`${addresses.url}/asked`)).json()) as Asked,
    async close() {
      const ended = once(child, "close");
      child.stdin.end();
      await ended;
    },
  };
}
