import { readFileSync } from "node:fs";
import { H3, serve } from "h3";
import { CONTENT_TYPE } from "../../../generator/contract/objects.ts";

// h3 with one handler that returns the bytes of a file: what the framework alone costs. Arguments: the path, the file.

const [path = "", file = ""] = process.argv.slice(2);
const body = readFileSync(file);
const app = new H3({ silent: true }).get(path, (event) => {
  event.res.headers.set("content-type", CONTENT_TYPE);
  return body;
});
const server = serve(app, { port: 0, hostname: "127.0.0.1", silent: true, gracefulShutdown: false });
await server.ready();
process.stderr.write(`listening on ${(server.url ?? "").replace(/\/$/, "")}\n`);
