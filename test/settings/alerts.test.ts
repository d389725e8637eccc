import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readDemoSettings, readSettings } from "../../generator/settings/settings.ts";

const SECRET = `whsec_${Buffer.from("hunter2 hunter2 hunter2 hunter2").toString("base64")}`;
const VOTE = "D9i28L1u8HRSocDTC3YSnkjLidCn9JhN3ZNVNq2xC2EK";
const OPS = {
  name: "ops",
  url: "https://hooks.example/hunter2",
  shape: "standard",
  secret: SECRET,
};
const CHAT = { name: "chat", url: "https://chat.example/hunter2", shape: "discord" };

const read = (value: unknown, more: Record<string, string> = {}) =>
  readSettings({
    ALERT_WEBHOOKS: typeof value === "string" ? value : JSON.stringify(value),
    ...more,
  }).alerts;

function complaintOf(value: unknown, more?: Record<string, string>): string {
  try {
    read(value, more);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("nothing was wrong with it");
}

it("targets want everything unless they say what", () => {
  const all = {
    severities: ["RUG", "CAUTION", "INFO"],
    networks: ["mainnet", "testnet", "alpenglow"],
    validators: null,
  };
  expect(read([OPS])).toEqual({ targets: [{ ...OPS, ...all }], privateHosts: false });
  const some = { severities: ["RUG"], networks: ["testnet"], validators: [VOTE] };
  expect(read([{ ...CHAT, ...some }]).targets).toEqual([{ ...CHAT, ...some }]);
  const telegram = { ...CHAT, shape: "telegram", chat: -100123 };
  expect(read([telegram]).targets).toEqual([{ ...telegram, chat: "-100123", ...all }]);
});

it("targets can be in a file", async () => {
  const directory = await mkdtemp(join(tmpdir(), "alerts-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "targets.json");
  await writeFile(file, JSON.stringify([CHAT]));
  expect(read(`file:${file}`).targets).toMatchObject([CHAT]);
  await writeFile(file, "hunter2");
  expect(complaintOf(`file:${file}`)).toContain("name a file with a JSON array");
  expect(complaintOf(`file:${directory}/none`)).toContain(
    `names the file ${directory}/none, which cannot be read (ENOENT)`,
  );
});

it.each<[string, unknown, RegExp]>([
  ["no JSON", "hunter2", /must be a JSON array of targets/],
  ["no array", OPS, /its root: .*expected array/],
  ["no address", [{ ...CHAT, url: "hunter2" }], /\[0\]\.url \(chat\): must be an https address/],
  ["a user in the address", [{ ...CHAT, url: "https://hunter2@chat.example/" }], /\[0\]\.url/],
  ["no secret", [{ ...OPS, secret: undefined }], /\[0\]\.secret/],
  [
    "a secret that is too short",
    [{ ...OPS, secret: "whsec_aHVudGVyMg==" }],
    /\[0\]\.secret \(ops\): must be whsec_ and 24 to 64 bytes/,
  ],
  [
    "no chat",
    [{ ...CHAT, shape: "telegram" }],
    /\[0\]\.chat \(chat\): must be the number of a chat/,
  ],
  ["no such shape", [{ ...CHAT, shape: "hunter2" }], /\[0\]\.shape/],
  [
    "a name that is taken",
    [CHAT, { ...CHAT, shape: "slack" }],
    /\[1\]\.name \(chat\): must be no other target's name/,
  ],
  ["a name that is no file's", [{ ...CHAT, name: "../hunter2" }], /\[0\]\.name: must be 1 to 40/],
  [
    "a field that is misspelt",
    [{ ...CHAT, severity: ["hunter2"] }],
    /\[0\] \(chat\): must have no other fields than name, url, severities/,
  ],
  ["no such severity", [{ ...CHAT, severities: ["hunter2"] }], /\[0\]\.severities\[0\]/],
  [
    "no vote key",
    [{ ...CHAT, validators: ["hunter2"] }],
    /\[0\]\.validators\[0\] \(chat\): must be a vote account/,
  ],
  [
    "an address in the clear",
    [{ ...CHAT, url: "http://chat.example/hunter2" }],
    /url of chat must be https/,
  ],
])("%s is refused, by its place and never by its value", (_, value, expected) => {
  const complaint = complaintOf(value);
  expect(complaint).toMatch(expected);
  expect(complaint).toMatch(/^ALERT_WEBHOOKS is \(not shown\)/);
  expect(complaint).not.toContain("hunter2");
});

it("all that is wrong is told at once, a line each, with what is wrong elsewhere", () => {
  const wrong = [
    { ...CHAT, url: "" },
    { ...OPS, secret: "", name: "" },
  ];
  const lines = complaintOf(wrong, { CHECK_SECONDS: "1", ALERT_PRIVATE_HOSTS: "perhaps" }).split(
    "\n",
  );
  const about = lines.map((line) =>
    [line.split(" ", 1)[0], ...(line.match(/\[\d\]\.\w+/) ?? [])].join(" "),
  );
  expect(about.sort()).toEqual([
    "ALERT_PRIVATE_HOSTS",
    "ALERT_WEBHOOKS [0].url",
    "ALERT_WEBHOOKS [1].name",
    "ALERT_WEBHOOKS [1].secret",
    "CHECK_SECONDS",
  ]);
});

it("http is allowed where private hosts are", () => {
  const plain = { ...CHAT, url: "http://10.0.0.7/hook" };
  expect(read([plain], { ALERT_PRIVATE_HOSTS: "allow" })).toMatchObject({
    targets: [plain],
    privateHosts: true,
  });
});

it("the demo tells nobody", () => {
  const environment = { ALERT_WEBHOOKS: JSON.stringify([OPS]) };
  expect(readDemoSettings("/apart", environment).alerts.targets).toEqual([]);
});
