import "./at-once.ts";
import { describeCrashes } from "./crashes.ts";

await describeCrashes(0, { deathsLeast: 700 });
