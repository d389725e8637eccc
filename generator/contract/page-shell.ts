interface Shell {
  /** HTML, as all of them: whoever makes it has escaped what strangers wrote. */
  title: string;
  /** More of the head. */
  head: string;
  /** What is shown until the site takes over, or for ever where no script runs. */
  body: string;
  /** The key of the object that the page is, with a slash before it. */
  address?: string;
}

/**
 * A page that is complete in itself and becomes the site where that runs. It names the site by files whose names never change
 * (public/vite.config.ts makes them), for those of its assets change with every build, and this page does not.
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

/** Of a path that nothing lies at. The site tells more: which validator is not known, or that an address was cut. */
export const NOT_FOUND_PAGE = toPageHtml({
  title: "Not found · Rugwatch",
  head: '<meta name="robots" content="noindex">',
  body: `<main class="main"><h1>There is no page here</h1><p><a href="/">See the newest changes</a></p></main>`,
});

/** While what the page is made of cannot be read. The site says so, and tries again. */
export const UNAVAILABLE_PAGE = toPageHtml({
  title: "Rugwatch",
  head: '<meta name="robots" content="noindex">',
  body: `<main class="main"><h1>This page cannot be read at the moment</h1><p>Try again in a minute.</p></main>`,
});
