/** Requests that are wrong in their bytes: told so in the words of all failures, and nothing waits for what does not come. */
import * as Http from "node:http"
import { type AddressInfo, connect } from "node:net"
import * as Effect from "effect/Effect"
import { answer } from "../../../src/Engine/Http/Server.ts"
import { exchange, type Sent } from "../../fuzz/Wire.ts"
import { describe, expect, layer } from "../../It.ts"
import { caller, engine, keys, Local, layer as local } from "../../Local.ts"
import { statusOfTwoHosts } from "../../Web/TwoHosts.ts"

const boundary = "----b"
const part = (head: string, content = "<h1>A</h1>") =>
  `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
const file = part('name="file"; filename="a.html"')
const end = `--${boundary}--\r\n`

const send = (baseUrl: string, sent: Partial<Sent>) =>
  Effect.map(
    Effect.promise(() =>
      exchange(Number(new URL(baseUrl).port), {
        method: "GET",
        target: "/v2/team/token-usage",
        body: undefined,
        framing: "length",
        ...sent,
        headers: [["authorization", `Bearer ${keys.first}`], ...(sent.headers ?? [])]
      })
    ),
    (answer) => ({ status: answer?.status, text: String(answer?.body) })
  )

/** Sends text piece by piece on one connection that it does not close; gives all that comes until the engine closes it. */
const conversation = (baseUrl: string, ...pieces: ReadonlyArray<string>) =>
  Effect.async<string>((resume) => {
    let said = ""
    const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1")
    for (const [at, piece] of pieces.entries()) setTimeout(() => socket.write(piece), at * 500)
    socket.setTimeout(30_000, () => socket.destroy())
    socket.on("data", (bytes) => {
      said += bytes
    })
    socket.on("error", () => undefined)
    socket.on("close", () => resume(Effect.succeed(said)))
  })

const upload = (
  baseUrl: string,
  body: string,
  target = "/v2/parse",
  type = `multipart/form-data; boundary=${boundary}`
) => send(baseUrl, { method: "POST", target, body: Buffer.from(body), headers: [["content-type", type]] })

const isRefused = (status: number, code: string) => (answer: { readonly text: string }) => {
  expect(answer).toMatchObject({ status })
  expect(JSON.parse(answer.text)).toMatchObject({ success: false, code, error: expect.any(String) })
}

layer(local, { excludeTestServices: true })("a request that cannot be read", (it) => {
  describe("as an upload", () => {
    it.effect("is answered at once when it ends before its last boundary, wherever that is", function* () {
      const { baseUrl } = yield* Local
      for (const body of [file, file.slice(0, -6), file.slice(0, 60), `${file}--other--`, ""]) {
        isRefused(400, "BAD_REQUEST")(yield* upload(baseUrl, body))
      }
      expect((yield* upload(baseUrl, file + end)).status).toBe(200)
    })

    it.effect("is refused for too many parts or files, without the paths of temporary files", function* () {
      const { baseUrl } = yield* Local
      const parts = yield* upload(baseUrl, Array(20).fill(part('name="x"')).join("") + end)
      isRefused(400, "BAD_REQUEST")(parts)
      expect(parts.text).toContain("too many parts")
      const files = yield* upload(baseUrl, file + file + end)
      isRefused(400, "BAD_REQUEST")(files)
      expect(files.text).toContain("send one file")
      expect(files.text).not.toMatch(/_tag|\/tmp\//)
    })

    it.effect("is answered however its file is named, and whatever is beside it", function* () {
      const { baseUrl } = yield* Local
      // More than the buffers between the connection and the reader of parts hold.
      const long = `<p>${"x".repeat(300_000)}`
      const options = part('name="options"', "{}")
      for (const name of ["", ".", "..", "/", "../", "a/", "\u0000"]) {
        const { status, text } = yield* upload(baseUrl, part(`name="file"; filename="${name}"`, long) + options + end)
        expect([400, 415], `${JSON.stringify(name)}: ${text}`).toContain(status)
      }
      const other = part('name="other"; filename="a.html"', long)
      const { status, text } = yield* upload(baseUrl, file + other + options + end)
      expect(status).toBe(200)
      expect(text).not.toContain("xxx")
      const wrong = [
        [part('name="file"'), "file"],
        [options, "file: is missing"],
        [part('name="options"; filename="a.json"', "{}") + file, "options"],
        [options + options + file, "options"]
      ] as const
      for (const [body, expected] of wrong) {
        const answer = yield* upload(baseUrl, body + end)
        isRefused(400, "BAD_REQUEST")(answer)
        expect(answer.text).toContain(expected)
        expect(answer.text).not.toMatch(/_id|@effect|Persisted/)
      }
    })

    it.effect("is not taken where JSON belongs, with a boundary or without one", function* () {
      const { baseUrl } = yield* Local
      for (const type of [
        `multipart/form-data; boundary=${boundary}`,
        "multipart/form-data",
        "multipart/form-data; boundary="
      ]) {
        for (const target of ["/v2/crawl", "/v1/scrape", "/v2/browser"]) {
          const answer = yield* upload(baseUrl, file + end, target, type)
          isRefused(400, "BAD_REQUEST")(answer)
          expect(answer.text).toContain("This endpoint accepts JSON")
        }
        if (!type.endsWith(boundary))
          isRefused(400, "BAD_REQUEST")(yield* upload(baseUrl, file + end, "/v2/parse", type))
      }
      // JSON by its first word, and as long as JSON may be.
      const long = " ".repeat(10 * 1024 * 1024 + 1)
      const type = "application/json, multipart/form-data"
      isRefused(413, "REQUEST_TOO_LARGE")(yield* upload(baseUrl, long, "/v2/crawl", type))
    })
  })

  describe("as HTTP", () => {
    it.effect("gets an error in JSON", function* () {
      const { baseUrl } = yield* Local
      isRefused(400, "BAD_REQUEST")(yield* send(baseUrl, { headers: [["bad name", "x"]] }))
      isRefused(400, "BAD_REQUEST")(yield* send(baseUrl, { method: "NONSENSE" }))
      isRefused(431, "HEADERS_TOO_LARGE")(yield* send(baseUrl, { headers: [["x-long", "y".repeat(20_000)]] }))
      isRefused(431, "HEADERS_TOO_LARGE")(yield* send(baseUrl, { target: `/${"y".repeat(20_000)}` }))
    })

    it.effect("gets one answer, also when something wrong comes behind it", function* () {
      const { baseUrl } = yield* Local
      for (const headers of [[["transfer-encoding", "identity"]], [["expect", "nonsense"]]] as const) {
        const { status, text } = yield* send(baseUrl, { headers })
        expect(status).toBe(200)
        expect(JSON.parse(text)).toMatchObject({ success: true })
      }
    })

    it.scoped("gets its whole answer, where that has begun before the mistake was found", function* () {
      const { baseUrl } = yield* Effect.acquireRelease(
        Effect.async<{ readonly baseUrl: string; readonly server: Http.Server }>((resume) => {
          const server = Http.createServer((_, response) => response.end(Buffer.alloc(20_000_000, "a")))
          answer(server)
          server.listen(0, "127.0.0.1", () => {
            const { port } = server.address() as AddressInfo
            resume(Effect.succeed({ baseUrl: `http://127.0.0.1:${port}`, server }))
          })
        }),
        ({ server }) => Effect.sync(() => server.close())
      )
      const sent = yield* send(baseUrl, { headers: [["transfer-encoding", "identity"]] })
      expect(sent.text.length).toBe(20_000_000)
    })

    it.effect("is refused with two Host headers, whatever they are, also for an upgrade", function* () {
      const { baseUrl } = yield* Local
      expect(yield* statusOfTwoHosts(baseUrl, "/health")).toBe(400)
      expect(yield* statusOfTwoHosts(baseUrl, "/health", "evil.example")).toBe(400)
      const head = "Host: 127.0.0.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
      expect(yield* conversation(baseUrl, `GET /v2/crawl/x HTTP/1.1\r\n${head}`)).toMatch(/^HTTP\/1\.1 400/)
    })

    it.effect("gets the error also after other requests on the connection", function* () {
      const { baseUrl } = yield* Local
      const fine = "GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
      const said = yield* conversation(baseUrl, fine, "bad name: x\r\n\r\n")
      expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"])
    })

    it.effect("is refused when its body is too large, also without a content length", function* () {
      const { baseUrl } = yield* Local
      const body = Buffer.alloc(11 * 1024 * 1024, "x")
      for (const more of [[], [["expect", "100-continue"] as const]]) {
        const headers = [["content-type", "application/json"] as const, ...more]
        for (const framing of ["chunked", "length"] as const) {
          const sent = { method: "POST", target: "/v2/crawl", body, framing, headers }
          isRefused(413, "REQUEST_TOO_LARGE")(yield* send(baseUrl, sent))
        }
      }
    })

    it.effect(
      "is not waited for when it has been answered: its connection is closed, and not kept for another one",
      function* () {
        const { baseUrl } = yield* Local
        const type = `content-type: multipart/form-data; boundary=${boundary}`
        const head = `POST /v2/parse HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${keys.first}\r\n${type}`
        const parts = Array(20).fill(part('name="x"')).join("") + part('name="x"', "x".repeat(2_000_000))
        const begun = performance.now()
        const said = yield* conversation(baseUrl, `${head}\r\ncontent-length: 3000000\r\n\r\n`, parts)
        expect(said).toMatch(/^HTTP\/1\.1 400 /)
        expect(performance.now() - begun).toBeLessThan(20_000)
      }
    )

    it.effect("has one address for each thing: other spellings that the router knows are no route", function* () {
      const { baseUrl } = yield* Local
      const path = "/v2/team/token-usage"
      for (const target of [
        `/${path}`,
        `/v2/${path.slice(3)}`,
        `${path}//`,
        `${path};a=b`,
        `${path}#a`,
        `${baseUrl}${path}`
      ]) {
        expect((yield* send(baseUrl, { target })).status, target).toBe(404)
      }
      for (const target of ["/v%32/team/token-usage", "/v2/team/token%2Dusage", "/v2/te%61m/token-usage"]) {
        expect((yield* send(baseUrl, { target })).status, target).toBe(404)
      }
      for (const target of [path, `${path}/`, `${path}?a=//;#`]) {
        expect((yield* send(baseUrl, { target })).status, target).toBe(200)
      }
    })
  })

  it.effect(
    "is none where it offers another protocol besides, as clients of Java do: it is answered, body and all",
    function* () {
      const { baseUrl } = yield* Local
      const body = Buffer.from(JSON.stringify({ url: "http://a.example/", prompt: "only the docs" }))
      const headers = [
        ["content-type", "application/json"],
        ["connection", "Upgrade, HTTP2-Settings"],
        ["http2-settings", "AAMAAABk"]
      ] as const
      for (const protocol of ["h2c", "websocket"]) {
        for (const framing of ["length", "chunked"] as const) {
          const sent = { method: "POST", target: "/v2/crawl/params-preview", body, framing }
          const answer = yield* send(baseUrl, { ...sent, headers: [...headers, ["upgrade", protocol]] })
          expect(answer.status).toBe(200)
        }
      }
    }
  )

  it.scoped("counts, however its address is written", function* () {
    const { baseUrl } = yield* engine({ rateLimit: 2 })
    const call = caller(baseUrl, keys.first)
    for (const path of ["/V2/crawl/active", "/v2/CRAWL/active"]) expect((yield* call.get(path)).status).toBe(200)
    expect((yield* send(baseUrl, { target: "/V2/team/token-usage" })).status).toBe(429)
  })
})
