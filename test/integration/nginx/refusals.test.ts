import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { errorSchema } from "../../../generator/contract/errors.ts";
import { CONTENT_TYPE } from "../../../generator/contract/objects.ts";
import { findFreePort } from "../../free-port.ts";
import { exchange } from "../../proxy/http/_raw.ts";
import { waitUntilOpen } from "../open-port.ts";
import { askAt, hasNginx, newClient, startEdge, startNginx, type Edge } from "./_edge.ts";

const HEAD = "HTTP/1.1\r\nHost: a\r\n";
const LIST = "/api/v1/validators";
const ADVICE = new Map([
  [413, "Send it without a body."],
  [414, "Shorten its path and query"],
  [431, "Shorten its headers."],
  [503, "Try again in 5 s."],
]);
const adviceFor = (status = 0) => ADVICE.get(status) ?? "Check its method, path and headers";

describe.skipIf(!hasNginx)("what nginx refuses by itself", () => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await startEdge();
  });
  afterAll(async () => edge.close());

  it.each([
    ["a request that is none", "NONSENSE\r\n\r\n", 400, "bad_request"],
    ["a request without Host", `GET ${LIST} HTTP/1.1\r\n\r\n`, 400, "bad_request"],
    ["two Hosts", `GET ${LIST} ${HEAD}Host: b\r\n\r\n`, 400, "bad_request"],
    ["HTTP/2.0 in a request line", `GET ${LIST} HTTP/2.0\r\nHost: a\r\n\r\n`, 400, "bad_request"],
    ["a body of a GET", `GET ${LIST} ${HEAD}Content-Length: 5\r\n\r\nabcde`, 413, "bad_request"],
    [
      "a body of a page",
      `GET / ${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n`,
      413,
      "bad_request",
    ],
    ["a body too long", `POST ${LIST} ${HEAD}Content-Length: 1025\r\n\r\n`, 413, "bad_request"],
    ["a target too long", `GET /${"a".repeat(20_000)} ${HEAD}\r\n`, 414, "uri_too_long"],
    [
      "a header too long",
      `GET / ${HEAD}X: ${"a".repeat(20_000)}\r\n\r\n`,
      431,
      "headers_too_large",
    ],
    [
      "a body in a coding unknown",
      `POST ${LIST} ${HEAD}Transfer-Encoding: gzip\r\n\r\n`,
      400,
      "bad_request",
    ],
    ["a method nobody takes", `TRACE ${LIST} ${HEAD}\r\n`, 405, "method_not_allowed"],
    ["CONNECT", `CONNECT a:443 ${HEAD}\r\n`, 400, "bad_request"],
    ["a page of its own", `GET /.error ${HEAD}Connection: close\r\n\r\n`, 404, "not_found"],
  ])("is told in the API's form: %s", async (_, bytes, status, code) => {
    const [answer] = (await exchange(edge.url, bytes, 1)).answers;
    expect(answer?.status, answer?.body).toBe(status);
    const { error } = errorSchema.strict().parse(JSON.parse(answer?.body ?? ""));
    expect(error).toMatchObject({
      code,
      message: expect.stringContaining(adviceFor(status)) as string,
    });
    expect(answer?.headers).toMatchObject({
      "content-type": CONTENT_TYPE,
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
      "access-control-expose-headers":
        "RateLimit-Policy, Retry-After, X-RateLimit-Limit, X-Request-Id",
      "x-content-type-options": "nosniff",
      "x-ratelimit-limit": "60",
      "ratelimit-policy": '"default";q=60;w=60',
      "x-request-id": expect.stringMatching(/^[\da-f]{32}$/) as string,
    });
    expect(answer?.headers["allow"]).toBe(status === 405 ? "GET, HEAD, OPTIONS" : undefined);
  });

  it("is all that is not cached, while the proxy is away, and its log names no query and no path that is not plain", async () => {
    const other = await startEdge();
    onTestFinished(() => other.close());
    await other.closeProxy();
    const ids: unknown[] = [];
    for (const path of [`${LIST}?q=secret`, "/api/v1/%1b[31mred", `/api/v1/${"a".repeat(100)}`]) {
      const { status, headers, body } = await other.ask(path);
      expect([status, headers["retry-after"], headers["cache-control"]]).toEqual([
        503,
        "5",
        "no-store",
      ]);
      ids.push(headers["x-request-id"]);
      const { error } = errorSchema.parse(JSON.parse(body.toString()));
      expect([error.code, error.message]).toEqual([
        "upstream_unavailable",
        expect.stringContaining(adviceFor(status)) as string,
      ]);
    }
    const lines = (await other.readLog()).map(
      (line) => JSON.parse(line) as { message: string; requestId: string },
    );
    expect(lines.map(({ requestId }) => requestId)).toEqual(ids);
    const notPlain = "GET (a path that is not plain): 503";
    expect(lines.map(({ message }) => message)).toEqual([`GET ${LIST}: 503`, notPlain, notPlain]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|red|127\.1/);
  });

  it("is no request for being one too many: those the proxy counts", async () => {
    const from = newClient();
    for (let count = 0; count < 200; count += 1)
      expect((await edge.ask(LIST, { from })).status).toBe(200);
  });
});

describe.skipIf(!hasNginx)("the proxy's own limit", () => {
  it("counts whom nginx heard, whatever a client says of itself", async () => {
    const edge = await startEdge({ perMinute: 3 });
    onTestFinished(() => edge.close());
    const from = newClient();
    const ask = (count: number) => {
      const headers = { "x-forwarded-for": `1.2.3.${count}` };
      return edge.ask(`/api/v1/search?q=ab${count}`, { from, headers });
    };
    const statuses = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await ask(count)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect((await edge.ask("/api/v1/search?q=ab9")).status).toBe(200);
  });
});

describe.skipIf(!hasNginx)("a connection", () => {
  it("may be used for many requests, and says nothing of what nginx this is", async () => {
    const edge = await startEdge();
    onTestFinished(() => edge.close());
    const { answers } = await exchange(edge.url, `GET /healthz ${HEAD}\r\n`.repeat(3), 3);
    expect(answers.map(({ status, headers }) => [status, headers["server"]])).toEqual(
      Array(3).fill([200, "nginx"]),
    );
  });

  it("over TLS tells browsers to stay with it, errors too, and one without does not", async () => {
    const { port, url } = await startWithTls();
    for (const path of [LIST, "/", "/.error"]) {
      const request = httpsRequest({ port, path, rejectUnauthorized: false }).end();
      const [response] = (await once(request, "response")) as [IncomingMessage];
      expect(response.resume().headers["strict-transport-security"], path).toBe("max-age=31536000");
      expect((await askAt(url)(path)).headers).not.toHaveProperty("strict-transport-security");
    }
  });

  it("over TLS is read by nobody who later steals the key: no static RSA", async () => {
    const { port } = await startWithTls();
    const connect = async (ciphers: string) => {
      const socket = connectTls({
        port,
        ciphers,
        maxVersion: "TLSv1.2",
        rejectUnauthorized: false,
      });
      const [outcome] = await Promise.race([
        once(socket, "secureConnect").then(() => ["connected"]),
        once(socket, "close").then(() => ["refused"]),
      ]).catch(() => ["refused"]);
      socket.destroy();
      return outcome;
    };
    expect(await connect("ECDHE-RSA-AES128-GCM-SHA256")).toBe("connected");
    expect(await connect("AES128-GCM-SHA256")).toBe("refused");
    expect(await connect("AES256-SHA256")).toBe("refused");
  });

  it("that came without TLS is sent to where there is, except for what proves the domain", async () => {
    const { plainUrl, directory } = await startWithTls();
    const ask = askAt(plainUrl);
    const { status, headers } = await ask(`${LIST}?page=2`, {
      headers: { host: "rugwatch.example" },
    });
    expect([status, headers.location]).toEqual([308, `https://rugwatch.example${LIST}?page=2`]);
    const folder = join(directory, ".well-known/acme-challenge");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "token"), "proof");
    const proof = await ask("/.well-known/acme-challenge/token");
    expect([proof.status, proof.body.toString()]).toEqual([200, "proof"]);
    expect((await ask("/.well-known/acme-challenge/../../privkey.pem")).status).toBe(308);
  });
});

/** With a certificate of the older kind, whose key could serve as static RSA. */
async function startWithTls() {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-tls-"));
  await chmod(directory, 0o755);
  const key = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "1",
    "-subj",
    "/CN=localhost",
  ];
  const files = ["-keyout", "privkey.pem", "-out", "fullchain.pem"];
  execFileSync("openssl", [...key, ...files], { cwd: directory, stdio: "ignore" });
  const edge = await startEdge();
  const port = await findFreePort();
  const plainPort = await findFreePort();
  const tls = { listen: `127.0.0.1:${port}`, plain: `127.0.0.1:${plainPort}`, directory };
  const nginx = await startNginx(new URL(edge.proxyUrl).host, tls);
  onTestFinished(async () => {
    await nginx.stop();
    await edge.close();
    await rm(directory, { recursive: true });
  });
  return { port, url: nginx.url, plainUrl: `http://127.0.0.1:${plainPort}`, directory };
}

describe.skipIf(!hasNginx)("whose connections nginx counts", () => {
  let ask: ReturnType<typeof askAt>;
  let stop: () => Promise<void>;
  // The real map, in a server that returns the client key.
  beforeAll(async () => {
    const file = await readFile(
      join(import.meta.dirname, "../../../infra/nginx/nginx.conf"),
      "utf8",
    );
    const [map = ""] = /map \$binary_remote_addr \$client \{[^]*?\n {4}\}/.exec(file) ?? [];
    const directory = await mkdtemp(join(tmpdir(), "rugwatch-client-"));
    await chmod(directory, 0o755);
    const port = await findFreePort();
    await writeFile(join(directory, "nginx.conf"), toConfiguration(port, map));
    const nginx = spawn("nginx", ["-p", `${directory}/`, "-c", join(directory, "nginx.conf")], {
      stdio: "ignore",
    });
    const ended = once(nginx, "exit");
    await waitUntilOpen(port, AbortSignal.timeout(10_000));
    ask = askAt(`http://127.0.0.1:${port}`);
    stop = async () => {
      nginx.kill("SIGTERM");
      await ended;
      await rm(directory, { recursive: true });
    };
  });
  afterAll(async () => stop());

  const toKey = async (address: string) => [
    ...(await ask("/", { headers: { "x-address": address } })).body,
  ];

  it.each(["192.0.2.7", "::ffff:192.0.2.7"])("is an IPv4 address: %s", async (address) => {
    expect(await toKey(address)).toEqual([192, 0, 2, 7]);
  });

  it("is the /64 network of an IPv6 address", async () => {
    // Also bytes with a meaning in text: zeros, line breaks, quotes.
    const byte = fc.oneof(fc.constantFrom(0, 10, 13, 34, 36, 92), fc.integer({ min: 0, max: 255 }));
    const address = fc.array(byte, { minLength: 16, maxLength: 16 });
    const property = fc.asyncProperty(address, async (bytes) => {
      fc.pre(bytes[0] !== 0);
      expect(await toKey(ipaddr.fromByteArray(bytes).toString())).toEqual(bytes.slice(0, 8));
    });
    await fc.assert(property, { numRuns: 300 });
  });
});

function toConfiguration(port: number, map: string): string {
  return `daemon off; pid nginx.pid; error_log stderr alert; events { worker_connections 64; }
http {
  ${map}
  access_log off; client_body_temp_path bodies; proxy_temp_path proxied;
  fastcgi_temp_path unused; uwsgi_temp_path unused; scgi_temp_path unused;
  server {
    listen 127.0.0.1:${port}; set_real_ip_from 127.0.0.0/8; real_ip_header X-Address;
    location / { default_type text/plain; return 200 $client; }
  }
}
`;
}
