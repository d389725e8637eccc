import "./at-once.ts";
import { describeCrashes } from "./crashes.ts";

await describeCrashes(1, { deathsLeast: 700 });
