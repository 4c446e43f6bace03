/** The cheapest possible response: node:http and a string of the same size; prints its address when it listens. */
import { createServer } from "node:http"

const body = JSON.stringify({ success: true, status: "completed", text: "x".repeat(230) })
const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length })
  response.end(body)
})
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`))
