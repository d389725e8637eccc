// Sets the theme before the first paint: the reader's choice (parts/theme.ts), or the system's.
var theme = null;
try {
  theme = localStorage.getItem("rugwatch-theme");
} catch {
  // The browser forbids storage.
}
if (theme !== "light" && theme !== "dark")
  theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
document.documentElement.dataset.theme = theme;
