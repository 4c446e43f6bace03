/** HTML of the live view, before its script runs. */

import { escapeHtml } from "../../Values/Text.ts"
import type { Mode } from "./Protocol.ts"

const icon = (path: string): string =>
  `<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`

const icons = {
  back: icon("M15 5l-7 7 7 7"),
  forward: icon("M9 5l7 7-7 7"),
  reload: icon("M19 12a7 7 0 1 1-2.05-4.95L19 9M19 4v5h-5"),
  plus: icon("M12 6v12M6 12h12"),
  keyboard: icon("M4 7h16v10H4zM7.5 10.5h0M11 10.5h0M14.5 10.5h0M7.5 14h9"),
  copy: icon("M9 9h10v11H9zM15 9V4H5v11h4"),
  paste: icon("M9 5H6v15h12V5h-3M9 4h6v3H9zM12 10.5v6M9.5 14l2.5 2.5 2.5-2.5"),
  fit: icon("M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5")
}

const button = (id: string, label: string, image: string, rest = "", short = ""): string =>
  `<button type="button" class="icon" id="${id}" aria-label="${label}" title="${label}"${rest}>${image}${short === "" ? "" : `<span>${short}</span>`}</button>`

const navigation = `<div class="navigation">${button("back", "Back", icons.back, " disabled")}${button("forward", "Forward", icons.forward, " disabled")}${button("reload", "Reload the page", icons.reload)}</div>`

const actions = `<div class="actions" role="group" aria-label="Page">${button("keyboard", "Keyboard of this device", icons.keyboard, "", "Keyboard")}${button("copy", "Copy the selection of the page", icons.copy, "", "Copy")}${button("paste", "Paste text into the page", icons.paste, "", "Paste")}${button("fit", "Fit the page to this window", icons.fit, ' aria-pressed="false"', "Fit")}</div>`

const mark = `<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><rect width="24" height="24" rx="6" fill="currentColor"/><path class="water" d="M5 9.5c2.3-2 4.7-2 7 0s4.7 2 7 0M5 15c2.3-2 4.7-2 7 0s4.7 2 7 0" fill="none" stroke-width="2" stroke-linecap="round"/></svg>`

/** The logo as the icon of the browser tab. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#0f6d68"/><path d="M5 9.5c2.3-2 4.7-2 7 0s4.7 2 7 0M5 15c2.3-2 4.7-2 7 0s4.7 2 7 0" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>`

const frame = (head: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>Sluice</title><link rel="icon" href="/live/icon.svg"><link rel="stylesheet" href="/live/page.css">${head}</head>
${body}</html>`

const ending = (title: string, text: string, isHidden: boolean): string =>
  `<section id="end" aria-labelledby="end-title"${isHidden ? " hidden" : ""}><div class="card">${mark}<h1 id="end-title" tabindex="-1">${escapeHtml(title)}</h1><p id="end-text">${escapeHtml(text)}</p><p class="after">You can close this page.</p></div></section>`

/** Page of a session that has ended or does not exist. */
export const over = (title: string, text: string): string =>
  frame("", `<body class="over"><main>${ending(title, text, false)}</main></body>`)

const hint: Readonly<Record<Mode, string>> = {
  interact: "What you type goes to the page. F6 takes you back to the controls.",
  watch: ""
}

/** The live view, or the interactive one. */
export const live = (mode: Mode): string => {
  const isInteractive = mode === "interact"
  return frame(
    `<script type="module" src="/live/page.js"></script>`,
    `<body data-mode="${mode}"><header>
<div class="row"><nav aria-label="Tabs of the session"><ul id="tabs"></ul></nav>${isInteractive ? button("open", "New tab", icons.plus) : ""}
<div class="facts"><span id="left" class="left"></span><span class="status" id="status" data-is="connecting"><i></i><span id="status-text">Connecting</span></span></div></div>
<form class="row" id="address-form">${isInteractive ? navigation : mark}<input id="address" type="text" inputmode="url" aria-label="Address of the page" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go"${isInteractive ? ` placeholder="example.com" maxlength="8000"` : " readonly"}>${isInteractive ? actions : '<span class="badge">Watching</span>'}</form>
<div id="progress" hidden></div></header>
<main><div id="stage"><canvas id="picture" width="1280" height="713" role="img" aria-label="Picture of the page"></canvas>${
      isInteractive
        ? `<textarea id="field" aria-label="Type into the page" aria-describedby="hint" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false"></textarea>`
        : ""
    }<p id="waiting">Waiting for the first picture</p></div><p id="hint" class="hint">${hint[mode]}</p></main>
<div id="notice" role="status" aria-live="polite"></div>
<p id="announcer" class="unseen" role="status" aria-live="polite"></p>
<dialog id="box" aria-labelledby="box-title" aria-describedby="box-text"><form method="dialog"><h2 id="box-title"></h2><p id="box-text"></p>
<input id="box-field" type="text" aria-label="Your answer" hidden><div class="answers"><button type="submit" id="box-no" class="plain">Cancel</button><button type="submit" id="box-yes" class="main">OK</button></div></form></dialog>
<dialog id="clip" aria-labelledby="clip-title"><form method="dialog"><h2 id="clip-title"></h2><textarea id="clip-text" rows="6" aria-labelledby="clip-title"></textarea><div class="answers"><button type="submit" id="clip-no" class="plain">Close</button><button type="submit" id="clip-yes" class="main">Paste</button></div></form></dialog>
<dialog id="choices" aria-labelledby="choices-title"><form method="dialog"><h2 id="choices-title">Choose</h2><div id="choices-list"></div><div class="answers"><button type="submit" class="plain">Cancel</button></div></form></dialog>
${ending("This session has ended", "", true)}</body>`
  )
}
