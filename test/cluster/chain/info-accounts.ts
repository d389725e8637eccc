import { decodePublicKey } from "../../../generator/chain/public-key.ts";
import { castParts, toKey, type Key, type Member } from "./cast.ts";
import type { World } from "../world.ts";
import type { Random } from "../random.ts";

const INFO_MARKER = decodePublicKey("Va1idator1nfo111111111111111111111111111111");

/** As the command-line tool allocates them. */
const KEYS_BYTES = 67;
const TEXT_BYTES = 576;

export interface InfoAccount {
  address: string;
  data: Buffer;
  /** What a careful reader makes of it. */
  identity: string;
  signed: boolean;
  readable: boolean;
}

type InfoRole = "hostile" | "twice" | "broken" | "none" | "ordinary";

/** A renamed validator has only one. */
export function createInfoAccounts({ members, random }: World): InfoAccount[] {
  const candidates = random.order(members.length, "info part").filter((index) => index !== 0);
  const renamers = new Set(
    members.filter(({ node }) => node.role === "renamer").map(({ index }) => index),
  );
  const part = castParts<InfoRole>(
    members.length,
    candidates.filter((index) => !renamers.has(index)),
    [
      {
        role: "hostile",
        share: 0,
        least: Math.min(HOSTILE_TEXTS.length, Math.ceil(members.length / 4)),
      },
      { role: "twice", share: 0.02, least: 2 },
      {
        role: "broken",
        share: 0.02,
        least: Math.min(BREAKAGES.length, Math.floor(members.length / 8)),
      },
      { role: "none", share: 0.1, least: 1 },
    ],
    "ordinary",
  );

  return [...members.flatMap((member) => toAccounts(member)), ...toImpostors()];

  function toAccounts(member: Member): InfoAccount[] {
    const { index, identities, node } = member;
    const text = toOrdinaryText(index, random);
    const address = toAddress("info", index);
    if (renamers.has(index)) {
      // Half of them use the new identity only.
      const named = node.place % 2 === 0 ? identities[1] : identities[0];
      return [toInfoAccount({ address, identity: named, text })];
    }
    const { role, place } = part(index);
    const identity = identities[0];
    switch (role) {
      case "none":
        return [];
      case "hostile":
        return [toInfoAccount({ address, identity, text: HOSTILE_TEXTS[place] ?? text })];
      case "broken":
        return [breakAccount(toInfoAccount({ address, identity, text }), place)];
      case "twice": {
        const older = { ...text, name: `${String(text["name"])} (old)` };
        const second = toInfoAccount({
          address: toAddress("second info", index),
          identity,
          text: older,
        });
        return [toInfoAccount({ address, identity, text }), second];
      }
      case "ordinary":
        return [toInfoAccount({ address, identity, text })];
    }
  }

  /** Anybody can name any identity, but cannot sign for it. */
  function toImpostors(): InfoAccount[] {
    return members
      .slice(0, Math.max(2, Math.round(members.length * 0.01)))
      .map(({ index, identities }) =>
        toInfoAccount({
          address: toAddress("impostor", index),
          identity: identities[0],
          signed: false,
          text: {
            name: "Official Best Validator",
            website: "https://impostor.example",
            iconUrl: "https://impostor.example/i.png",
          },
        }),
      );
  }

  function toAddress(label: string, index: number): string {
    return toKey(random.bytes(label, index)).address;
  }
}

interface InfoFacts {
  address: string;
  identity: Key;
  text: InfoText;
  signed?: boolean;
}

function toInfoAccount({ address, identity, text, signed = true }: InfoFacts): InfoAccount {
  const json = Buffer.from(JSON.stringify(text));
  const data = Buffer.alloc(KEYS_BYTES + 8 + Math.max(TEXT_BYTES - 8, json.length));
  data[0] = 2;
  data.set(INFO_MARKER, 1);
  data.set(identity.bytes, 34);
  data[66] = signed ? 1 : 0;
  data.writeBigUInt64LE(BigInt(json.length), KEYS_BYTES);
  data.set(json, KEYS_BYTES + 8);
  return { address, data, identity: identity.address, signed, readable: true };
}

function breakAccount(account: InfoAccount, place: number): InfoAccount {
  const data = (BREAKAGES[place % BREAKAGES.length] ?? cutText)(Buffer.from(account.data));
  return { ...account, data, readable: false };
}

const BREAKAGES: readonly ((data: Buffer) => Buffer)[] = [
  cutText,
  claimTooMuch,
  breakText,
  dropIdentity,
];

function cutText(data: Buffer): Buffer {
  data.writeBigUInt64LE(17n, KEYS_BYTES);
  return data;
}

function claimTooMuch(data: Buffer): Buffer {
  data.writeBigUInt64LE(2n ** 63n, KEYS_BYTES);
  return data;
}

function breakText(data: Buffer): Buffer {
  return data.fill(0xff, KEYS_BYTES + 12, KEYS_BYTES + 16);
}

function dropIdentity(data: Buffer): Buffer {
  data[0] = 1;
  return data.subarray(0, 34);
}

type InfoText = Record<string, unknown>;

const FIRST_WORDS = [
  "North",
  "Copper",
  "Quiet",
  "Harbour",
  "Granite",
  "Meadow",
  "Lantern",
  "Cobalt",
  "Juniper",
  "Tidal",
  "Amber",
  "Summit",
];
const SECOND_WORDS = ["Relay", "Staking", "Node", "Validators", "Labs", "Stake", "Forge", "Signal"];

function toOrdinaryText(index: number, random: Random): InfoText {
  const first = FIRST_WORDS[random.whole(FIRST_WORDS.length, "first word", index)] ?? "";
  const second = SECOND_WORDS[random.whole(SECOND_WORDS.length, "second word", index)] ?? "";
  const host = `${first}-${second}-${index}.example`.toLowerCase();
  return {
    name: `${first} ${second} ${index}`,
    website: `${index % 7 === 3 ? "http" : "https"}://${host}`,
    iconUrl: `https://${host}/icon.png`,
    details: "A validator of the simulated cluster.",
  };
}

/** Most instructive first. */
export const HOSTILE_TEXTS: readonly InfoText[] = [
  {
    name: "<script>alert('stake')</script>",
    website: "javascript:alert(1)",
    iconUrl: "data:text/html,<b>x</b>",
  },
  {
    name: "Right \u202eot tfeL\u202c Stake",
    website: "https://bidi.example",
    iconUrl: "http://bidi.example/icon.png",
  },
  {
    name: "Bell\u0007 and\u0000 Null\u001b[31m",
    website: "https://control.example",
    iconUrl: "https://10.0.0.1/icon.png",
  },
  {
    name: "Zero\u200bWidth\u200d\ufeff Node",
    website: "ftp://zero.example",
    iconUrl: "https://zero.example/icon.png",
  },
  {
    name: "Endless ".repeat(40),
    website: `https://endless.example/${"a".repeat(300)}`,
    iconUrl: "https://endless.example/i.png",
  },
  {
    name: "Credentials",
    website: "https://user:secret@credentials.example",
    iconUrl: "https://user@credentials.example/i.png",
  },
  { name: 42, website: ["https://array.example"], iconUrl: { url: "https://object.example" } },
  {
    name: '"><img src=x onerror=alert(1)>',
    website: 'https://quote.example/"onclick=',
    iconUrl: "https://quote.example/i.svg",
  },
  { name: " \t\u3000 ", website: "", iconUrl: " " },
  {
    name: "A\u0301gne\u0300s Stake e\u0301tage",
    website: "HTTPS://Compose.Example",
    iconUrl: "https://compose.example/i.png",
  },
];
