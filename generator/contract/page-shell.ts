interface Shell {
  /** HTML, like all of these: the caller escapes strangers' text. */
  title: string;
  head: string;
  /** Shown until the site takes over, or always without scripts. */
  body: string;
  /** The object's key, after a slash. */
  address?: string;
}

/** It loads files whose names never change (public/vite.config.ts), unlike asset names. */
export function toPageHtml({ title, head, body, address }: Shell): string {
  return `<!doctype html>
<html lang="en"${address === undefined ? "" : ` data-address="${address}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="same-origin">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/app.css">
<script src="/theme.js"></script>
<script type="module" src="/app.js"></script>
</head>
<body>
<div id="app">${body}</div>
</body>
</html>
`;
}

export const NOT_FOUND_PAGE = toPageHtml({
  title: "Not found · Rugwatch",
  head: '<meta name="robots" content="noindex">',
  body: `<main class="main"><h1>There is no page here</h1><p><a href="/">See the newest changes</a></p></main>`,
});

/** The site then tries again. */
export const UNAVAILABLE_PAGE = toPageHtml({
  title: "Rugwatch",
  head: '<meta name="robots" content="noindex">',
  body: `<main class="main"><h1>This page cannot be read at the moment</h1><p>Try again in a minute.</p></main>`,
});
