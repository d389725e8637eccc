import { describe, expect, it } from "vitest";
import { variables as generatorVariables } from "../../generator/settings/settings.ts";
import { readCompose } from "./_compose.ts";
import { read } from "./_files.ts";
import { variables as proxyVariables } from "../../proxy/settings.ts";

const text = read("infra/compose.yaml");
const SECRETS = {
  GENERATOR_SECRET: "g".repeat(64),
  PROXY_SECRET: "p".repeat(64),
  VALKEY_PASSWORD: "v".repeat(64),
};

const file = readCompose("infra/compose.yaml");
const services = Object.entries(file.services);
const beside = Object.entries(readCompose("infra/compose.prometheus.yaml").services);

/**
 * What every service lacks: rights, a place to write, and memory, logs and restarts without end.
 */
const CONFINED = {
  read_only: true,
  cap_drop: ["ALL"],
  security_opt: ["no-new-privileges:true"],
  mem_limit: expect.stringMatching(/^\d+m$/) as string,
  restart: expect.stringMatching(/^(?:unless-stopped|on-failure:\d+)$/) as string,
  logging: { options: { "max-size": "10m", "max-file": "3" } },
};

describe("the compose file", () => {
  it.each([...services, ...beside])(
    "lets %s write only in its volumes, with no rights, memory or log without end",
    (_, service) => expect(service).toMatchObject(CONFINED),
  );

  it("opens one port, of nginx, and to this machine alone", () => {
    expect(services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]))).toEqual(
      [["nginx", "${LISTEN:-127.0.0.1:8080}:8080"]],
    );
  });

  it("lets nginx reach the proxy alone, and nobody from outside the store or Valkey", () => {
    const isInternal = (network: string) => file.networks[network]?.internal === true;
    const open = services
      .filter(([, { networks }]) => !networks.every(isInternal))
      .map(([name]) => name);
    expect(open.toSorted()).toEqual(["generator", "nginx", "proxy"]);
    const ofNginx = file.services["nginx"]?.networks ?? [];
    const beside = services.filter(([, { networks }]) =>
      networks.some((network) => ofNginx.includes(network)),
    );
    expect(beside.map(([name]) => name).toSorted()).toEqual(["nginx", "proxy"]);
  });

  it("gives the proxy no word that opens the state", () => {
    expect(JSON.stringify(file.services["proxy"])).not.toMatch(/GENERATOR_SECRET|RUGWATCH_STATE/);
  });

  it("holds the secrets of .env.example and no other, which are empty there", () => {
    const example = read("infra/.env.example");
    const required = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    expect([...required].toSorted()).toEqual(Object.keys(SECRETS).toSorted());
    for (const name of required) expect(example).toMatch(new RegExp(`^${name}=$`, "m"));
    const named = [...(text + read("infra/compose.tls.yaml")).matchAll(/\$\{(\w+)/g)].map(
      ([, name = ""]) => name,
    );
    expect(
      [...new Set(named)].filter((name) => !new RegExp(`^${name}=`, "m").test(example)),
    ).toEqual([]);
  });

  it("sets no variable that generator and proxy do not know", () => {
    const known = new Set([
      ...Object.keys(generatorVariables.shape),
      ...Object.keys(proxyVariables.shape),
    ]);
    const set = ["generator", "proxy"].flatMap((name) =>
      Object.keys(file.services[name]?.environment ?? {}),
    );
    expect(set.filter((name) => !known.has(name) && !name.startsWith("AWS_"))).toEqual([]);
  });

  it("pins each image by version and digest, and names the store that the tests run on", () => {
    const [, version] = /versitygw (v[\d.]+)/.exec(read(".ci/install-s3")) ?? [];
    expect(file.services["store"]?.image.split("@")[0]).toBe(`versity/versitygw:${version}`);
    const pulled = [...services, ...beside]
      .filter(([, one]) => one.pull_policy !== "never")
      .map(([, { image }]) => image);
    const bases = [...read("infra/Dockerfile").matchAll(/^FROM (\S+:\S+)/gm)].map(
      ([, image = ""]) => image,
    );
    for (const image of [...pulled, ...bases])
      expect(image).toMatch(/^[\w./-]+:[\w.-]*\d[\w.-]*@sha256:[\da-f]{64}$/);
    expect([pulled.length, bases.length]).toEqual([4, 1]);
  });
});
