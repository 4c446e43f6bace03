/** An API with a cursor: 1,000 pages of 100 rows. Says its address. */
import { createServer } from "node:http"

const [pages, size] = [1_000, 100]
const text = "Lorem ipsum dolor sit amet, consectetur adipiscing elit."
const bodies = Array.from({ length: pages }, (_, page) =>
  JSON.stringify({
    items: Array.from({ length: size }, (_, index) => ({
      id: page * size + index,
      name: `Item "${index}"`,
      text,
      price: { amount: index / 4, currency: "EUR" },
      tags: ["a", "b"],
      updated_at: "2026-01-01T00:00:00Z"
    })),
    next: page + 1 < pages ? page + 1 : null
  })
)
const server = createServer((request, response) => {
  const page = Number(new URL(request.url, "http://x").searchParams.get("after") ?? 0)
  response.writeHead(200, { "content-type": "application/json" }).end(bodies[page])
})
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`))
