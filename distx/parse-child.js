import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  addresses,
  blockText,
  firstHeading,
  paragraph
} from "./chunk-ZBHJX77M.js";
import {
  detectLanguage,
  publishedOf,
  summarize
} from "./chunk-6UFBRXO3.js";
import {
  contentTypes,
  sniff
} from "./chunk-UUXWWBQZ.js";
import "./chunk-5BTQFAOF.js";
import {
  Refusal,
  corrupt,
  tooComplex,
  unreadable
} from "./chunk-5MIN5RQK.js";
import {
  decodeText,
  escapeHeadingEnd,
  extract,
  fenceFor,
  isBalanced
} from "./chunk-AD2KZVWM.js";
import "./chunk-55DNJSQA.js";
import "./chunk-S5BW4IPQ.js";
import {
  safely
} from "./chunk-6CVURTE2.js";
import {
  imagePlaceholder
} from "./chunk-PZIVWCHK.js";
import {
  parseSelector
} from "./chunk-AK2SJKLB.js";
import "./chunk-REEM7JGU.js";
import {
  match
} from "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Engine/Parse/Child.ts
import { Worker } from "node:worker_threads";

// src/Engine/Parse/Convert.ts
import { readFile } from "node:fs/promises";

// src/Engine/Parse/Markdown.ts
var marks = /[\\*`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~)|(?<=~)~|\](?=[([])/gu, linkMarks = new RegExp(`${marks.source}|[[\\]]`, "gu"), lineStarts = /^([^\S\n]*)(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|(?:=+|-{2,})[^\S\n]*$|\|)/gm, numberStarts = /^([^\S\n]*\d{1,9})([.)])(?=\s|$)/gm, entities = /<(?=[a-zA-Z/!?])|&(?=#?\w{1,32};)/g, special = /[\\*`_\]<&~]/, escapeText = (text, link = !1) => {
  let brackets = link && !isBalanced(text);
  return !brackets && !special.test(text) ? text : text.replace(entities, (mark) => mark === "<" ? "&lt;" : "&amp;").replace(brackets ? linkMarks : marks, "\\$&");
}, escapeStarts = (text) => text.replace(lineStarts, "$1\\$2").replace(numberStarts, "$1\\$2"), escapeHref = (href) => href !== imagePlaceholder && /[\s<>()]/.test(href) ? href.replace(/[\s<>()]/g, (char) => encodeURIComponent(char).replace("(", "%28").replace(")", "%29")) : href, sameStyle = (a, b) => !a.bold == !b.bold && !a.italic == !b.italic && !a.strike == !b.strike && !a.code == !b.code, merge = (content) => {
  let merged = [];
  for (let inline of content) {
    let last = merged[merged.length - 1];
    if (inline.kind === "text" && last?.kind === "text") {
      if (sameStyle(last.style, inline.style) || inline.text.trim() === "") {
        merged[merged.length - 1] = { ...last, text: last.text + inline.text };
        continue;
      }
      if (last.text.trim() === "") {
        merged[merged.length - 1] = { ...inline, text: last.text + inline.text };
        continue;
      }
    }
    merged.push(inline);
  }
  return merged;
}, emphasise = (text, style, link) => {
  let body = text.trim();
  if (body === "") return text;
  let lead = text.slice(0, text.length - text.trimStart().length), tail = text.slice(text.trimEnd().length);
  if (style.code) {
    let fence = fenceFor(body, 1), padded = body.startsWith("`") || body.endsWith("`") ? ` ${body} ` : body;
    return `${lead}${fence}${padded}${fence}${tail}`;
  }
  let mark = `${style.strike ? "~~" : ""}${style.bold ? "**" : ""}${style.italic ? "*" : ""}`;
  return `${lead}${mark}${escapeText(body, link)}${[...mark.matchAll(/~~|\*\*|\*/g)].reverse().join("")}${tail}`;
}, inlines = (content, lineBreak, link = !1) => {
  let out = "";
  for (let inline of merge(content))
    if (inline.kind === "text") out += emphasise(inline.text, inline.style, link);
    else if (inline.kind === "break") out += lineBreak;
    else if (inline.kind === "call") out += `[^${inline.note}]`;
    else if (inline.kind === "image") out += `![${escapeText(inline.alt, !0)}](${escapeHref(inline.src)})`;
    else {
      let label = inlines(inline.content, " ", !0).trim();
      out += label === "" ? "" : inline.href === "" ? label : `[${label}](${escapeHref(inline.href)})`;
    }
  return out;
}, indent = (text, by) => text.replace(/\n(?!\n|$)/g, `
${by}`), item = ({ blocks: blocks3, checked, label }, marker) => {
  let box = checked === void 0 ? "" : checked ? "[x] " : "[ ] ", [first, ...rest] = blocks3, head = first === void 0 ? "" : block(first), tail = rest.map((next) => `${next.kind === "list" ? `
` : `

`}${block(next)}`).join("");
  return `${marker} ${indent(`${box}${label === void 0 ? "" : `${label} `}${head}${tail}`, " ".repeat(marker.length + 1))}`;
}, escapeCell = (text) => {
  let line = text.includes("|") ? text.replaceAll("|", "\\|") : text;
  return /[\r\n]/.test(line) ? line.split(/[\r\n]+/).map((part) => part.trim()).filter((part) => part !== "").join("<br>") : line;
}, cellText = (nodes) => nodes.map(cellBlock).filter((part) => part !== "").join("<br>"), cellItem = ({ blocks: inner, label }, marker) => `${label ?? marker} ${cellText(inner)}`, cellBlock = (node) => {
  switch (node.kind) {
    case "heading":
    case "paragraph":
      return escapeCell(inlines(node.content, `
`).trim());
    case "list":
      return node.items.map((entry, index) => cellItem(entry, node.ordered ? `${node.start + index}.` : "-")).join("<br>");
    case "table":
      return node.rows.map((row) => row.map((inside) => cellText(inside?.blocks ?? [])).join(" ")).join("<br>");
    case "grid":
      return node.rows.map((row) => row.map(escapeCell).join(" ")).join("<br>");
    case "quote":
    case "note":
      return cellText(node.blocks);
    case "code":
      return escapeCell(node.text);
    case "rule":
      return "";
  }
}, rowLine = (cells) => `| ${cells.join(" | ")} |`, pipeTable = (rows) => {
  let width = rows.reduce((most, row) => Math.max(most, row.length), 0), lines = rows.map(
    (row) => rowLine(row.length === width ? row : [...row, ...Array.from({ length: width - row.length }, () => "")])
  );
  return lines.splice(1, 0, rowLine(Array.from({ length: width }, () => "---"))), lines.join(`
`);
}, table = (rows, headerRows) => {
  let cells = rows.map((row) => row.map((cell2) => cell2 === void 0 ? "" : cellText(cell2.blocks)));
  return pipeTable(headerRows > 0 ? cells : [(cells[0] ?? []).map(() => ""), ...cells]);
}, block = (node) => {
  switch (node.kind) {
    case "heading":
      return `${"#".repeat(node.level)} ${escapeHeadingEnd(inlines(node.content, " ").replace(/\s+/g, " ").trim())}`;
    case "paragraph":
      return escapeStarts(inlines(node.content, `  
`).trim());
    case "list":
      return node.items.map((entry, index) => item(entry, node.ordered && entry.label === void 0 ? `${node.start + index}.` : "-")).join(`
`);
    case "table":
      return table(node.rows, node.headerRows);
    case "grid":
      return pipeTable(node.rows.map((row) => row.map((cell2) => escapeCell(escapeText(cell2)))));
    case "quote":
      return blocks(node.blocks).replace(/^/gm, "> ");
    case "note":
      return `[^${node.note}]: ${indent(blocks(node.blocks), "    ")}`;
    case "code": {
      let fence = fenceFor(node.text, 3);
      return `${fence}
${node.text.replace(/\n$/, "")}
${fence}`;
    }
    case "rule":
      return "---";
  }
}, blocks = (nodes) => nodes.map(block).filter((part) => part !== "" && !/^#+ $/.test(part)).join(`

`), toMarkdown = (tree) => blocks(tree.blocks);

// src/Engine/Parse/Markup.ts
var entities2 = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }, escape = (text) => /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (char) => entities2[char] ?? char) : text, styled = (text, style) => {
  let out = escape(text);
  return style.code && (out = `<code>${out}</code>`), style.italic && (out = `<em>${out}</em>`), style.bold && (out = `<strong>${out}</strong>`), style.strike && (out = `<del>${out}</del>`), out;
}, inlines2 = (content) => {
  let out = "";
  for (let inline of content)
    inline.kind === "text" ? out += styled(inline.text, inline.style) : inline.kind === "break" ? out += "<br>" : inline.kind === "call" ? out += `<sup><a href="#note-${inline.note}">${inline.note}</a></sup>` : inline.kind === "image" ? out += `<img src="${escape(inline.src)}" alt="${escape(inline.alt)}">` : inline.href === "" ? out += inlines2(inline.content) : out += `<a href="${escape(inline.href)}">${inlines2(inline.content)}</a>`;
  return out;
}, item2 = ({ blocks: inner, checked, label }) => {
  let box = checked === void 0 ? "" : `<input type="checkbox" disabled${checked ? " checked" : ""}> `, [only] = inner, content = inner.length === 1 && only?.kind === "paragraph" ? inlines2(only.content) : blocks2(inner);
  return `<li>${box}${label === void 0 ? "" : `${escape(label)} `}${content}</li>`;
}, cell = (node, tag) => {
  if (node === void 0) return "";
  let spans = `${node.colSpan > 1 ? ` colspan="${node.colSpan}"` : ""}${node.rowSpan > 1 ? ` rowspan="${node.rowSpan}"` : ""}`, [only] = node.blocks, content = node.blocks.length === 1 && only?.kind === "paragraph" ? inlines2(only.content) : blocks2(node.blocks);
  return `<${tag}${spans}>${content}</${tag}>`;
}, grid = (rows) => `<table>
${rows.map((row, index) => {
  let tag = index === 0 ? "th" : "td";
  return `<tr>${row.map((value) => `<${tag}>${escape(value)}</${tag}>`).join("")}</tr>`;
}).join(`
`)}
</table>`, block2 = (node) => {
  switch (node.kind) {
    case "heading":
      return `<h${node.level}>${inlines2(node.content)}</h${node.level}>`;
    case "paragraph":
      return `<p>${inlines2(node.content)}</p>`;
    case "list": {
      let items = node.items.map(item2).join(`
`);
      return node.ordered ? `<ol${node.start === 1 ? "" : ` start="${node.start}"`}>
${items}
</ol>` : `<ul>
${items}
</ul>`;
    }
    case "table":
      return `<table>
${node.rows.map(
        (row, index) => `<tr>${row.map((each) => cell(each, index < node.headerRows ? "th" : "td")).join("")}</tr>`
      ).join(`
`)}
</table>`;
    case "grid":
      return grid(node.rows);
    case "quote":
      return `<blockquote>
${blocks2(node.blocks)}
</blockquote>`;
    case "note":
      return `<aside id="note-${node.note}">
${blocks2(node.blocks)}
</aside>`;
    case "code":
      return `<pre><code>${escape(node.text)}</code></pre>`;
    case "rule":
      return "<hr>";
  }
}, blocks2 = (nodes) => nodes.map(block2).join(`
`), attribute = (name, value) => value === void 0 ? "" : `<meta name="${escape(name)}" content="${escape(String(value))}">
`, toHtml = (tree) => {
  let { title, language, description, keywords, author } = tree.metadata;
  return [
    `<!doctype html>
<html${language === void 0 ? "" : ` lang="${escape(String(language))}"`}>
<head>
<meta charset="utf-8">
`,
    title === void 0 ? "" : `<title>${escape(String(title))}</title>
`,
    attribute("description", description),
    attribute("keywords", keywords),
    attribute("author", author),
    `</head>
<body>
${blocks2(tree.blocks)}
</body>
</html>`
  ].join("");
};

// src/Engine/Parse/Convert.ts
var cutOff = "The file ends before its end: what came after is missing.", maxIndexed = 2e6, read = async (bytes, kind, options) => {
  switch (kind) {
    case "docx":
    case "doc":
    case "odt":
    case "rtf":
      return (await import("./chunk-N34NQFWF.js")).readOffice(bytes, kind, options);
    case "pdf":
      return (await import("./chunk-ZHELRQ7K.js")).readPdf(bytes, options);
    case "xlsx":
    case "xls":
    case "ods":
    case "sheetXml":
    case "delimited":
      return (await import("./chunk-6TQ4X4C6.js")).readWorkbook(bytes, kind);
    case "text":
      return readText(bytes);
  }
}, readText = (bytes) => ({
  blocks: decodeText(bytes, void 0).text.split(/\r?\n\s*\r?\n/).map((part) => paragraph(part.trim())),
  metadata: {},
  warnings: []
}), testsOf = (selectors) => selectors.flatMap(
  (selector) => match(parseSelector(selector), { onLeft: () => [], onRight: (test) => [test] })
), extractFrom = (html, options, onlyMainContent) => {
  let wanted = options.formats.filter((name) => ["markdown", "html", "images"].includes(name));
  return extract(html, {
    wanted: /* @__PURE__ */ new Set([...wanted, "text"]),
    onlyMainContent,
    onlyCleanContent: options.onlyCleanContent,
    removeBase64Images: options.removeBase64Images,
    blockAds: options.blockAds,
    include: testsOf(options.includeTags),
    exclude: testsOf(options.excludeTags)
  });
}, titled = (metadata) => {
  let { ogSiteName, ogTitle } = metadata;
  return typeof ogTitle == "string" && ogTitle !== ogSiteName ? { ...metadata, title: ogTitle } : metadata;
}, ofExtracted = (page, rawHtml) => ({
  markdown: page.markdown ?? "",
  html: page.html ?? "",
  rawHtml,
  links: page.links,
  images: page.images ?? [],
  text: page.text ?? "",
  metadata: titled(page.metadata),
  warnings: []
}), ofTree = (tree, options) => {
  let { formats } = options, chosen = options.onlyCleanContent || options.includeTags.length > 0 || options.excludeTags.length > 0, html = chosen || formats.includes("html") || formats.includes("rawHtml") ? toHtml(tree) : "", title = tree.metadata.title ?? firstHeading(tree.blocks), metadata = { ...tree.metadata, ...title !== void 0 && { title: String(title) } };
  return chosen ? { ...ofExtracted(extractFrom(html, options, !1), html), metadata, warnings: tree.warnings } : {
    markdown: formats.includes("markdown") ? toMarkdown(tree) : "",
    html,
    rawHtml: html,
    ...addresses(tree.blocks),
    text: blockText(tree.blocks, maxIndexed),
    metadata,
    warnings: tree.warnings
  };
}, mislabelled = (promised, kind) => promised === void 0 || promised === kind ? [] : [`The name says ${promised}, but the content is ${contentTypes[kind]}: it was read as that.`], plain = (value) => typeof value == "string" ? value : value?.[0] ?? void 0, maxAnswer = 64 * 1024 * 1024, lengthOf = (value) => typeof value == "string" ? value.length : Array.isArray(value) ? value.reduce((sum, each) => sum + lengthOf(each), 0) : 0, checkLength = (document) => {
  let length = Object.values(document).reduce((sum, format) => sum + lengthOf(format), 0);
  if (length > maxAnswer)
    throw tooComplex(`Its content has ${length} characters in the formats asked for, over 64 million`);
}, write = async (content, kind, { name, options, promised }) => {
  let wants = (format) => options.formats.includes(format), language = content.metadata.language ?? await detectLanguage(content.text), warnings = [...mislabelled(promised, kind), ...content.warnings], document = {
    ...wants("markdown") && { markdown: content.markdown },
    ...wants("summary") && { summary: summarize(content.text) },
    ...wants("html") && { html: content.html },
    ...wants("rawHtml") && { rawHtml: content.rawHtml },
    ...wants("links") && { links: content.links },
    ...wants("images") && { images: content.images },
    metadata: {
      ...content.metadata,
      ...language !== void 0 && { language },
      sourceURL: name,
      statusCode: 200,
      contentType: contentTypes[kind]
    },
    ...warnings.length > 0 && { warning: warnings.join(" ") }
  };
  checkLength(document);
  let indexed = {
    title: plain(content.metadata.title) ?? name,
    description: plain(content.metadata.description) ?? "",
    text: content.text.slice(0, maxIndexed),
    published: publishedOf(content.metadata)
  };
  return { document, indexed };
}, convert = async (job) => {
  let { options, path, promised } = job, bytes = await readFile(path), kind = sniff(bytes, promised);
  if (kind === void 0) throw unreadable();
  if (kind === "html") {
    let html = decodeText(bytes, void 0).text;
    return write(ofExtracted(extractFrom(html, options, options.onlyMainContent), html), kind, job);
  }
  let content = ofTree(await read(bytes, kind, options), options), warnings = isCutOff(bytes, kind) ? [cutOff, ...content.warnings] : content.warnings;
  return write({ ...content, warnings }, kind, job);
}, braceOpen = 123, braceClose = 125, backslash = 92, rtfIsOpen = (bytes) => {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at];
    byte === backslash ? at += 1 : byte === braceOpen ? depth += 1 : byte === braceClose && (depth -= 1);
  }
  return depth > 0 && !bytes.includes("\\bin");
}, pdfIsOpen = (bytes) => bytes.lastIndexOf("%%EOF") < 0, isUnused = (next) => next >= 4294967290 || next === 0, compoundIsOpen = (bytes) => {
  if (bytes.length < 512) return !0;
  let size = 1 << bytes.readUInt16LE(30);
  if (size !== 512 && size !== 4096) return !1;
  let within = Math.ceil(bytes.length / size) - 1, tables = Math.min(109, bytes.readUInt32LE(44));
  for (let table2 = 0; table2 < tables; table2 += 1) {
    let start = (bytes.readUInt32LE(76 + table2 * 4) + 1) * size;
    if (start + size > bytes.length) return !0;
    let first = table2 * size / 4;
    for (let entry = Math.max(0, within - first); entry < size / 4; entry += 1)
      if (!isUnused(bytes.readUInt32LE(start + entry * 4))) return !0;
  }
  return !1;
}, isCutOff = (bytes, kind) => {
  switch (kind) {
    case "rtf":
      return rtfIsOpen(bytes);
    case "pdf":
      return pdfIsOpen(bytes);
    case "doc":
    case "xls":
      return bytes.readUInt32BE(0) === 3503231456 && compoundIsOpen(bytes);
    default:
      return !1;
  }
};

// src/Engine/Parse/Child.ts
var send = (message) => {
  process.send?.(message);
}, refusal = (error) => {
  if (error instanceof Refusal) return error;
  let message = error instanceof Error ? error.message : String(error);
  return error instanceof RangeError && /call stack|string length/i.test(message) ? tooComplex(`The file is larger or more tangled than can be read (${message})`) : corrupt(`The file cannot be read (${message})`);
};
process.on(
  "message",
  safely(
    (job) => {
      send({ kind: "begun" }), convert(job).then(
        (file) => send({ kind: "parsed", file }),
        (error) => {
          let { code, message } = refusal(error);
          send({ kind: "refused", code, message });
        }
      );
    },
    () => process.exit(1)
  )
);
process.on(
  "disconnect",
  safely(
    () => process.exit(),
    () => process.exit(1)
  )
);
new Worker(
  `const parent = process.ppid
   setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL") }, 1000)`,
  { eval: !0, execArgv: [], env: {}, stdin: !1, stdout: !0, stderr: !0 }
).unref();
send({ kind: "ready" });
