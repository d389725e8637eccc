import { createContext, runInContext } from "node:vm";
import type { EdgeResponse, ViewerEvent, ViewerRequest } from "./function/event.ts";
import { GLOBALS, METHODS, STATIC_METHODS } from "./runtime.ts";

/** A handler of viewer requests, as CloudFront calls it. */
export type Handler = (event: ViewerEvent) => ViewerRequest | EdgeResponse;

const START_MILLISECONDS_MAX = 1_000;

/** The handler of a script in an engine from which all is taken that CloudFront's runtime does not have. */
export function openHandler(script: string): Handler {
  const context = createContext({}, { codeGeneration: { strings: false, wasm: false } });
  runInContext(`(${takeAway.toString()})(${JSON.stringify({ GLOBALS, METHODS, STATIC_METHODS })})`, context);
  // The runtime is always strict.
  const source = `"use strict";\n${script}\n;handler`;
  return runInContext(source, context, { timeout: START_MILLISECONDS_MAX }) as Handler;
}

interface Known {
  GLOBALS: readonly string[];
  METHODS: Readonly<Record<string, readonly string[]>>;
  STATIC_METHODS: Readonly<Record<string, readonly string[]>>;
}

/** Runs inside: it must name nothing of this file, nor use what it has taken away already. */
function takeAway({ GLOBALS, METHODS, STATIC_METHODS }: Known): void {
  const global = globalThis as unknown as Record<string, (object & { prototype?: object }) | undefined>;
  const { getOwnPropertyDescriptor, getOwnPropertyNames, entries } = Object;
  const remove = Reflect.deleteProperty;
  const keep = (owner: object, known: readonly string[]) => {
    for (const name of getOwnPropertyNames(owner)) {
      const isMethod = typeof getOwnPropertyDescriptor(owner, name)?.value === "function";
      if (isMethod && name !== "constructor" && !known.includes(name)) remove(owner, name);
    }
  };
  const names = getOwnPropertyNames(global);
  for (const [name, methods] of entries(STATIC_METHODS)) keep(global[name] ?? {}, methods);
  for (const [name, methods] of entries(METHODS)) keep(global[name]?.prototype ?? {}, methods);
  for (const name of names) if (!GLOBALS.includes(name)) remove(global, name);
}
