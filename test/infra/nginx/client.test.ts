import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntilOpen } from "../../../infra/one-machine/processes.ts";
import { createClientKeys } from "../../../proxy/limits/client-address.ts";
import { findFreePort } from "../../free-port.ts";
import { askAt, hasNginx, type Ask } from "./_edge.ts";

const FILE = join(import.meta.dirname, "../../../infra/nginx/client.conf");
const toProxyKey = createClientKeys({ by: "nothing" });

describe.skipIf(!hasNginx)("whom nginx counts", () => {
  let ask: Ask;
  let stop: () => Promise<void>;
  // client.conf as it is, in a server that says whom it took for the client.
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), "rugwatch-client-"));
    await chmod(directory, 0o755);
    const port = await findFreePort();
    await copyFile(FILE, join(directory, "client.conf"));
    await writeFile(join(directory, "nginx.conf"), toConfiguration(port));
    const nginx = spawn("nginx", ["-p", `${directory}/`, "-c", join(directory, "nginx.conf")], { stdio: "ignore" });
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

  const toKey = async (address: string) => (await ask("/", { headers: { "x-address": address } })).body.toString();

  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8:1:2::1", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:db8:0:0:a:b:c:d", "2001:db8:0:0"],
    ["2001:0:0:7:a:b:c:d", "2001:0:0:7"],
    ["::1", "0:0:0:0"],
  ])("%s is %s", async (address, key) => {
    expect(await toKey(address)).toBe(key);
  });

  it("is whom the proxy counts, of any address", async () => {
    // Mostly zeros: where they are decides how an address is written.
    const group = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 0xffff }));
    const address = fc.array(group, { minLength: 8, maxLength: 8 }).map((parts) => new ipaddr.IPv6(parts).toString());
    const property = fc.asyncProperty(address, async (text) => {
      expect(await toKey(text)).toBe(toProxyKey({ peer: text, getHeader: () => null }));
    });
    await fc.assert(property, { numRuns: 500 });
  });
});

function toConfiguration(port: number): string {
  return `daemon off; pid nginx.pid; error_log stderr alert; events { worker_connections 64; }
http {
  include client.conf; access_log off; client_body_temp_path bodies; proxy_temp_path proxied;
  fastcgi_temp_path unused; uwsgi_temp_path unused; scgi_temp_path unused;
  server {
    listen 127.0.0.1:${port}; set_real_ip_from 127.0.0.0/8; real_ip_header X-Address;
    location / { default_type text/plain; return 200 $client; }
  }
}
`;
}
