// Answers with as many bytes of JSON as the path says, compressed where the client takes it.
import { createServer } from "node:http"
import { gzipSync } from "node:zlib"

const answers = new Map()
const answerOf = (size) => {
  const item = { url: "https://example.com/", markdown: "Lorem ipsum dolor sit amet. ".repeat(30) }
  const text = JSON.stringify({ success: true, data: Array.from({ length: Math.ceil(size / 900) }, () => item) })
  return { plain: Buffer.from(text), zipped: gzipSync(text) }
}
const server = createServer((request, response) => {
  const size = Number(request.url.slice(1))
  if (!answers.has(size)) answers.set(size, answerOf(size))
  const { plain, zipped } = answers.get(size)
  const takesGzip = String(request.headers["accept-encoding"]).includes("gzip")
  response.writeHead(200, {
    "content-type": "application/json",
    ...(takesGzip ? { "content-encoding": "gzip" } : {})
  })
  response.end(takesGzip ? zipped : plain)
})
server.listen(0, "127.0.0.1", () => process.send(server.address().port))
