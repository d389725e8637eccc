import { render } from "preact";
import "./style/tokens.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/values.css";
import "./style/page.css";
import { App } from "./app/App.tsx";
import { startClock } from "./app/clock.ts";
import { followTheme } from "./app/theme.ts";

const root = document.getElementById("app");
if (root === null) throw new Error("index.html has no #app");
followTheme();
startClock();
render(<App />, root);
