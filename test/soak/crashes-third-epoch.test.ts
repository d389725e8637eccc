import "./at-once.ts";
import { describeCrashes } from "./crashes.ts";

await describeCrashes(2, { deathsLeast: 700 });
