interface Shell {
  /** Like all parts HTML: the caller escapes strangers' text. */
  title: string;
  head: string;
  /** What is shown until the site has loaded, or always without scripts. */
  body: string;
  /** A slash and the object's key; servable objects name their own address. */
  address?: string;
}

/**
 * Makes the HTML of a page that loads the site. It names `/app.js` and `/app.css` instead of hashed
 * files, because their names never change (public/vite.config.ts).
 */
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

/** The page of a path that does not exist, answered with 404. */
export const NOT_FOUND_PAGE = toPageHtml({
  title: "Not found · Rugwatch",
  head: '<meta name="robots" content="noindex">',
  body: `<main class="main"><h1>There is no page here</h1><p><a href="/">See the newest changes</a></p></main>`,
});

/**
 * The page while the store does not answer, answered with 503. Once loaded, the site tries again.
 */
export const UNAVAILABLE_PAGE = toPageHtml({
  title: "Rugwatch",
  head: '<meta name="robots" content="noindex">',
  body: `<main class="main"><h1>This page cannot be read at the moment</h1><p>Try again in a minute.</p></main>`,
});
