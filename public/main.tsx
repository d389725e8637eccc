import { render } from "preact";
import { startClock } from "./api/clock.ts";
import { followTheme } from "./parts/theme.ts";
import { followWatchlists } from "./parts/watchlist.ts";
import { followZone } from "./parts/zone.ts";
import { App } from "./shell/App.tsx";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/values.css";

const root = document.getElementById("app");
if (root === null) throw new Error("index.html has no #app");
followTheme();
followZone();
followWatchlists();
startClock();
// The page of a validator comes with content for readers without scripts.
root.replaceChildren();
render(<App />, root);
