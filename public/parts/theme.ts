import { effect, signal } from "@preact/signals";

/** `system`: as the reader's system has it, which nothing needs to be remembered for. */
export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** Read again before the first paint by static/theme.js. */
const STORAGE_KEY = "rugwatch-theme";

/** The theme chosen; every page and chart follows it. */
export const theme = signal<Theme>("system");

/** Counts the changes of what is seen, by choice or by the system: what draws with colours of its own draws again. */
export const themeChanges = signal(0);

/** Has the document follow the theme from now on, and remembers it. */
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
    // Storage is forbidden here: the choice lasts as long as the page.
  }
}
