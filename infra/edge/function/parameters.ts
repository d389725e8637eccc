import type { EdgeParameter } from "../table.ts";
import type { Pair } from "./query.ts";
import { isPublicKey } from "./public-key.ts";

/** A parameter, and what the request says of it. */
export interface Given {
  parameter: EdgeParameter;
  pairs: Pair[];
}

/** One number has one spelling, and one cache key. */
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,15})$/;
const SHOWN_MAX_CHARACTERS = 60;

/** Why a request is refused, in the words of the proxy; undefined: it is not, or only the proxy can say. */
export function findFault(given: Given): string | undefined {
  const parameter = given.parameter;
  const pair = given.pairs[0];
  if (given.pairs.length > 1) return parameter.name + " is given more than once.";
  if (pair === undefined) return parameter.required ? toMust(parameter) + "and is missing." : undefined;
  if (isTaken(parameter, pair.text)) return undefined;
  return toMust(parameter) + "not " + JSON.stringify(toShown(pair.text)) + ".";
}

/** The value that counts; undefined: there is none, not even by default. */
export function toValue(given: Given): string | undefined {
  const pair = given.pairs[0];
  return pair === undefined ? given.parameter.default : pair.text;
}

/** Whether leaving the parameter out would change nothing. */
export function isNeedless(given: Given): boolean {
  return toValue(given) === given.parameter.default;
}

function isTaken(parameter: EdgeParameter, text: string): boolean {
  switch (parameter.kind) {
    case "choice":
      return (parameter.values || []).includes(text);
    case "number":
      return WHOLE_NUMBER.test(text) && Number(text) >= Number(parameter.min) && Number(text) <= Number(parameter.max);
    case "pubkey":
      return isPublicKey(text);
    case "text":
      // Counted in composed code points, which the runtime cannot compose.
      return true;
  }
}

function toMust(parameter: EdgeParameter): string {
  return parameter.name + " must be " + toRange(parameter) + ", ";
}

function toRange(parameter: EdgeParameter): string {
  switch (parameter.kind) {
    case "choice":
      return "one of " + (parameter.values || []).join(", ");
    case "number":
      return "a whole number from " + String(parameter.min) + " to " + String(parameter.max);
    case "pubkey":
      return "Base58 of exactly 32 bytes, 32 to 44 characters";
    case "text":
      return "at least " + String(parameter.min) + " characters";
  }
}

/** What is repeated to a client may end up in its log or page. */
function toShown(text: string): string {
  const shown = text.replace(/[^\x20-\x7e]+/g, "?");
  return shown.length > SHOWN_MAX_CHARACTERS ? shown.slice(0, SHOWN_MAX_CHARACTERS) + "\u2026" : shown;
}
