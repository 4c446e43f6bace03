import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  toIncomingMessage,
  toServerResponse
} from "./chunk-DRKWXAJI.js";

// src/Web/Live/Page.ts
var escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }, escape = (text) => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign), icon = (path) => `<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`, icons = {
  back: icon("M15 5l-7 7 7 7"),
  forward: icon("M9 5l7 7-7 7"),
  reload: icon("M19 12a7 7 0 1 1-2.05-4.95L19 9M19 4v5h-5"),
  plus: icon("M12 6v12M6 12h12"),
  keyboard: icon("M4 7h16v10H4zM7.5 10.5h0M11 10.5h0M14.5 10.5h0M7.5 14h9"),
  copy: icon("M9 9h10v11H9zM15 9V4H5v11h4"),
  paste: icon("M9 5H6v15h12V5h-3M9 4h6v3H9zM12 10.5v6M9.5 14l2.5 2.5 2.5-2.5"),
  fit: icon("M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5")
}, button = (id, label, image, rest = "", short = "") => `<button type="button" class="icon" id="${id}" aria-label="${label}" title="${label}"${rest}>${image}${short === "" ? "" : `<span>${short}</span>`}</button>`, ways = `<div class="ways">${button("back", "Back", icons.back, " disabled")}${button("forward", "Forward", icons.forward, " disabled")}${button("reload", "Reload the page", icons.reload)}</div>`, deeds = `<div class="deeds" role="group" aria-label="Page">${button("keyboard", "Keyboard of this device", icons.keyboard, "", "Keyboard")}${button("copy", "Copy what is selected in the page", icons.copy, "", "Copy")}${button("paste", "Paste text into the page", icons.paste, "", "Paste")}${button("fit", "Fit the page to this window", icons.fit, ' aria-pressed="false"', "Fit")}</div>`, mark = '<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><rect width="24" height="24" rx="6" fill="currentColor"/><path class="water" d="M5 9.5c2.3-2 4.7-2 7 0s4.7 2 7 0M5 15c2.3-2 4.7-2 7 0s4.7 2 7 0" fill="none" stroke-width="2" stroke-linecap="round"/></svg>', favicon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#0f6d68"/><path d="M5 9.5c2.3-2 4.7-2 7 0s4.7 2 7 0M5 15c2.3-2 4.7-2 7 0s4.7 2 7 0" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>', frame = (head, body) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<title>Sluice</title><link rel="icon" href="/live/icon.svg"><link rel="stylesheet" href="/live/page.css">${head}</head>
${body}</html>`, ending = (title, text, isHidden) => `<section id="end" aria-labelledby="end-title"${isHidden ? " hidden" : ""}><div class="card">${mark}<h1 id="end-title" tabindex="-1">${escape(title)}</h1><p id="end-text">${escape(text)}</p><p class="after">You can close this page.</p></div></section>`, over = (title, text) => frame("", `<body class="over"><main>${ending(title, text, !1)}</main></body>`), hint = {
  interact: "What you type goes to the page. F6 takes you back to the controls.",
  watch: ""
}, live = (mode) => {
  let isInteractive = mode === "interact";
  return frame(
    '<script type="module" src="/live/page.js"></script>',
    `<body data-mode="${mode}"><header>
<div class="row"><nav aria-label="Tabs of the session"><ul id="tabs"></ul></nav>${isInteractive ? button("open", "New tab", icons.plus) : ""}
<div class="facts"><span id="left" class="left"></span><span class="status" id="status" data-is="connecting"><i></i><span id="status-text">Connecting</span></span></div></div>
<form class="row" id="address-form">${isInteractive ? ways : mark}<input id="address" type="text" inputmode="url" aria-label="Address of the page" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go"${isInteractive ? ' placeholder="example.com" maxlength="8000"' : " readonly"}>${isInteractive ? deeds : '<span class="badge">Watching</span>'}</form>
<div id="progress" hidden></div></header>
<main><div id="stage"><canvas id="picture" width="1280" height="713" role="img" aria-label="Picture of the page"></canvas>${isInteractive ? '<textarea id="field" aria-label="Type into the page" aria-describedby="hint" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false"></textarea>' : ""}<p id="waiting">Waiting for the first picture</p></div><p id="hint" class="hint">${hint[mode]}</p></main>
<div id="notice" role="status" aria-live="polite"></div>
<p id="announcer" class="unseen" role="status" aria-live="polite"></p>
<dialog id="box" aria-labelledby="box-title" aria-describedby="box-text"><form method="dialog"><h2 id="box-title"></h2><p id="box-text"></p>
<input id="box-field" type="text" aria-label="Your answer" hidden><div class="answers"><button type="submit" id="box-no" class="plain">Cancel</button><button type="submit" id="box-yes" class="main">OK</button></div></form></dialog>
<dialog id="clip" aria-labelledby="clip-title"><form method="dialog"><h2 id="clip-title"></h2><textarea id="clip-text" rows="6" aria-labelledby="clip-title"></textarea><div class="answers"><button type="submit" id="clip-no" class="plain">Close</button><button type="submit" id="clip-yes" class="main">Paste</button></div></form></dialog>
<dialog id="choices" aria-labelledby="choices-title"><form method="dialog"><h2 id="choices-title">Choose</h2><div id="choices-list"></div><div class="answers"><button type="submit" class="plain">Cancel</button></div></form></dialog>
${ending("This session has ended", "", !0)}</body>`
  );
};

// node_modules/@effect/platform-node/dist/esm/NodeHttpServerRequest.js
var toIncomingMessage2 = toIncomingMessage, toServerResponse2 = toServerResponse;

// node_modules/diff/libesm/diff/base.js
var Diff = class {
  diff(oldStr, newStr, options = {}) {
    let callback;
    typeof options == "function" ? (callback = options, options = {}) : "callback" in options && (callback = options.callback);
    let oldString = this.castInput(oldStr, options), newString = this.castInput(newStr, options), oldTokens = this.removeEmpty(this.tokenize(oldString, options)), newTokens = this.removeEmpty(this.tokenize(newString, options));
    return this.diffWithOptionsObj(oldTokens, newTokens, options, callback);
  }
  diffWithOptionsObj(oldTokens, newTokens, options, callback) {
    var _a;
    let done = (value) => {
      if (value = this.postProcess(value, options), callback) {
        setTimeout(function() {
          callback(value);
        }, 0);
        return;
      } else
        return value;
    }, newLen = newTokens.length, oldLen = oldTokens.length, editLength = 1, maxEditLength = newLen + oldLen;
    options.maxEditLength != null && (maxEditLength = Math.min(maxEditLength, options.maxEditLength));
    let maxExecutionTime = (_a = options.timeout) !== null && _a !== void 0 ? _a : 1 / 0, abortAfterTimestamp = Date.now() + maxExecutionTime, bestPath = [{ oldPos: -1, lastComponent: void 0 }], newPos = this.extractCommon(bestPath[0], newTokens, oldTokens, 0, options);
    if (bestPath[0].oldPos + 1 >= oldLen && newPos + 1 >= newLen)
      return done(this.buildValues(bestPath[0].lastComponent, newTokens, oldTokens));
    let minDiagonalToConsider = -1 / 0, maxDiagonalToConsider = 1 / 0, execEditLength = () => {
      for (let diagonalPath = Math.max(minDiagonalToConsider, -editLength); diagonalPath <= Math.min(maxDiagonalToConsider, editLength); diagonalPath += 2) {
        let basePath, removePath = bestPath[diagonalPath - 1], addPath = bestPath[diagonalPath + 1];
        removePath && (bestPath[diagonalPath - 1] = void 0);
        let canAdd = !1;
        if (addPath) {
          let addPathNewPos = addPath.oldPos - diagonalPath;
          canAdd = addPath && 0 <= addPathNewPos && addPathNewPos < newLen;
        }
        let canRemove = removePath && removePath.oldPos + 1 < oldLen;
        if (!canAdd && !canRemove) {
          bestPath[diagonalPath] = void 0;
          continue;
        }
        if (!canRemove || canAdd && removePath.oldPos < addPath.oldPos ? basePath = this.addToPath(addPath, !0, !1, 0, options) : basePath = this.addToPath(removePath, !1, !0, 1, options), newPos = this.extractCommon(basePath, newTokens, oldTokens, diagonalPath, options), basePath.oldPos + 1 >= oldLen && newPos + 1 >= newLen)
          return done(this.buildValues(basePath.lastComponent, newTokens, oldTokens)) || !0;
        bestPath[diagonalPath] = basePath, basePath.oldPos + 1 >= oldLen && (maxDiagonalToConsider = Math.min(maxDiagonalToConsider, diagonalPath - 1)), newPos + 1 >= newLen && (minDiagonalToConsider = Math.max(minDiagonalToConsider, diagonalPath + 1));
      }
      editLength++;
    };
    if (callback)
      (function exec() {
        setTimeout(function() {
          if (editLength > maxEditLength || Date.now() > abortAfterTimestamp)
            return callback(void 0);
          execEditLength() || exec();
        }, 0);
      })();
    else
      for (; editLength <= maxEditLength && Date.now() <= abortAfterTimestamp; ) {
        let ret = execEditLength();
        if (ret)
          return ret;
      }
  }
  addToPath(path, added, removed, oldPosInc, options) {
    let last = path.lastComponent;
    return last && !options.oneChangePerToken && last.added === added && last.removed === removed ? {
      oldPos: path.oldPos + oldPosInc,
      lastComponent: { count: last.count + 1, added, removed, previousComponent: last.previousComponent }
    } : {
      oldPos: path.oldPos + oldPosInc,
      lastComponent: { count: 1, added, removed, previousComponent: last }
    };
  }
  extractCommon(basePath, newTokens, oldTokens, diagonalPath, options) {
    let newLen = newTokens.length, oldLen = oldTokens.length, oldPos = basePath.oldPos, newPos = oldPos - diagonalPath, commonCount = 0;
    for (; newPos + 1 < newLen && oldPos + 1 < oldLen && this.equals(oldTokens[oldPos + 1], newTokens[newPos + 1], options); )
      newPos++, oldPos++, commonCount++, options.oneChangePerToken && (basePath.lastComponent = { count: 1, previousComponent: basePath.lastComponent, added: !1, removed: !1 });
    return commonCount && !options.oneChangePerToken && (basePath.lastComponent = { count: commonCount, previousComponent: basePath.lastComponent, added: !1, removed: !1 }), basePath.oldPos = oldPos, newPos;
  }
  equals(left, right, options) {
    return options.comparator ? options.comparator(left, right) : left === right || !!options.ignoreCase && left.toLowerCase() === right.toLowerCase();
  }
  removeEmpty(array) {
    let ret = [];
    for (let i = 0; i < array.length; i++)
      array[i] && ret.push(array[i]);
    return ret;
  }
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  castInput(value, options) {
    return value;
  }
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  tokenize(value, options) {
    return Array.from(value);
  }
  join(chars) {
    return chars.join("");
  }
  postProcess(changeObjects, options) {
    return changeObjects;
  }
  get useLongestToken() {
    return !1;
  }
  buildValues(lastComponent, newTokens, oldTokens) {
    let components = [], nextComponent;
    for (; lastComponent; )
      components.push(lastComponent), nextComponent = lastComponent.previousComponent, delete lastComponent.previousComponent, lastComponent = nextComponent;
    components.reverse();
    let componentLen = components.length, componentPos = 0, newPos = 0, oldPos = 0;
    for (; componentPos < componentLen; componentPos++) {
      let component = components[componentPos];
      if (component.removed)
        component.value = this.join(oldTokens.slice(oldPos, oldPos + component.count)), oldPos += component.count;
      else {
        if (!component.added && this.useLongestToken) {
          let value = newTokens.slice(newPos, newPos + component.count);
          value = value.map(function(value2, i) {
            let oldValue = oldTokens[oldPos + i];
            return oldValue.length > value2.length ? oldValue : value2;
          }), component.value = this.join(value);
        } else
          component.value = this.join(newTokens.slice(newPos, newPos + component.count));
        newPos += component.count, component.added || (oldPos += component.count);
      }
    }
    return components;
  }
};

// node_modules/diff/libesm/diff/line.js
var LineDiff = class extends Diff {
  constructor() {
    super(...arguments), this.tokenize = tokenize;
  }
  equals(left, right, options) {
    return options.ignoreWhitespace ? ((!options.newlineIsToken || !left.includes(`
`)) && (left = left.trim()), (!options.newlineIsToken || !right.includes(`
`)) && (right = right.trim())) : options.ignoreNewlineAtEof && !options.newlineIsToken && (left.endsWith(`
`) && (left = left.slice(0, -1)), right.endsWith(`
`) && (right = right.slice(0, -1))), super.equals(left, right, options);
  }
}, lineDiff = new LineDiff();
function diffLines(oldStr, newStr, options) {
  return lineDiff.diff(oldStr, newStr, options);
}
function tokenize(value, options) {
  options.stripTrailingCr && (value = value.replace(/\r\n/g, `
`));
  let retLines = [], linesAndNewlines = value.split(/(\n|\r\n)/);
  linesAndNewlines[linesAndNewlines.length - 1] || linesAndNewlines.pop();
  for (let i = 0; i < linesAndNewlines.length; i++) {
    let line = linesAndNewlines[i];
    i % 2 && !options.newlineIsToken ? retLines[retLines.length - 1] += line : retLines.push(line);
  }
  return retLines;
}

// node_modules/diff/libesm/patch/create.js
function structuredPatch(oldFileName, newFileName, oldStr, newStr, oldHeader, newHeader, options) {
  let optionsObj;
  options ? typeof options == "function" ? optionsObj = { callback: options } : optionsObj = options : optionsObj = {}, typeof optionsObj.context > "u" && (optionsObj.context = 4);
  let context = optionsObj.context;
  if (optionsObj.newlineIsToken)
    throw new Error("newlineIsToken may not be used with patch-generation functions, only with diffing functions");
  if (optionsObj.callback) {
    let { callback } = optionsObj;
    diffLines(oldStr, newStr, Object.assign(Object.assign({}, optionsObj), { callback: (diff) => {
      let patch = diffLinesResultToPatch(diff);
      callback(patch);
    } }));
  } else
    return diffLinesResultToPatch(diffLines(oldStr, newStr, optionsObj));
  function diffLinesResultToPatch(diff) {
    if (!diff)
      return;
    diff.push({ value: "", lines: [] });
    function contextLines(lines) {
      return lines.map(function(entry) {
        return " " + entry;
      });
    }
    let hunks = [], oldRangeStart = 0, newRangeStart = 0, curRange = [], oldLine = 1, newLine = 1;
    for (let i = 0; i < diff.length; i++) {
      let current = diff[i], lines = current.lines || splitLines(current.value);
      if (current.lines = lines, current.added || current.removed) {
        if (!oldRangeStart) {
          let prev = diff[i - 1];
          oldRangeStart = oldLine, newRangeStart = newLine, prev && (curRange = context > 0 ? contextLines(prev.lines.slice(-context)) : [], oldRangeStart -= curRange.length, newRangeStart -= curRange.length);
        }
        for (let line of lines)
          curRange.push((current.added ? "+" : "-") + line);
        current.added ? newLine += lines.length : oldLine += lines.length;
      } else {
        if (oldRangeStart)
          if (lines.length <= context * 2 && i < diff.length - 2)
            for (let line of contextLines(lines))
              curRange.push(line);
          else {
            let contextSize = Math.min(lines.length, context);
            for (let line of contextLines(lines.slice(0, contextSize)))
              curRange.push(line);
            let hunk = {
              oldStart: oldRangeStart,
              oldLines: oldLine - oldRangeStart + contextSize,
              newStart: newRangeStart,
              newLines: newLine - newRangeStart + contextSize,
              lines: curRange
            };
            hunks.push(hunk), oldRangeStart = 0, newRangeStart = 0, curRange = [];
          }
        oldLine += lines.length, newLine += lines.length;
      }
    }
    for (let hunk of hunks)
      for (let i = 0; i < hunk.lines.length; i++)
        hunk.lines[i].endsWith(`
`) ? hunk.lines[i] = hunk.lines[i].slice(0, -1) : (hunk.lines.splice(i + 1, 0, "\\ No newline at end of file"), i++);
    return {
      oldFileName,
      newFileName,
      oldHeader,
      newHeader,
      hunks
    };
  }
}
function splitLines(text) {
  let hasTrailingNl = text.endsWith(`
`), result = text.split(`
`).map((line) => line + `
`);
  return hasTrailingNl ? result.pop() : result.push(result.pop().slice(0, -1)), result;
}

export {
  toIncomingMessage2 as toIncomingMessage,
  toServerResponse2 as toServerResponse,
  favicon,
  over,
  live,
  diffLines,
  structuredPatch
};
