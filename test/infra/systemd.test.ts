import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as generator from "../../generator/settings/settings.ts";
import * as proxy from "../../proxy/settings.ts";
import { read, ROOT, scripts } from "./_files.ts";

const FOLDER = new URL("infra/systemd/", ROOT);

const files = readdirSync(FOLDER).map((name) => ({
  name,
  settings: readSettings(read(`infra/systemd/${name}`)),
}));
const units = files.filter(({ name }) => !name.endsWith(".example"));
const services = units.filter(({ name }) => name.endsWith(".service"));

function readSettings(text: string): ReadonlyMap<string, string[]> {
  const byName = Map.groupBy(text.matchAll(/^(\w+)=(.*)$/gm), ([, name = ""]) => name);
  return new Map([...byName].map(([name, own]) => [name, own.map(([, , value = ""]) => value)]));
}

const findAll = (name: string, of = services) =>
  of.flatMap(({ settings }) => settings.get(name) ?? []);

const toHardening = (name: string) =>
  /^# Sandbox: [^]*?^SystemCallErrorNumber=.*$/m.exec(read(`infra/systemd/${name}`))?.[0];

describe("the units of systemd", () => {
  it("start what the scripts of the package start, with the same flags, and nothing else of ours", () => {
    const flagsOf = (line = "") =>
      [...line.matchAll(/--(?:max-semi|no-allocation)\S+/g)].map(([flag]) => flag);
    const startOf = (name: string) =>
      services.find((one) => one.name === name)?.settings.get("ExecStart")?.[0] ?? "";
    expect(flagsOf(startOf("rugwatch-proxy.service"))).toEqual(flagsOf(scripts["proxy"]));
    expect(flagsOf(startOf("rugwatch-generator.service"))).toEqual(flagsOf(scripts["generate"]));
    const programs = findAll("ExecStart").flatMap((line) => /\S+\.ts/.exec(line) ?? []);
    expect(programs.length).toBe(3);
    expect(programs.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
  });

  it("take the same rights away from each service, and give root to none", () => {
    const [first, ...others] = services.map(({ name }) => toHardening(name));
    expect(first).toContain("ProtectSystem=strict");
    expect(others).toEqual(others.map(() => first));
    const isUser = ({ settings }: (typeof services)[number]) =>
      settings.has("DynamicUser") || settings.get("User")?.[0] === "rugwatch";
    expect(services.filter((one) => !isUser(one))).toEqual([]);
  });

  it("keep the journal from the proxy, and hold no secret", () => {
    const ofProxy = services.filter(({ name }) => name === "rugwatch-proxy.service");
    expect(findAll("InaccessiblePaths", ofProxy)).toEqual(["-/var/lib/rugwatch/state"]);
    expect(new Set(findAll("Environment", units))).toEqual(new Set(["NETWORK=mainnet"]));
  });
});

describe("the sample settings", () => {
  const samples = files.filter(({ name }) => name.endsWith(".example"));

  it("are of the files that the units read", () => {
    const named = findAll("EnvironmentFile", units);
    const copied = samples.map(({ name }) => `/etc/rugwatch/${name.replace(".example", "")}`);
    expect(copied.toSorted()).toEqual([...new Set(named)].toSorted());
  });

  it.each([
    [
      "generator.env.example",
      ["NETWORK", ...Object.keys(generator.variables.shape)],
      generator.readSettings,
    ],
    ["proxy.env.example", Object.keys(proxy.variables.shape), proxy.readSettings],
  ] as const)(
    "%s names only variables that are read, with values that are taken",
    (name, known, readThem) => {
      const lines = read(`infra/systemd/${name}`).matchAll(/^#?([A-Z_]+)=(.*)$/gm);
      const given = [...lines].map(([, variable = "", value = ""]) => [variable, value] as const);
      const own = given.filter(([variable]) => !variable.startsWith("AWS_"));
      expect(own.length).toBeGreaterThan(4);
      expect(own.filter(([variable]) => !known.includes(variable))).toEqual([]);
      const plain = own.filter(([variable]) => !["ALERT_WEBHOOKS", "SITE_DIR"].includes(variable));
      expect(() => readThem(Object.fromEntries(plain))).not.toThrow();
    },
  );
});
