/**
 * Parts of an address, all secret, with characters that can be spelt in many ways.
 * Each holds the mark `zqxjkvw`, the same in all spellings: where it appears, a
 * secret leaked. It is long, because short ones occur by chance in an ETag.
 */
export const ADDRESS_PARTS = {
  credentials: "us%C3%A9r-zqxjkvw-1:p%3Ass%2Fw%22rd-zqxjkvw-2",
  path: "p%40th%20k%C3%A9y-zqxjkvw-3",
  query: "zqxjkvw-4-name=qu%2Fery+%26k%3D%3Cy%3E-zqxjkvw-5&tier=%22zqxjkvw%5C(6)!%22",
  fragment: "fr%40gm'nt-zqxjkvw-7",
};

const CREDENTIALS = decodeURIComponent(ADDRESS_PARTS.credentials);
const BASE64 = Buffer.from(CREDENTIALS).toString("base64");

/** Any secret, or the header with user and password. */
export const LEAK = new RegExp(`zqxjkvw|${BASE64.replaceAll("+", "\\+").slice(0, 24)}`, "i");

/** Everything a server can repeat of a request. */
export function echo({
  url,
  authorization,
}: {
  url: string;
  authorization: string;
}): Record<string, string> {
  const query = new URLSearchParams(url.split("?")[1]);
  const decoded = [
    decodeURIComponent(url.replaceAll("+", " ")),
    ...query.values(),
    ...query.keys(),
  ].join(" ");
  const { credentials, fragment } = ADDRESS_PARTS;
  return {
    "as it was sent": `cannot POST ${url}`,
    "with its origin": `no route for http://${credentials}@rpc.example${url}#${fragment}`,
    "its header": `Authorization: ${authorization}`,
    decoded: `${decoded} ${CREDENTIALS} ${decodeURIComponent(fragment)}`,
    "decoded, with plus signs left": decodeURIComponent(url),
    "decoded, and encoded as a whole": encodeURI(decoded),
    "encoded anew": encodeURIComponent(url),
    "its parts encoded": [...query.values()].map(encodeURIComponent).join("&"),
    "as a form": query.toString(),
    "in small letters": url.toLowerCase(),
    "in capitals": url.toUpperCase(),
    "in JSON": JSON.stringify({ url, decoded }),
    "in JSON with escaped slashes": JSON.stringify({ url, decoded }).replaceAll("/", "\\/"),
    "in JSON that is encoded": encodeURI(JSON.stringify({ url, decoded })),
    "in HTML": `<pre>${toHtml(url)} ${toHtml(decoded)} ${toHtml(CREDENTIALS)}</pre>`,
    "after a long text": `${"x".repeat(330)} ${url} ${decoded}`,
  };
}

function toHtml(text: string): string {
  const names: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replaceAll(/[&<>"']/g, (character) => names[character] ?? character);
}
