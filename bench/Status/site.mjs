/** A page of 5 kB for every address; prints its own when it listens. */
import { createServer } from "node:http"

const text = "All there is to know about it. ".repeat(160)
const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "text/html" })
  response.end(`<!doctype html><title>${request.url}</title><main><h1>${request.url}</h1><p>${text}</p></main>`)
})
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`))
