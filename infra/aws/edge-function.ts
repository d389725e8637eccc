import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { FORMS } from "../../generator/contract/forms.ts";
import { DEFAULT_NETWORK, NETWORKS } from "../../generator/contract/networks.ts";
import {
  NETWORK_IN_QUERY,
  SITE_PATHS,
  VALIDATOR_PAGE,
} from "../../generator/contract/site-pages.ts";
import { PUBKEY_PATTERN } from "../../generator/contract/values.ts";
import { findRoute } from "./routes.ts";

// node infra/aws/edge-function.ts: writes
// infra/dist/edge.js, the source of the CloudFront function.

const ROOT = `/${FORMS.document.folder}/`;

/** No epoch will have ten digits. */
const NAMES: Readonly<Record<string, string>> = {
  votePubkey: PUBKEY_PATTERN.source.slice(1, -1),
  epoch: "(?:0|[1-9]\\d{0,8})",
};

/**
 * Rewrites addresses into bucket keys. All else goes to the proxy, which alone judges requests.
 *
 * ECMAScript 5.1, all of which runtime 2.0 supports:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
 */
export function buildEdgeFunction(): string {
  const networks = NETWORKS.join("|");
  return `function handler(event) {
  var request = event.request;
  var path = request.uri;
  // CloudFront compares parameter names exactly as written.
  var query = (request.rawQueryString() || "").replace(/%(6[1-9a-f]|7[0-9a])/gi, function (escape, code) {
    return String.fromCharCode(parseInt(code, 16));
  });
  var network = /^(?:network=(${networks}))?$/.exec(query);
  var page = ${VALIDATOR_PAGE.toString()}.exec(path);
  var named = ${NETWORK_IN_QUERY.toString()}.exec(request.rawQueryString() || "");
  if (page) {
    path = "/${FORMS.page.folder}/" + (named ? named[1] : "${DEFAULT_NETWORK}") + "/" + page[1] + ".${FORMS.page.extension}";
    query = "";
  } else if (network && ${toDocumentPattern()}.test(path)) {
    path = "${ROOT}" + (network[1] || "${DEFAULT_NETWORK}") + "/" + path.slice(${ROOT.length}) + ".${FORMS.document.extension}";
    query = "";
  } else if (/^(?:\\/healthz|\\/readyz|${toSource(ROOT)}(?:${networks})\\/.*|\\/${FORMS.page.folder}\\/.*\\.${FORMS.page.extension})$/.test(path)) {
    // Hides object keys and the operator's paths: no object's key ends in a slash.
    path += "/";
  } else if (/^(?:${SITE_PATHS.map(toSource).join("|")})$/.test(path)) {
    path = "/index.html";
    query = "";
  }
  request.uri = path;
  request.querystring = query;
  return request;
}
`;
}

/** Paths of documents in the bucket whose key differs. */
function toDocumentPattern(): string {
  const paths = Object.values(OPERATIONS)
    .map(({ path }) => path)
    .filter((path) => path.startsWith(ROOT) && findRoute(path)?.origin === "bucket");
  const toPattern = (path: string) =>
    toSource(path.slice(ROOT.length)).replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => NAMES[name] ?? `{${name}}`,
    );
  return `/^${toSource(ROOT)}(?:${paths.map(toPattern).join("|")})$/`;
}

function toSource(text: string): string {
  return text.replaceAll("/", "\\/");
}

if (import.meta.main) {
  const file = join(import.meta.dirname, "../dist/edge.js");
  const script = buildEdgeFunction();
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, script);
  process.stdout.write(`Wrote ${file} (${Buffer.byteLength(script)} bytes).\n`);
}
