import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OPERATIONS, type Operation } from "../../../generator/contract/operations.ts";
import { MESSAGES } from "../../../generator/contract/errors.ts";
import { PARAMETERS, type Parameter } from "../../../generator/contract/parameters.ts";
import { readSettings } from "../../../proxy/config.ts";

const read = (file: string) =>
  readFileSync(new URL(`../../../infra/nginx/${file}`, import.meta.url), "utf8").replaceAll(/^\s*#.*$/gm, "");

interface Location {
  kind: string;
  path: string;
  parameters: string[];
}

/** The locations of nginx.conf that cache, those before others that nginx tries before them: https://nginx.org/r/location */
function readLocations(): Location[] {
  const lines = read("nginx.conf").matchAll(/location (=|~)? ?(\S+)\s+\{ set \$target \$path(\S*);/g);
  const locations = [...lines].map(([, kind = "", path = "", target = ""]) => ({
    kind,
    path,
    parameters: [...target.matchAll(/\$(?:and_)?([a-z]+)/g)].map(([, name = ""]) => name),
  }));
  return ["=", "~", ""].flatMap((kind) => locations.filter((location) => location.kind === kind));
}

function isAt({ kind, path }: Location, asked: string): boolean {
  if (kind === "=") return asked === path;
  return kind === "~" ? new RegExp(path).test(asked) : asked.startsWith(path);
}

describe("the parameters in nginx' cache key", () => {
  const locations = readLocations();

  it.each(Object.values(OPERATIONS).map((endpoint: Operation) => [endpoint.path, endpoint.parameters] as const))(
    "of %s are those that it has",
    (path, keys) => {
      const inQuery = keys.map((key): Parameter => PARAMETERS[key]).filter((parameter) => parameter.in === "query");
      const location = locations.find((one) => isAt(one, path));
      expect(location?.parameters.toSorted()).toEqual(inQuery.map(({ name }) => name).toSorted());
    },
  );

  it("are all that there are, each read under its own name, and the network by its default", () => {
    const maps = read("request.conf").matchAll(/map \$arg_(\w+) \$(\w+) \{ default (\S+); "" (\S+); \}/g);
    const names = Object.values(PARAMETERS).flatMap((parameter: Parameter) =>
      parameter.in === "query" ? [parameter.name] : [],
    );
    const expected = [...new Set(names)].map((name) =>
      name === "network"
        ? [name, name, "$arg_network", PARAMETERS.network.default]
        : [name, `and_${name}`, `&${name}=$arg_${name}`, '""'],
    );
    expect([...maps].map(([, ...found]) => found).toSorted()).toEqual(expected.toSorted());
  });
});

describe("nginx' guard", () => {
  const { rateLimitPerMinute } = readSettings({});

  it("lets through what two windows of the proxy hold, and tells of its limit", () => {
    expect(read("client.conf")).toContain(`zone=requests:10m rate=${rateLimitPerMinute}r/m;`);
    expect(read("limit.conf")).toContain(`burst=${2 * rateLimitPerMinute - 1} nodelay;`);
    expect(read("errors.conf")).toContain(`add_header X-RateLimit-Limit ${rateLimitPerMinute} always;`);
    expect(read("errors.conf")).toContain(`"default";q=${rateLimitPerMinute};w=60`);
  });

  it.each(Object.entries(MESSAGES))("tells of %s in the proxy's words", (code, message) => {
    expect(read("errors.conf")).toContain(JSON.stringify({ error: { code, message } }));
  });
});
