import { describe, expect, it, onTestFinished } from "vitest";
import { deliver } from "../../../generator/service/alerts/delivery.ts";
import {
  createAlertDispatcher,
  isPublicAddress,
  resolveHost,
  type Resolve,
} from "../../../generator/service/alerts/public-hosts.ts";
import { targetOf } from "./events.ts";
import { openReceiver } from "./receiver.ts";

const REFUSED = {
  delivered: false,
  reason: expect.stringContaining("ALERT_PRIVATE_HOSTS") as string,
};

describe("an address", () => {
  it.each(["1.1.1.1", "93.184.215.14", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"])(
    "is public: %s",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  const of4 =
    "0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.1 169.254.169.254 172.16.0.1 192.0.0.1 192.168.1.1 198.18.0.1";
  const ofAll =
    "224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:a9fe:a9fe";
  const mapped = "64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001:db8::1 2002:7f00:1:: 2001::1";
  const of6 = "fc00::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1";
  it.each(["", "localhost", "1.1.1.1.nip.io", ...`${of4} ${ofAll} ${mapped} ${of6}`.split(" ")])(
    "is not: %s",
    (address) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );
});

const resolveTo = (...addresses: string[]): Resolve => {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return (_hostname, _options, callback) => callback(null, found);
};

async function attempt(url: string, options: Parameters<typeof createAlertDispatcher>[0]) {
  const dispatcher = createAlertDispatcher(options);
  onTestFinished(() => dispatcher.destroy());
  const { signal } = new AbortController();
  return deliver(targetOf("slack", { url }), { headers: {}, body: "{}" }, { dispatcher, signal });
}

describe("a connection", () => {
  it.each([
    ["its address", "127.0.0.1", ["127.0.0.1"]],
    ["its address in another spelling", "0x7f.1", ["127.0.0.1"]],
    ["its address within IPv6", "[::ffff:127.0.0.1]", ["127.0.0.1"]],
    ["a name that resolves to it", "rebound.example", ["127.0.0.1"]],
    [
      "a name of which one address is public and one is not",
      "both.example",
      ["1.1.1.1", "127.0.0.1"],
    ],
  ])("is not made to a private host by %s", async (_, host, addresses) => {
    const receiver = await openReceiver(204);
    const url = `http://${host}:${new URL(receiver.url).port}/`;
    expect(
      await attempt(url, { privateHosts: false, resolve: resolveTo(...addresses) }),
    ).toMatchObject(REFUSED);
    expect(receiver.received).toEqual([]);
  });

  it("is made where private hosts are allowed", async () => {
    const receiver = await openReceiver(204);
    expect(await attempt(receiver.url, { privateHosts: true })).toEqual({ delivered: true });
    expect(receiver.received).toHaveLength(1);
  });
});

it("a host is resolved into all of its addresses, and is its own one where it is an address", async () => {
  expect(await resolveHost("both.example", resolveTo("1.1.1.1", "::1"))).toEqual([
    "1.1.1.1",
    "::1",
  ]);
  expect(await resolveHost("[::1]", resolveTo())).toEqual(["::1"]);
});
