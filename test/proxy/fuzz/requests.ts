import { base58 } from "@scure/base";
import fc from "fast-check";
import type { Operation } from "../../../generator/contract/operation.ts";
import { OPERATIONS } from "../../../generator/contract/operations.ts";
import { NETWORKS } from "../../../generator/contract/networks.ts";
import {
  PARAMETERS,
  type Parameter,
  type ParameterKey,
} from "../../../generator/contract/parameters.ts";
import { LATEST_EPOCH, toPubkey } from "../fixtures.ts";
import { HOSTILE_PATHS, HOSTILE_TEXTS, KNOWN_HEADERS } from "./hostile.ts";

/** The target is escaped to ASCII. */
export interface FuzzRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
}

/** Mostly requests that are almost right: most faults lie just beside what is expected. */
export function makeRequests(): fc.Arbitrary<FuzzRequest> {
  return fc.record({ method: methods(), target: targets(), headers: headers() });
}

const ENDPOINT_LIST: readonly Operation[] = Object.values(OPERATIONS);

function methods(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant("GET") },
    { weight: 3, arbitrary: fc.constantFrom("HEAD", "OPTIONS") },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
        "TRACE",
        "PROPFIND",
        "PURGE",
        "QUERY",
        "NONSENSE",
      ),
    },
  );
}

function targets(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...ENDPOINT_LIST).chain(targetsOf) },
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_PATHS) },
    {
      weight: 1,
      arbitrary: fc.array(escapedTexts(), { maxLength: 6 }).map((parts) => `/${parts.join("/")}`),
    },
  );
}

/** Requests of one endpoint: its parameters, some of another's, sometimes one twice. */
function targetsOf({ path, parameters }: Operation): fc.Arbitrary<string> {
  const keys = Object.keys(PARAMETERS) as ParameterKey[];
  const pairs = (from: readonly ParameterKey[]) =>
    from.length === 0
      ? fc.constant("")
      : fc.constantFrom(...from).chain((key) => pairsOf(PARAMETERS[key]));
  const query = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.array(pairs(parameters.filter((key) => PARAMETERS[key].in === "query")), {
        maxLength: 3,
      }),
    },
    { weight: 1, arbitrary: fc.array(pairs(keys), { maxLength: 6 }) },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.tuple(escapedTexts(), escapedTexts()).map((pair) => pair.join("=")),
        { maxLength: 4 },
      ),
    },
  );
  const inPath = parameters.filter((key) => PARAMETERS[key].in === "path");
  const filled = fc.tuple(...inPath.map((key) => segmentsOf(PARAMETERS[key])));
  return fc.tuple(filled, query).map(([segments, parts]) => {
    const fill = (filled: string, key: ParameterKey, place: number) =>
      filled.replace(`{${PARAMETERS[key].name}}`, () => segments[place] ?? "");
    const filledPath = inPath.reduce(fill, path);
    return parts.length === 0 ? filledPath : `${filledPath}?${parts.join("&")}`;
  });
}

function pairsOf(parameter: Parameter): fc.Arbitrary<string> {
  return segmentsOf(parameter).map((value) => `${parameter.name}=${value}`);
}

/** An escaped value: right, just out of bounds, or anything. */
function segmentsOf(parameter: Parameter): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: rightValues(parameter).map(escape) },
    { weight: 2, arbitrary: besideValues(parameter).map(escape) },
    { weight: 1, arbitrary: escapedTexts() },
  );
}

function rightValues({ name, values, min, max }: Parameter): fc.Arbitrary<string> {
  if (values !== undefined) return fc.constantFrom(...values);
  if (name === "votePubkey")
    return fc.oneof(
      knownKeys(),
      fc.uint8Array({ minLength: 32, maxLength: 32 }).map(base58.encode),
    );
  if (name === "q")
    return fc.oneof(
      fc.constantFrom("Validator", "validator 1", "11", "Gone"),
      fc.string({ minLength: 2, unit: "grapheme" }),
    );
  if (name === "epoch")
    return fc.integer({ min: LATEST_EPOCH - 200, max: LATEST_EPOCH + 2 }).map(String);
  return fc
    .maxSafeNat()
    .map((number) => String((min ?? 0) + (number % ((max ?? number) - (min ?? 0) + 1))));
}

function besideValues({ name, values, min = 0, max = 0 }: Parameter): fc.Arbitrary<string> {
  if (values !== undefined)
    return fc.constantFrom(
      ...values.flatMap((value) => [value.toUpperCase(), ` ${value}`, value.slice(1)]),
      ...NETWORKS,
    );
  if (name === "votePubkey")
    return fc
      .tuple(
        knownKeys(),
        fc.nat({ max: 43 }),
        fc.constantFrom("", "0", "O", "l", "1", "é", "/", "%"),
      )
      .map(([key, at, text]) => key.slice(0, at) + text + key.slice(at + 1));
  if (name === "q") return fc.string({ maxLength: 2, unit: "binary" });
  return fc.constantFrom(
    String(min - 1),
    String(max + 1),
    `0${min}`,
    `${min}.0`,
    `${min} `,
    `+${min}`,
    `${max}0`,
    `${min}e1`,
  );
}

function knownKeys(): fc.Arbitrary<string> {
  return fc.constantFrom(toPubkey(1), toPubkey(2), toPubkey(60), toPubkey(200));
}

function escapedTexts(): fc.Arbitrary<string> {
  const texts = fc.oneof(
    fc.constantFrom(...HOSTILE_TEXTS),
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.string({ maxLength: 20 }),
  );
  return fc.tuple(texts, fc.nat({ max: 9 })).map(([text, how]) => {
    const escaped = escape(text);
    if (how === 0) return encodeURIComponent(escaped);
    if (how === 1) return escaped.replaceAll("%25", "%");
    return how === 2 ? escaped.slice(0, -1) : escaped;
  });
}

/** Escapes dots too: clients resolve `..` in a path. */
function escape(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/^\.+$/, (dots) =>
    "%2e".repeat(dots.length),
  );
}

/** Headers that the proxy or a server before it reads, with good and bad values. */
function headers(): fc.Arbitrary<Record<string, string>> {
  const character = fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f);
  const anything = fc.string({
    unit: character.map((code) => String.fromCharCode(code)),
    maxLength: 60,
  });
  const one = fc
    .constantFrom(...KNOWN_HEADERS)
    .chain(([name, known]) =>
      fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom(...known), anything)),
    );
  return fc.array(one, { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs));
}
