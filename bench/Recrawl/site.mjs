/**
 * A site of linked pages of 20 kB that changes on demand, served once for each kind of validators. Prints its addresses as JSON.
 *
 * `POST /next` changes 2 % of the pages, adds 0.5 % and removes 0.5 %. `GET /facts` gives the bytes sent and the conditional requests so far,
 * and the current version of each page.
 */
import { createServer } from "node:http"

const count = Number(process.argv[2])

/** The same numbers in every run. */
let seed = 20_240_229
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 4_294_967_296
}

const words =
  "heron marsh reed water bird wing nest river stone cloud light grass early slow grey long deep still".split(" ")
const word = () => words[Math.floor(random() * words.length)]
const paragraphs = Array.from({ length: 200 }, () =>
  Buffer.from(`<p>${Array.from({ length: 70 }, word).join(" ")}.</p>\n`)
)

const begun = Date.UTC(2024, 0, 1)

/** How a server describes and confirms its pages. `time`: of the last change, in milliseconds. */
const kinds = {
  strong: { headers: ({ index, version }) => ({ etag: `"${index}-${version}"` }) },
  weak: { headers: ({ index, version }) => ({ etag: `W/"${index}-${version}"` }) },
  modified: { headers: ({ version }) => ({ "last-modified": new Date(begun + version * 60_000).toUTCString() }) },
  // Wrong: the tag stays the same when the page changes.
  sameTag: { headers: ({ index }) => ({ etag: `"${index}"` }) },
  // Wrong: every condition holds.
  always: { headers: ({ index, version }) => ({ etag: `"${index}-${version}"` }), isCurrent: () => true },
  // Useless: a new tag for each answer.
  newTag: { headers: () => ({ etag: `"${Math.random()}"` }) },
  // A sitemap with the time of each change, beside right validators, and one in which nothing ever changes.
  listed: { headers: ({ index, version }) => ({ etag: `"${index}-${version}"` }), lastmod: (time) => time },
  wrongList: { headers: ({ index, version }) => ({ etag: `"${index}-${version}"` }), lastmod: () => begun }
}

const makeSite = ({ headers: headersOf, isCurrent, lastmod }) => {
  /** Versions of pages; undefined for a removed one. */
  const versions = new Array(count).fill(0)
  /** Times of the last changes. */
  const times = new Array(count).fill(begun)
  let conditional = 0
  let closedBytes = 0
  const sockets = new Set()

  const next = () => {
    const known = versions.length
    const some = () => Math.floor(random() * known)
    for (let n = 0; n < count * 0.02; n++) {
      const index = some()
      if (versions[index] === undefined) continue
      versions[index]++
      times[index] = Date.now()
    }
    // Pages without links to others, so that every other page is still found.
    for (let n = 0; n < count * 0.005; n++) versions[Math.floor(known * (0.6 + 0.35 * random()))] = undefined
    for (let n = 0; n < count * 0.005; n++) {
      const parent = Math.floor((versions.length - 1) / 2)
      // The parent gets a link; one that was removed comes back with it.
      versions[parent] = (versions[parent] ?? 0) + 1
      times[parent] = Date.now()
      versions.push(0)
      times.push(Date.now())
    }
  }

  const bodyOf = (index) => {
    const links = [2 * index + 1, 2 * index + 2].filter((at) => at < versions.length)
    const list = links.map((at) => `<li><a href="/page/${at}">page ${at}</a></li>`).join("")
    const head = `<!doctype html><html lang="en"><title>page ${index} version ${versions[index]}</title><main><h1>Page ${index}</h1><p>This is version ${versions[index]} of the page.</p>`
    const parts = Array.from({ length: 48 }, (_, at) => paragraphs[(index * 31 + at * 7) % paragraphs.length])
    return Buffer.concat([Buffer.from(head), ...parts, Buffer.from(`<ul>${list}</ul></main></html>`)])
  }

  const sitemap = () => {
    const entries = versions.flatMap((version, index) =>
      version === undefined
        ? []
        : [`<url><loc>/page/${index}</loc><lastmod>${new Date(lastmod(times[index])).toISOString()}</lastmod></url>`]
    )
    return `<?xml version="1.0"?><urlset>${entries.join("\n")}</urlset>`
  }

  const server = createServer((request, response) => {
    if (request.url === "/next") {
      next()
      return void response.end()
    }
    if (request.url === "/facts") {
      const bytes = [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, closedBytes)
      return void response.end(JSON.stringify({ bytes, conditional, versions }))
    }
    if (request.url === "/sitemap.xml" && lastmod !== undefined) {
      return void response.writeHead(200, { "content-type": "application/xml" }).end(sitemap())
    }
    const index = request.url === "/" ? 0 : Number(/^\/page\/(\d+)$/.exec(request.url)?.[1] ?? -1)
    const version = versions[index]
    const { "if-modified-since": since, "if-none-match": tag } = request.headers
    const isConditional = tag !== undefined || since !== undefined
    if (isConditional) conditional++
    const headers = version === undefined ? {} : headersOf({ index, version })
    const isSame = tag === undefined ? since === headers["last-modified"] : tag === headers.etag
    if (isConditional && (isCurrent?.() ?? (version !== undefined && isSame))) response.writeHead(304, headers).end()
    else if (version === undefined) response.writeHead(404).end()
    else {
      const body = bodyOf(index)
      response.writeHead(200, { "content-type": "text/html", "content-length": body.length, ...headers }).end(body)
    }
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => {
      sockets.delete(socket)
      closedBytes += socket.bytesWritten
    })
  })
  return server
}

const addresses = {}
for (const [kind, description] of Object.entries(kinds)) {
  const server = makeSite(description)
  await new Promise((done) => server.listen(0, "127.0.0.1", done))
  addresses[kind] = `http://127.0.0.1:${server.address().port}`
}
process.stdout.write(`${JSON.stringify(addresses)}\n`)
