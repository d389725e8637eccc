import { describe, expect, it } from "vitest";
import { variables as generatorVariables } from "../../generator/settings/settings.ts";
import { CONFINED, readCompose } from "./_compose.ts";
import { read } from "./_files.ts";
import { readServices } from "../integration/one-machine/compose.ts";
import { variables as proxyVariables } from "../../proxy/settings.ts";

const text = read("infra/compose.yaml");
const SECRETS = {
  GENERATOR_SECRET: "g".repeat(64),
  PROXY_SECRET: "p".repeat(64),
  VALKEY_PASSWORD: "v".repeat(64),
};

const file = readCompose("infra/compose.yaml");
const services = Object.entries(file.services);

describe("the compose file", () => {
  it.each(services)(
    "lets %s write only in its volumes, with no rights, memory or log without end",
    (_, service) => expect(service).toMatchObject(CONFINED),
  );

  it("builds each image in one service, and asks no registry for it", () => {
    const own = services.filter(([, { image }]) => image === "rugwatch");
    expect(own.map(([name, one]) => [name, one.pull_policy])).toEqual(
      ["proxy", "generator", "buckets"].map((name) => [name, "never"]),
    );
    expect(services.flatMap(([name, { build }]) => (build === undefined ? [] : [name]))).toEqual([
      "buckets",
    ]);
  });

  it("fits into a machine of 4 GB, and lets a rebuild run beside the generator", () => {
    const megabytes = new Map(
      services.map(([name, service]) => [name, Number.parseInt(service.mem_limit ?? "", 10)]),
    );
    // Of mainnet, by `npm run bench`: 394 MB for `run` and 325
    // MB for `rebuild`; the databases of places are 130 MB.
    expect(megabytes.get("generator")).toBeGreaterThan(394 + 325 + 130);
    expect([...megabytes.values()].reduce((sum, one) => sum + one, 0)).toBeLessThan(3_500);
  });

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

  it.each(Object.keys(SECRETS))("refuses to start with an empty %s, and shows none", (name) => {
    const start = () => readServices(text, { ...SECRETS, [name]: "" });
    expect(start).toThrow(`${name} is empty: set it in infra/.env.`);
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

  it("builds the site with its address and the repository's", () => {
    const wanted = [...read("infra/Dockerfile").matchAll(/^ARG (\w+)$/gm)].map(([, name]) => name);
    expect(Object.keys(file.services["buckets"]?.build?.args ?? {})).toEqual(wanted);
    expect(wanted).toEqual(["RUGWATCH_SITE_URL", "RUGWATCH_REPOSITORY_URL"]);
  });

  it("pins each image by version and digest, and names the store that the tests run on", () => {
    const [, version] = /versitygw (v[\d.]+)/.exec(read(".ci/install-s3")) ?? [];
    expect(file.services["store"]?.image.split("@")[0]).toBe(`versity/versitygw:${version}`);
    const beside = Object.entries(readCompose("infra/compose.prometheus.yaml").services);
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

  it("starts services after those that they need", () => {
    const order = [...readServices(text, SECRETS).keys()];
    for (const chain of [
      ["store", "buckets", "generator"],
      ["buckets", "proxy", "nginx"],
      ["valkey", "proxy"],
    ])
      expect(order.filter((name) => chain.includes(name))).toEqual(chain);
  });
});
