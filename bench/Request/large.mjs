/** An answer of 300 MB with rows at a path, and one of a row. Says its address. */
import { createServer } from "node:http"
import { Readable } from "node:stream"

const row = (id) =>
  JSON.stringify({ id, name: `Item "${id}"`, text: "Lorem ipsum dolor sit amet, consectetur.", tags: ["a", "b"] })

function* large(size) {
  yield '{"data":{"items":['
  let written = 0
  for (let id = 0; written < size; ) {
    let part = ""
    while (part.length < 65_536) part += `${id === 0 ? "" : ","}${row(id++)}`
    written += part.length
    yield part
  }
  yield ']},"next":null}'
}

const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/json" })
  if (request.url === "/large") Readable.from(large(300e6)).pipe(response)
  else response.end(`{"data":{"items":[${row(0)}]},"next":null}`)
})
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`))
