import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  entriesOf,
  localNames,
  readPart
} from "./chunk-5BTQFAOF.js";
import {
  encrypted
} from "./chunk-5MIN5RQK.js";

// src/Engine/Parse/Sniff.ts
var contentTypes = {
  html: "text/html",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  doc: "application/msword",
  odt: "application/vnd.oasis.opendocument.text",
  rtf: "application/rtf",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xls: "application/vnd.ms-excel",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  sheetXml: "application/xml",
  delimited: "text/tab-separated-values",
  text: "text/plain"
}, kindOfExtension = {
  ".html": "html",
  ".htm": "html",
  ".pdf": "pdf",
  ".docx": "docx",
  ".doc": "doc",
  ".odt": "odt",
  ".rtf": "rtf",
  ".xlsx": "xlsx",
  ".xls": "xls"
}, compoundSignature = Buffer.from([208, 207, 17, 224, 161, 177, 26, 225]), streamName = (name) => Buffer.from(`${name}\0`, "utf16le"), packageName = streamName("EncryptedPackage"), wordName = streamName("WordDocument"), bookNames = [streamName("Workbook"), streamName("Book")], sniffCompound = (bytes, promised) => {
  if (bytes.includes(packageName)) throw encrypted("The document");
  let word = bytes.includes(wordName), book = bookNames.some((name) => bytes.includes(name));
  return word && book ? promised === "xls" || promised === "xlsx" ? "xls" : "doc" : word ? "doc" : book ? "xls" : void 0;
}, sniffZip = (bytes) => {
  let entries = entriesOf(bytes), names = entries.length > 0 ? entries.map(({ name }) => name) : localNames(bytes), has = (name) => names.includes(name);
  if (has("mimetype") || has("content.xml")) {
    if (readPart(bytes, entries, "META-INF/manifest.xml")?.includes("encryption-data")) throw encrypted("The document");
    return (readPart(bytes, entries, "mimetype") ?? bytes.toString("latin1", 0, 200)).includes("opendocument.spreadsheet") ? "ods" : "odt";
  }
  if (entries.some((entry) => entry.encrypted)) throw encrypted("The container");
  if (has("xl/workbook.xml") || has("xl/workbook.bin") || names.some((name) => name.startsWith("xl/"))) return "xlsx";
  if (has("word/document.xml") || names.some((name) => name.startsWith("word/"))) return "docx";
}, isText = (head) => {
  if (head.length >= 2 && (head.readUInt16LE(0) === 65279 || head.readUInt16LE(0) === 65534)) return !0;
  let odd = 0;
  for (let byte of head) (byte < 9 || byte > 13 && byte < 32 && byte !== 27) && (odd += 1);
  return odd * 100 <= head.length;
}, sniffText = (head, promised) => {
  if (!isText(head)) return;
  let start = head.toString("latin1").replace(/\0/g, "");
  return start.includes("urn:schemas-microsoft-com:office:spreadsheet") ? "sheetXml" : /<(?:!doctype\s+html|html|head|body|title|meta|div|table|p|h[1-6]|a|span|ul|ol)[\s>]/i.test(start) || promised === "html" ? "html" : (promised === "xls" || promised === "xlsx") && /[\t,;]/.test(start) ? "delimited" : "text";
}, sniff = (bytes, promised) => {
  let head = bytes.subarray(0, 4096);
  return head.subarray(0, 8).equals(compoundSignature) ? sniffCompound(bytes, promised) : head.length > 4 && head.readUInt32BE(0) === 1347093252 ? sniffZip(bytes) : head.subarray(0, 1024).includes("%PDF-") ? "pdf" : /^\s*\{\\rtf/.test(head.toString("latin1", 0, 64).replace(/^\u00ef\u00bb\u00bf/, "")) ? "rtf" : promised === "xls" && head.length > 4 && head[0] === 9 && [0, 2, 4].includes(head[1] ?? -1) ? "xls" : sniffText(head, promised);
};

export {
  contentTypes,
  kindOfExtension,
  sniff
};
