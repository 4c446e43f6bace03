/** Serves 200 MB of job status in pages of a little under 10 MiB; prints its address. */
import { createServer } from "node:http"

const total = 200_000_000
const pageBytes = 10_000_000
const paragraph =
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit — sed do eiusmod "tempor" incididunt ut labore et dolore.\n'

/** About 18 KB, as a page of documentation has. */
const documentOf = (index) => {
  const url = `https://docs.example.com/guide/${index}`
  return JSON.stringify({
    markdown: `# Guide ${index}\n\n${paragraph.repeat(100 + (index % 100))}`,
    links: Array.from({ length: 20 }, (_, link) => `${url}#section-${link}`),
    metadata: {
      title: `Guide ${index}`,
      description: paragraph,
      language: "en",
      sourceURL: url,
      url,
      statusCode: 200,
      contentType: "text/html; charset=utf-8",
      ogTitle: `Guide ${index}`,
      "og:title": `Guide ${index}`,
      ogLocaleAlternate: []
    }
  })
}

const pages = []
let count = 0
let bytes = 0
while (bytes < total) {
  const documents = []
  const skip = count
  let size = 0
  while (size < pageBytes && bytes < total) {
    const document = documentOf(count++)
    size += document.length
    bytes += document.length
    documents.push(document)
  }
  pages.push({ skip, data: Buffer.from(`"data":[${documents.join(",")}]}`) })
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "", `http://${request.headers.host}`)
  const skip = Number(url.searchParams.get("skip") ?? 0)
  const index = pages.findIndex((page) => page.skip === skip)
  const following = pages[index + 1]
  const next = following === undefined ? "" : `"next":"${url.origin}${url.pathname}?skip=${following.skip}",`
  const head = `{"success":true,"status":"completed","total":${count},"completed":${count},"creditsUsed":${count},`
  const body = Buffer.concat([Buffer.from(head + next), pages[index]?.data ?? Buffer.from('"data":[]}')])
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body)
})
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`))
