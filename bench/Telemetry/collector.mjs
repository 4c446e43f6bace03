/** Takes what a collector is sent; prints its address when it listens, and answers a GET with the bytes that came. */
import { createServer } from "node:http"

let bytes = 0
const server = createServer((request, response) => {
  request.on("data", (chunk) => {
    bytes += chunk.length
  })
  request.on("end", () => response.end(request.method === "GET" ? String(bytes) : "{}"))
})
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`))
