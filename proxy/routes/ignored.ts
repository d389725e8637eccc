import type { Operation } from "../../generator/contract/operation.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { CONTENT_TYPE } from "../../generator/contract/objects.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { toAnswer, type Answer } from "../answer.ts";
import { toShown } from "./parameters.ts";

const NAMES_MAX = 10;
/** Nothing within strings of JSON reads like this, because it has quotes. */
const META = '"meta":{';

/**
 * Adds `meta.ignored`, the names of the query's unknown parameters, to an answer in JSON: a typing
 * error such as `?Network=testnet` would be answered with something else unseen.
 */
export function addIgnored(
  answer: Answer,
  operation: keyof typeof OPERATIONS,
  given: readonly string[],
): Answer {
  const ignored = given.filter((name) => !isKnown(operation, name));
  if (ignored.length === 0) return answer;
  const { cache, contentType = CONTENT_TYPE }: Operation = OPERATIONS[operation];
  if (contentType !== CONTENT_TYPE) return answer;
  const text = answer.body.toString();
  const at = text.lastIndexOf(META) + META.length;
  const names = JSON.stringify(ignored.slice(0, NAMES_MAX).map(toShown));
  return toAnswer(`${text.slice(0, at)}"ignored":${names},${text.slice(at)}`, cache);
}

function isKnown(operation: keyof typeof OPERATIONS, name: string): boolean {
  const { parameters }: Operation = OPERATIONS[operation];
  return parameters.some((key) => PARAMETERS[key].in === "query" && PARAMETERS[key].name === name);
}
