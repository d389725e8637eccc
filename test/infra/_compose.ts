import { parse } from "yaml";
import { read } from "./_files.ts";

/** A service of a compose file, as far as tests look at it. */
export interface Service {
  image: string;
  build?: { args?: Record<string, string> };
  pull_policy?: string;
  ports?: string[];
  expose?: string[];
  networks: string[];
  environment?: Record<string, string>;
  mem_limit?: string;
}

interface ComposeFile {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
}

export function readCompose(file: string): ComposeFile {
  return parse(read(file), { merge: true }) as ComposeFile;
}
