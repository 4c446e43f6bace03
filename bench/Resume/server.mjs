/** A crawl of a hundred thousand small pages , followed by a pause until `POST /go`. */
import { createServer } from "node:http"

const [count, more] = process.argv.slice(2).map(Number)
let gone = false
const page = (index) => ({
  markdown: `# Page ${index}\n\nAll there is to know about page ${index}.`,
  metadata: { sourceURL: `http://pages.example/${index}`, title: `Page ${index}`, statusCode: 200 }
})
createServer((request, response) => {
  const url = new URL(request.url, `http://${request.headers.host}`)
  response.setHeader("content-type", "application/json")
  if (url.pathname === "/go") {
    gone = true
    return response.end("{}")
  }
  if (url.pathname.endsWith("/errors")) return response.end(JSON.stringify({ errors: [], robotsBlocked: [] }))
  const have = gone ? count + more : count
  const from = Number(url.searchParams.get("skip") ?? 0)
  const to = Math.min(from + 1000, have)
  const done = gone && to === have
  const next = done ? undefined : `http://${request.headers.host}${url.pathname}?skip=${to}`
  const answer = () =>
    response.end(
      JSON.stringify({
        success: true,
        status: gone ? "completed" : "scraping",
        total: count + more,
        completed: have,
        creditsUsed: have,
        next,
        data: Array.from({ length: to - from }, (_, index) => page(from + index))
      })
    )
  // As the real one does: a request for what is not there yet is held for a while.
  if (to === from) setTimeout(answer, 500)
  else answer()
}).listen(0, "127.0.0.1", function () {
  process.stdout.write(`http://127.0.0.1:${this.address().port}\n`)
})
