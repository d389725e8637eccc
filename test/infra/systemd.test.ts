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

  it("give up a program that keeps crashing within three minutes, tell it, and start it again in ten", () => {
    const lasting = services.filter(({ settings }) => settings.has("Restart"));
    expect(lasting.map(({ name }) => name)).toEqual([
      "rugwatch-generator.service",
      "rugwatch-nginx.service",
      "rugwatch-proxy.service",
    ]);
    const seconds = (one: (typeof units)[number] | undefined, name: string) =>
      Number(/^(\d+)s?$/.exec(one?.settings.get(name)?.[0] ?? "")?.[1]);
    for (const one of lasting) {
      // A crash after five seconds, a little time to start.
      const loop = (seconds(one, "RestartSec") + 5) * seconds(one, "StartLimitBurst");
      expect(loop, one.name).toBeLessThanOrEqual(180);
      // Otherwise the starts of a loop are never counted together, and it goes on unheard.
      expect(seconds(one, "StartLimitIntervalSec"), one.name).toBeGreaterThan(loop);
      const timer = units.find(({ name }) => name === one.name.replace(".service", ".timer"));
      expect(timer?.settings.get("OnCalendar"), one.name).toEqual(["*:0/10"]);
      expect(seconds(one, "StartLimitIntervalSec")).toBeLessThan(600);
    }
  });

  it("tell of each service that fails, and look at the health of both programs every five minutes", () => {
    const silent = services.filter(({ settings }) => !settings.has("OnFailure"));
    expect(silent.map(({ name }) => name)).toEqual(["rugwatch-failed@.service"]);
    const health = services.filter(({ name }) => name === "rugwatch-health.service");
    const asked = findAll("ExecStart", health).map((line) => /http:\S+/.exec(line)?.[0]);
    expect(asked).toEqual(["http://127.0.0.1:9465/healthz", "http://127.0.0.1:8080/readyz"]);
    const timer = units.filter(({ name }) => name === "rugwatch-health.timer");
    expect(findAll("OnCalendar", timer)).toEqual(["*:2/5"]);
  });

  it("keep the journal from the proxy, and hold no secret", () => {
    const ofProxy = services.filter(({ name }) => name === "rugwatch-proxy.service");
    expect(findAll("InaccessiblePaths", ofProxy)).toEqual(["-/var/lib/rugwatch/state"]);
    expect(findAll("Environment", units)).toEqual([]);
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
    ["generator.env.example", Object.keys(generator.variables.shape), generator.readSettings],
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
      // Of the other networks nobody waits for public endpoints.
      const { rpcUrls } = readThem(Object.fromEntries(plain));
      expect(rpcUrls).toMatchObject({ testnet: [], alpenglow: [] });
      expect(rpcUrls.mainnet).toHaveLength(3);
    },
  );
});
