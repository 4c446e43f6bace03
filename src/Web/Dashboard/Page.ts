/** The page of the dashboard before its script has run: what is shown until then, and to those who run no scripts. */

/** `base` is the path under which the script, the style and the icon are served, without a slash at its end. */
export const page = (base: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>Sluice</title><link rel="icon" href="${base}/icon.svg"><link rel="stylesheet" href="${base}/dashboard.css">
<script type="module" src="${base}/dashboard.js"></script></head>
<body class="dashboard"><div id="app"><p class="before">Opening the dashboard …</p></div>
<noscript><p class="before">The dashboard needs JavaScript. <code>sluice runs</code> shows the same in a terminal.</p></noscript></body></html>`
