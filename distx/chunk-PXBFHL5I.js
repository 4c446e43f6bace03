import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  Parser,
  layer
} from "./chunk-IDTNILGS.js";
import "./chunk-Q3EFARSN.js";
import "./chunk-2ZILVW26.js";
import {
  choice,
  make,
  many,
  toggle
} from "./chunk-FCWYZXNV.js";
import "./chunk-OTBTFI5V.js";
import {
  FileUnusable,
  count
} from "./chunk-BMNGXVO7.js";
import {
  paint,
  warn
} from "./chunk-CZDJQLZL.js";
import "./chunk-Y3UV4EDE.js";
import {
  optionFields,
  settle
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-UUXWWBQZ.js";
import "./chunk-5BTQFAOF.js";
import "./chunk-5MIN5RQK.js";
import "./chunk-NEXSCO5F.js";
import {
  FileSystem,
  Path,
  fromIterable,
  mapEffect,
  runForEach
} from "./chunk-4U3SQ3WC.js";
import {
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  TaggedError
} from "./chunk-PAQDWWDE.js";
import {
  either,
  gen,
  map9 as map,
  mapError2 as mapError,
  provide2 as provide,
  sync3 as sync
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-AK2SJKLB.js";
import "./chunk-REEM7JGU.js";
import {
  isLeft,
  isRight
} from "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Parse.ts
import { basename } from "node:path";
var parameters = {
  files: many("FILE", "A file: .html .htm .pdf .docx .doc .odt .rtf .xlsx .xls, of at most 50 MB."),
  format: choice(
    "FORMAT",
    ["markdown", "html", "rawHtml", "links", "images", "summary"],
    "What to print of each file; default: markdown. Links and images are a line each."
  ),
  whole: toggle("All of an HTML page; without it, its main content."),
  json: toggle("A line of JSON for each file: its content, metadata and warning, or its error.")
}, command = make({
  details: "Each file is read in a process of its own with bounds on memory and time. Of several files each begins with its name in a comment. A file that cannot be read is told on stderr, the others go on, and the exit code is 1.",
  parameters,
  examples: [
    { line: "sluice parse report.pdf > report.md", what: "one file" },
    { line: "sluice parse *.docx --json", what: "content and metadata of many, a line each" },
    { line: "sluice parse page.html --format links", what: "the addresses it leads to" }
  ],
  run: (options, terminal) => run(options, terminal)
}), FilesUnread = class extends TaggedError("FilesUnread") {
  get message() {
    return `${this.files} of ${count(this.of, "file")} could not be read`;
  }
}, atOnce = 2, timeout = 3e5, shown = (document, format) => {
  let value = document[format];
  return Array.isArray(value) ? value.join(`
`) : String(value ?? "");
}, read = (file, { format = "markdown", whole }) => gen(function* () {
  let files = yield* FileSystem, paths = yield* Path, parser = yield* Parser, path = paths.resolve(file), unusable = (cause) => new FileUnusable({ path: file, reason: fileErrorReason(cause), cause });
  yield* mapError(files.access(path, { readable: !0 }), unusable);
  let { type } = yield* mapError(files.stat(path), unusable);
  if (type === "Directory")
    return yield* new FileUnusable({ path: file, reason: "it is a folder: name the files in it" });
  let options = settle(optionFields, { formats: [format], onlyMainContent: !whole, timeout }), { document } = yield* mapError(
    parser.parse({ path, name: basename(file), options, uploaded: !0 }),
    ({ error }) => new FileUnusable({ path: file, reason: error })
  );
  return document;
}), write = (file, result, options, { err, out }) => {
  let { files, format = "markdown", json } = options;
  if (json) {
    let value = isRight(result) ? { file, ...result.right } : { file, error: result.left.reason };
    out.write(`${JSON.stringify(value)}
`);
    return;
  }
  if (isLeft(result)) {
    err.write(`${paint(err).red("error:")} ${result.left.message}
`);
    return;
  }
  let { warning } = result.right;
  warning !== void 0 && warn(err, `${file}: ${warning}`);
  let name = files.length === 1 ? "" : `<!-- ${file.replaceAll("--", "- -")} -->

`;
  out.write(`${name}${shown(result.right, format)}
${files.length === 1 ? "" : `
`}`);
}, run = (options, terminal) => gen(function* () {
  let { files } = options, unread = 0;
  if (yield* fromIterable(files).pipe(
    mapEffect((file) => map(either(read(file, options)), (result) => ({ file, result })), {
      concurrency: atOnce
    }),
    runForEach(
      ({ file, result }) => sync(() => {
        isLeft(result) && (unread += 1), write(file, result, options, terminal);
      })
    )
  ), unread > 0) return yield* new FilesUnread({ files: unread, of: files.length });
}).pipe(provide(layer));
export {
  command
};
