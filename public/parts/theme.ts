import { effect, signal } from "@preact/signals";

/** `system` needs no remembering. */
export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** static/theme.js reads it before the first paint. */
const STORAGE_KEY = "rugwatch-theme";

/** Every page and chart follows it. */
export const theme = signal<Theme>("system");

/** What draws with colours of its own draws again when this counts on. */
export const themeChanges = signal(0);

/** The document follows the theme, which is remembered. */
export function followTheme(): void {
  theme.value = THEMES.find((name) => name === document.documentElement.dataset["theme"]) ?? "system";
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", () => (themeChanges.value += 1));
  effect(() => {
    const chosen = theme.value;
    if (chosen === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = chosen;
    remember(chosen);
    themeChanges.value = themeChanges.peek() + 1;
  });
}

function remember(chosen: Theme): void {
  try {
    if (chosen === "system") localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, chosen);
  } catch {
    // Storage is forbidden: the choice lasts as long as the page.
  }
}
