import { keyOf } from "../validators.ts";
import { type Mood, NAMES, type Scene } from "./scenes.ts";

/** A validator in one scene. */
export interface Actor extends Mood {
  name: string;
  /** From which its identity is derived. */
  identityName: string;
}

export function actorsOf({ moods }: Scene): Actor[] {
  return moods.map((mood, index) => {
    const name = NAMES[index] ?? "";
    const identityName = { own: name, another: `another of ${name}`, shared: "shared" }[
      mood.identity
    ];
    return { ...mood, name, identityName };
  });
}

export const identityOf = ({ identityName }: Actor) => keyOf(`identity of ${identityName}`);
