import { readdirSync, readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { expect, layer } from "../../It.ts"
import { type Caller, caller, engine, keys, Local, layer as localLayer, tempDir, temporaryFolder } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import * as Documents from "./Documents.ts"
import { until } from "./Folder.ts"

const upload = (call: Caller, name: string, bytes: Uint8Array, options?: unknown, optionsFirst = false) => {
  const form = new FormData()
  const part = typeof options === "string" ? options : JSON.stringify(options)
  if (optionsFirst) form.append("options", part)
  form.append("file", new Blob([new Uint8Array(bytes)]), name)
  if (options !== undefined && !optionsFirst) form.append("options", part)
  return call.send("/v2/parse", { method: "POST", body: form })
}

/** An upload with a verbatim header, sent in small chunks. */
const raw = (call: Caller, name: string | Buffer, bytes: Uint8Array) => {
  const boundary = "----by-hand"
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; `),
    Buffer.from(name),
    Buffer.from(`\r\nContent-Type: application/rtf\r\n\r\n`),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`)
  ])
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` }
  return call.send("/v2/parse", { method: "POST", body, headers })
}

const creditsOf = (call: Caller) =>
  Effect.map(call.get("/v2/team/token-usage/historical"), ({ json }) => json.periods.at(-1).totalTokens / 15)

const found = (call: Caller, query: string) =>
  Effect.map(call.post("/v2/search", { query }), ({ json }) => json.data.web ?? [])

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : []
  )

layer(localLayer, { excludeTestServices: true })("POST /v2/parse", (it) => {
  it.scoped.skipIf(skipsLong)("returns the document, charges a credit and makes it searchable", function* () {
    const { call } = yield* Local
    const before = yield* creditsOf(call)
    const { json, status } = yield* upload(call, "Ebbe und Flut.odt", Documents.odt(), {
      formats: ["markdown", "links"]
    })
    expect(status).toBe(200)
    expect(json.success).toBe(true)
    expect(Object.keys(json.data).sort()).toEqual(["links", "markdown", "metadata"])
    expect(json.data.metadata).toMatchObject({
      sourceURL: "Ebbe und Flut.odt",
      url: "Ebbe und Flut.odt",
      concurrencyLimited: false,
      concurrencyQueueDurationMs: 0
    })
    expect(yield* creditsOf(call)).toBe(before + 1)
    expect(yield* found(call, '"sea rises"')).toMatchObject([
      { url: "upload:Ebbe%20und%20Flut.odt", title: "Ebb & flow" }
    ])
  })

  it.scoped.skipIf(skipsLong)("says how long a file has waited for its turn", function* () {
    const { call } = yield* Local
    const file = Documents.odt()
    const upload24 = Array.from({ length: 24 }, (_, at) => upload(call, `${at}.odt`, file, { formats: ["links"] }))
    const answers = yield* Effect.all(upload24, { concurrency: "unbounded" })
    const waited = answers.map(({ json }) => json.data.metadata).filter(({ concurrencyLimited }) => concurrencyLimited)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(waited.length).toBeGreaterThan(0)
    expect(Math.max(...waited.map(({ concurrencyQueueDurationMs }) => concurrencyQueueDurationMs))).toBeGreaterThan(0)
  })

  it.scoped.skipIf(skipsLong)("accepts a file of exactly 50 MB, and not a byte more", function* () {
    const { call } = yield* Local
    const options = { formats: ["links"], onlyMainContent: false }
    const bytes = Buffer.alloc(50 * 1024 * 1024 + 1, " ")
    bytes.write("<!doctype html><p>some words</p>")
    const exact = yield* upload(call, "a.html", bytes.subarray(0, -1), options)
    expect(exact.json).toMatchObject({ success: true })
    const over = yield* upload(call, "a.html", bytes, options)
    expect([over.status, over.json.code]).toEqual([413, "FILE_TOO_LARGE"])
  })

  it.scoped("accepts the options before or after the file, or none", function* () {
    const { call } = yield* Local
    const options = { formats: ["html"] }
    for (const first of [true, false]) {
      const { json } = yield* upload(call, "a.rtf", Documents.rtf(), options, first)
      expect(Object.keys(json.data).sort()).toEqual(["html", "metadata"])
    }
    const { json } = yield* upload(call, "a.rtf", Documents.rtf())
    expect(Object.keys(json.data).sort()).toEqual(["markdown", "metadata"])
  })

  it.scoped("accepts file names in any script, with quotes, in every encoding", function* () {
    const { call } = yield* Local
    for (const name of ["日本.rtf", "Прилив.rtf", "🌊 wave.rtf", `"flood" 'n ebb.rtf`, "Büsum é.rtf", "a;b=c.rtf"]) {
      const { json, status } = yield* upload(call, name, Documents.rtf())
      expect(status, JSON.stringify(json)).toBe(200)
      expect(json.data.metadata.sourceURL).toBe(name)
    }
    const headers = [
      [`filename*=UTF-8''%E6%97%A5.rtf`, "日.rtf"],
      [`filename="plain.rtf"; filename*=UTF-8''%C3%A9.rtf`, "é.rtf"],
      [`filename="a \\"b\\".rtf"`, `a "b".rtf`],
      [Buffer.from(`filename="B\u00fcsum.rtf"`, "latin1"), "Büsum.rtf"],
      [`filename="plain.rtf"; filename*=UTF-8''%zz%ff.rtf`, "_zz_ff.rtf"]
    ] as const
    for (const [name, expected] of headers) {
      const { json, status } = yield* raw(call, name, Documents.rtf())
      expect(status, JSON.stringify(json)).toBe(200)
      expect(json.data.metadata.sourceURL).toBe(expected)
    }
  })

  it.scoped("refuses an upload without parts or boundary, and a file name that looks like a URL", function* () {
    const { call } = yield* Local
    const json = yield* call.send("/v2/parse", {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" }
    })
    expect(json.status).toBe(400)
    for (const name of ["https://example.org/download", "https:x.exe"]) {
      const { json, status } = yield* upload(call, name, Documents.rtf())
      expect(json).toMatchObject({ code: "UNSUPPORTED_FILE_TYPE" })
      expect(status).toBe(415)
    }
  })

  it.scoped("stores nothing of a file with zero data retention", function* () {
    const { call } = yield* Local
    const secret = Documents.html("<p>The word is sesamesentinel and it stays between us.</p>")
    const { status } = yield* upload(call, "secret.html", secret, { zeroDataRetention: true })
    expect(status).toBe(200)
    expect(yield* found(call, "sesamesentinel")).toEqual([])
    const unshelved = Documents.html("<p>The word is unshelvedsentinel and no search finds it.</p>")
    expect((yield* upload(call, "unshelved.html", unshelved, { storeInCache: false })).status).toBe(200)
    expect(yield* found(call, "unshelvedsentinel")).toEqual([])
  })

  it.scoped.skipIf(skipsLong)(
    "writes nothing of it to disk: not its text, not its name, not its repeated request",
    function* () {
      const dataDir = yield* tempDir
      const { baseUrl } = yield* engine({ dataDir })
      const call = caller(baseUrl, keys.first)
      const folder = yield* temporaryFolder
      const page = (word: string) =>
        Documents.html(
          `<title>${word}</title><p>The word is ${word}, see <a href="https://example.org/${word}">it</a>.</p>`
        )
      yield* upload(call, "keptsentinelname.html", page("keptsentinelword"))
      yield* upload(call, "gonesentinelname.html", page("gonesentinelword"), { zeroDataRetention: true })
      yield* until(() => readdirSync(folder).length === 0)
      const written = filesIn(dataDir).map((path) => readFileSync(path))
      const holds = (word: string) => written.some((bytes) => bytes.includes(word))
      expect(holds("keptsentinelword")).toBe(true)
      expect(holds("gonesentinelword")).toBe(false)
      expect(holds("gonesentinelname")).toBe(false)
    }
  )

  it.scoped("deletes an upload whose client has disconnected", function* () {
    const { call } = yield* Local
    const folder = yield* temporaryFolder
    const { hostname, port } = new URL(call.baseUrl)
    const socket = yield* Effect.promise(
      () =>
        new Promise<Socket>((resolve) => {
          const opened = connect(Number(port), hostname, () => resolve(opened))
        })
    )
    socket.on("error", () => undefined)
    socket.write(
      `POST /v2/parse HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys.first}\r\nContent-Type: multipart/form-data; boundary=cut\r\nContent-Length: 900000\r\n\r\n--cut\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n${"x".repeat(200_000)}`
    )
    yield* until(() => readdirSync(folder).length > 0)
    // The name carries the owner's process id, so that the next engine can clean up after a crash.
    expect(readdirSync(folder)).toEqual([expect.stringMatching(`^sluice-[0-9a-f]{8}-${process.pid}-`)])
    socket.destroy()
    yield* until(() => readdirSync(folder).length === 0)
  })

  it.scoped.skipIf(skipsLong)("refuses invalid uploads, each with its status and code", function* () {
    const { call } = yield* Local
    const before = yield* creditsOf(call)
    const cases = [
      [yield* upload(call, "a.exe", Buffer.from("MZ")), 415, "UNSUPPORTED_FILE_TYPE"],
      [yield* upload(call, "a.doc", Documents.doc(6)), 415, "UNSUPPORTED_FILE_TYPE"],
      [yield* upload(call, "a.pdf", Buffer.alloc(0)), 422, "FILE_CORRUPT"],
      [yield* upload(call, "a.docx", Documents.compound("EncryptedPackage")), 422, "FILE_ENCRYPTED"],
      [yield* upload(call, "a.rtf", Documents.rtf(), "{"), 400, "BAD_REQUEST_INVALID_JSON"],
      [
        yield* upload(call, "a.rtf", Documents.rtf(), `{"formats":[${"[".repeat(5000)}${"]".repeat(5000)}]}`),
        400,
        "BAD_REQUEST_INVALID_JSON"
      ],
      [yield* upload(call, "a.rtf", Documents.rtf(), { mobile: true }), 400, "PARSE_UNSUPPORTED_OPTIONS"],
      [yield* upload(call, "a.pdf", Buffer.alloc(51 * 1024 * 1024, 32)), 413, "REQUEST_TOO_LARGE"]
    ] as const
    for (const [{ json, status }, expected, code] of cases) {
      expect(json, code).toMatchObject({ success: false, code })
      expect(status, code).toBe(expected)
    }
    const form = new FormData()
    form.append("options", "{}")
    const missing = yield* call.send("/v2/parse", { method: "POST", body: form })
    expect(missing.status).toBe(400)
    expect(yield* creditsOf(call)).toBe(before)
  })

  it.scoped.skipIf(skipsLong)("answers damaged files with a document or an error, and deletes them", function* () {
    const { call } = yield* Local
    const folder = yield* temporaryFolder
    const [docx, pdf] = yield* Effect.promise(() => Promise.all([Documents.docx(), Documents.pdf()]))
    const whole = [
      ["a.docx", docx],
      ["a.pdf", pdf],
      ["a.xlsx", Documents.workbook()],
      ["a.odt", Documents.odt()],
      ["a.rtf", Documents.rtf()],
      ["a.doc", Documents.doc()]
    ] as const
    const damaged = whole.flatMap(([name, bytes], at) => [
      [name, bytes.subarray(0, Math.floor(bytes.length * 0.6))] as const,
      [name, Buffer.from(bytes.map((byte, index) => (index % 97 === 5 + at ? byte ^ 0x5a : byte)))] as const,
      [name, Buffer.from(bytes).reverse()] as const
    ])
    const answers = yield* Effect.forEach(damaged, ([name, bytes]) => upload(call, name, bytes), { concurrency: 4 })
    for (const [index, { json, status }] of answers.entries()) {
      const isDocument = status === 200 && json.success === true
      expect(isDocument || [408, 415, 422].includes(status), `${damaged[index]?.[0]}: ${status}`).toBe(true)
      if (!isDocument) expect(json).toMatchObject({ success: false, code: expect.any(String) })
    }
    yield* until(() => readdirSync(folder).length === 0)
  })

  it.scoped.skipIf(skipsLong)("aborts a chunked upload that is too large, and deletes it", function* () {
    const { call } = yield* Local
    const folder = yield* temporaryFolder
    const boundary = "----cut"
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n`
    const chunk = new Uint8Array(1024 * 1024).fill(32)
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (sent === 0) controller.enqueue(new TextEncoder().encode(head))
        if (sent < 60) controller.enqueue(chunk)
        else controller.close()
        sent += 1
      }
    })
    const headers = { "content-type": `multipart/form-data; boundary=${boundary}` }
    const status = yield* Effect.promise(() =>
      fetch(new URL("/v2/parse", call.baseUrl), {
        method: "POST",
        headers: { ...headers, authorization: `Bearer ${keys.first}` },
        body,
        duplex: "half"
      } as RequestInit).then(
        (response) => response.status,
        () => 413
      )
    )
    expect(status).toBe(413)
    yield* until(() => readdirSync(folder).length === 0)
  })
})
