/** Requests for an operation: in order, nearly in order, and nothing like it. */
import { gzipSync } from "node:zlib"
import fc from "fast-check"
import type { Document, Operation } from "./Document.ts"
import { type Change, change, changed, hostile, type Schema, values, type Words } from "./Values.ts"
import type { Sent } from "./Wire.ts"

/** Resources that exist while requests are sent. */
export interface World {
  readonly key: string
  /** Addresses of a site on this machine, and others that are refused before anything is dialled. */
  readonly urls: ReadonlyArray<string>
  /** Jobs that run, have ended, are another team's, and were never there. */
  readonly ids: ReadonlyArray<string>
}

const wordsOf = ({ ids, urls }: World): Words => ({
  PageUrl: urls,
  UUID: ids,
  JobId: ids,
  urls: [urls.slice(0, 3), urls, [urls[0], urls[0]], ["nonsense", urls[1]]],
  Hostname: ["docs.example.com", "127.0.0.1", "localhost", "a.invalid"],
  Tbs: ["qdr:w", "sbd:1,qdr:d", "cdr:1,cd_min:12/31/2025,cd_max:01/31/2026"],
  query: ["page", '"a page" -of site:127.0.0.1', "filetype:pdf intitle:a", "related:127.0.0.1", "*", "NEAR(", '"'],
  prompt: ["at most 12 pages of the blog", "alles unter /docs, aber nicht /docs/alt", "", "🦩"],
  formats: [
    ["markdown", "html", "rawHtml", "links", "images", "summary"],
    ["json"],
    [{ type: "json", prompt: "the title", schema: { type: "object", properties: { a: { $ref: "#" } } } }],
    [{ type: "changeTracking", modes: ["git-diff", "json"], tag: "a" }],
    [{ type: "attributes", selectors: [{ selector: "a", attribute: "href" }] }],
    ["screenshot@fullPage"],
    ["branding"],
    ["audio"]
  ],
  includeTags: [["main", "#a", "p > a[href]"], ["*"], ["p:nth-child(2n+1)"], [":::"]],
  excludeTags: [["nav"], ["main *"], [","]],
  includePaths: [["^/a$"], [".*"], ["("], ["(a+)+$"]],
  excludePaths: [["/b.*"], ["\\p{L}+"]],
  headers: [{}, { accept: "text/html" }, { "x-a": "\r\nx-b: c" }, { host: "a.invalid" }, { "": "" }, { ä: "ö" }],
  proxy: ["basic", "stealth", "auto", "none"],
  parsers: [["pdf"], [], [{ type: "pdf", mode: "fast", maxPages: 1 }]],
  location: [{ country: "DE", languages: ["de", "en-GB"] }, { country: "XX" }],
  actions: [[{ type: "wait", milliseconds: 1 }], [{ type: "click", selector: "a" }], [{ type: "nothing" }], []],
  webhook: [urls[0], { url: `${urls[0]}hook`, events: ["page"], secret: "s", metadata: { a: 1 } }, "http://192.0.2.1/"],
  sitemap: ["skip", "include", "only"],
  timeout: [1000, 5000],
  waitFor: [0, 1],
  delay: [0, 0.01, 3600],
  limit: [1, 3],
  ttl: [30, 600],
  country: ["US", "de", ""],
  enterprise: [["zdr"], ["anon"]],
  profile: [{ name: "a" }, { name: "a", saveChanges: false }],
  tag: ["a", null],
  schema: [{ type: "object" }, true, { $ref: "#/nowhere" }]
})

const encode = (text: string, encoding: BufferEncoding = "utf8"): Buffer => Buffer.from(text, encoding)

/** Mutations of the bytes of a JSON body. */
const garbles: ReadonlyArray<(text: string) => Uint8Array> = [
  (text) => encode(text.slice(0, Math.ceil(text.length / 2))),
  (text) => encode(text.replace("{", '{"url":1,"url":[],')),
  (text) => encode(`${text}${text}`),
  (text) => encode(text.replace(/\}$/, ',"limit":1e400}')),
  (text) => encode(text.replace(/\}$/, ',"limit":NaN}')),
  (text) => encode(text.replace(/\}$/, ",}")),
  (text) => encode(`\ufeff${text}`),
  (text) => encode(text, "utf16le"),
  (text) => Buffer.concat([Buffer.from([0xff, 0xfe, 0x00]), encode(text)]),
  (text) => gzipSync(text),
  () => encode("null"),
  () => encode("[]"),
  () => encode('""'),
  () => encode("{}"),
  () => encode(" \n"),
  () => encode(""),
  () => encode("[".repeat(100_000)),
  () => encode(`{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`),
  (text) => Buffer.concat([encode(text), Buffer.alloc(1024 * 1024, " ")])
]

const jsonBody = (schema: Schema, of: (schema: Schema) => fc.Arbitrary<unknown>): fc.Arbitrary<Uint8Array> => {
  const value = fc
    .tuple(of(schema), fc.oneof(fc.constant([]), fc.array(change, { minLength: 1, maxLength: 3 })))
    .map(([value, changes]) => changes.reduce<unknown>((value, change: Change) => changed(value, change), value))
  const text = value.map((value) => JSON.stringify(value) ?? "")
  return fc.oneof(
    { weight: 5, arbitrary: text.map((text) => encode(text)) },
    { weight: 1, arbitrary: fc.tuple(text, fc.constantFrom(...garbles)).map(([text, garble]) => garble(text)) }
  )
}

const boundary = "----boundary"

interface Part {
  readonly head: string
  readonly bytes: Uint8Array
}

const files: ReadonlyArray<Uint8Array> = [
  encode("<!doctype html><title>A</title><h1>A</h1><p>Text</p>"),
  encode("<div>".repeat(3000)),
  encode(""),
  encode("%PDF-1.4\n1 0 obj\n<< /Length 5 >>\nstream\nabc"),
  encode("PK\u0003\u0004 and then nothing that makes sense"),
  encode("{\\rtf1\\ansi Hello {\\b world}}"),
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0]),
  Buffer.alloc(70_000, 0xff)
]

const fileNames = ["a.html", "a.pdf", "a.docx", "a.doc", "a.odt", "a.rtf", "a.xlsx", "a.xls", "a.exe", "a", ""]
const oddNames = [
  ".html",
  "ä😀.html",
  "..%2f..%2fetc/passwd.html",
  "a\u0000.html",
  `${"x".repeat(3000)}.html`,
  'a".html'
]

const upload = (of: (schema: Schema) => fc.Arbitrary<unknown>, options: Schema): fc.Arbitrary<Uint8Array> => {
  const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}`
  const file: fc.Arbitrary<Part> = fc
    .tuple(fc.constantFrom(...fileNames, ...oddNames), fc.constantFrom(...files))
    .map(([name, bytes]) => ({ head: disposition(`name="file"; filename="${name}"`), bytes }))
  const text = fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(of(options), fc.option(change))
        .map(([value, change]) => JSON.stringify(change === null ? value : changed(value, change)) ?? "")
    },
    fc.constantFrom("", "{", "null", "[]", "[".repeat(10_000), '{"__proto__":{"formats":1}}')
  )
  const option: fc.Arbitrary<Part> = text.map((text) => ({ head: disposition('name="options"'), bytes: encode(text) }))
  const odd: fc.Arbitrary<Part> = fc
    .constantFrom(
      disposition('name="file"'),
      disposition("name=file; filename*=UTF-8''%e2%82.html"),
      disposition('filename="a.html"'),
      "Content-Disposition: attachment",
      "X: y",
      ""
    )
    .map((head) => ({ head, bytes: encode("<p>") }))
  const parts = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(file, option).map((parts): ReadonlyArray<Part> => parts) },
    { weight: 2, arbitrary: file.map((part): ReadonlyArray<Part> => [part]) },
    fc.array(fc.oneof(file, option, odd), { maxLength: 4 }),
    odd.map((part): ReadonlyArray<Part> => Array(20).fill(part))
  )
  const ends = fc.constantFrom(
    `--${boundary}--\r\n`,
    `--${boundary}--\r\n`,
    `--${boundary}--\r\n`,
    "",
    `--${boundary}`,
    "--other--"
  )
  return fc
    .tuple(parts, ends)
    .map(([parts, end]) =>
      Buffer.concat([
        ...parts.flatMap(({ bytes, head }) => [encode(`--${boundary}\r\n${head}\r\n\r\n`), bytes, encode("\r\n")]),
        encode(end)
      ])
    )
}

const segments = (world: World): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...world.ids) },
    fc.constantFrom(
      "active",
      "x",
      "%00",
      "%ff",
      "%2e%2e",
      "..",
      "%",
      "%E0%A4%A",
      "a%2fb",
      "{id}",
      "*",
      ":id",
      "__proto__"
    ),
    fc.constantFrom(...world.ids).map((id) => id.toUpperCase()),
    fc.constantFrom(`${world.ids[0]}%20`, `${world.ids[0]};a=b`, `urn:uuid:${world.ids[0]}`),
    fc.constant("x".repeat(8000))
  )

const queries = [
  ...[
    "",
    "",
    "",
    "",
    "?",
    "?skip=0",
    "?skip=1&limit=1",
    "?limit=1000",
    "?skip=-1",
    "?skip=1e3",
    "?skip=0x1",
    "?limit=0"
  ],
  ...["?limit=99999999999999999999", "?skip=9007199254740993", "?skip=", "?skip=1&skip=2", "?skip[]=1", "?skip=%"],
  ...[
    "?byApiKey=true",
    "?byApiKey=1",
    "?byApiKey=TRUE&byApiKey=false",
    "?__proto__=1&constructor=2",
    "?&&&==;",
    "?%00=%ff"
  ],
  ...[`?${"a=b&".repeat(1500)}`, "?q=%F0%9F%92%A9", "?limit=１"]
]

/** Nothing else is a method to the platform; what it does not know is no HTTP. */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "get", "NONSENSE", ""]

const types = [
  ...[
    "application/json; charset=utf-8",
    "APPLICATION/JSON",
    "application/json; charset=utf-16",
    "text/plain",
    "text/html",
    ""
  ],
  ...[
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "application/xml",
    ";",
    "*"
  ],
  `multipart/form-data; boundary=${boundary}`
]

type Header = readonly [name: string, value: string]

const moreHeaders: ReadonlyArray<ReadonlyArray<Header>> = [
  ...Array<ReadonlyArray<Header>>(8).fill([]),
  [["x-idempotency-key", "a"]],
  [["x-idempotency-key", ""]],
  [["x-idempotency-key", "x".repeat(256)]],
  [["x-idempotency-key", "\u00ff\u00fe"]],
  [
    ["x-idempotency-key", "a"],
    ["X-Idempotency-Key", "b"]
  ],
  [["accept", "text/html;q=0.1, nothing"]],
  [["accept-encoding", "gzip, br"]],
  [["content-encoding", "gzip"]],
  [["expect", "100-continue"]],
  [["expect", "nonsense"]],
  [["host", "elsewhere.example"]],
  [["host", ""]],
  [
    ["host", "127.0.0.1"],
    ["host", "b"]
  ],
  [
    ["origin", "null"],
    ["sec-fetch-site", "cross-site"]
  ],
  [["upgrade", "websocket"]],
  [
    ["upgrade", "h2c"],
    ["http2-settings", "AAMAAABkAARAAAAAAAIAAAAA"]
  ],
  [["x-forwarded-proto", "https, javascript"]],
  [["x-forwarded-host", "a\tb"]],
  [["cookie", "a=b; ;=; __proto__=1"]],
  [["range", "bytes=0-1"]],
  [["transfer-encoding", "identity"]],
  [["traceparent", "00-zz-zz-01"]],
  [["b3", "x"]],
  Array.from({ length: 150 }, (_, index): Header => [`x-${index}`, "y".repeat(50)]),
  [["x-long", "y".repeat(20_000)]],
  [["bad name", "x"]],
  [["x-null", "a\u0000b"]]
]

const authorizations = (key: string): ReadonlyArray<ReadonlyArray<Header>> => [
  ...Array<ReadonlyArray<Header>>(30).fill([["authorization", `Bearer ${key}`]]),
  [],
  [["authorization", "Bearer"]],
  [["authorization", `bearer   ${key} `]],
  [["authorization", `Basic ${Buffer.from(`:${key}`).toString("base64")}`]],
  [
    ["authorization", `Bearer ${key}`],
    ["authorization", "Bearer x"]
  ],
  [["authorization", `Bearer ${"x".repeat(10_000)}`]],
  [["authorization", "Bearer \u00ff\u00fe"]]
]

/** Whatever may be sent to an operation. */
export const requests = (document: Document, operation: Operation, world: World): fc.Arbitrary<Sent> => {
  const { schemas } = document.components
  const of = values(schemas, wordsOf(world))
  const bytes = operation.isUpload
    ? upload(of, schemas.ScrapeOptions ?? {})
    : operation.body === undefined
      ? fc.oneof(
          { weight: 9, arbitrary: fc.constant(undefined) },
          hostile.map((value) => encode(JSON.stringify(value) ?? ""))
        )
      : fc.oneof({ weight: 19, arbitrary: jsonBody(operation.body, of) }, fc.constant(undefined))
  const type = operation.isUpload ? `multipart/form-data; boundary=${boundary}` : "application/json"
  const target = fc
    .tuple(
      segments(world),
      fc.constantFrom(...queries),
      fc.constantFrom(...Array<string>(20).fill(""), "/", "//", "%20", "/..")
    )
    .map(([segment, query, tail]) => `${operation.path.replace(/\{\w+\}/g, segment)}${tail}${query}`)
  return fc
    .record({
      method: fc.oneof({ weight: 14, arbitrary: fc.constant(operation.method) }, fc.constantFrom(...methods)),
      target,
      body: bytes,
      type: fc.oneof({ weight: 14, arbitrary: fc.constant(type) }, fc.constantFrom(...types)),
      authorization: fc.constantFrom(...authorizations(world.key)),
      more: fc.constantFrom(...moreHeaders),
      framing: fc.constantFrom<Sent["framing"]>(
        "length",
        "length",
        "length",
        "length",
        "length",
        "chunked",
        "chunked",
        "short",
        "both"
      )
    })
    .map(({ authorization, body, framing, method, more, target, type }) => ({
      method,
      target,
      body,
      framing,
      headers: [...authorization, ...(body === undefined ? [] : [["content-type", type] as const]), ...more]
    }))
}
