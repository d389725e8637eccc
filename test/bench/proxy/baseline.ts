import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { H3, toNodeHandler } from "h3";

// Arguments: `node` or `h3`, a file with the headers as a list in JSON, a file with the body.

const [framework, headersFile = "", bodyFile = ""] = process.argv.slice(2);
const headers = JSON.parse(readFileSync(headersFile, "utf8")) as [string, string][];
const body = readFileSync(bodyFile);
const app = new H3({ silent: true }).get("/**", (event) => {
  for (const [name, value] of headers) event.res.headers.set(name, value);
  return body;
});
const server =
  framework === "h3"
    ? createServer(toNodeHandler(app))
    : createServer((_, response) => {
        response.writeHead(200, headers.flat());
        response.end(body);
      });
server.listen(0, "127.0.0.1", () => {
  const message = `listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.stderr.write(`${JSON.stringify({ message })}\n`);
});
