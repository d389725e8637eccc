import { describeLiars } from "./witnesses/cases.ts";

describeLiars("three witnesses, of which one lies", { from: 10_001, seeds: 300, panel: 3 });
