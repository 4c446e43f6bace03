/** A site of linked pages of 20 kB, all made beforehand: serving one costs next to nothing. Prints its address. */
import { createServer } from "node:http"

const count = Number(process.argv[2])
const linksPerPage = 30

/** The same numbers in every run. */
let seed = 20_240_229
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 4_294_967_296
}

const syllables = "ba ce di fo gu ha ki lo mer nat or pel qui ras sto tum ul ver wex yan zor".split(" ")
const words = Array.from({ length: 20_000 }, () =>
  Array.from({ length: 1 + Math.floor(random() * 4) }, () => syllables[Math.floor(random() * syllables.length)]).join(
    ""
  )
)
/** Few words are frequent and most are rare, as in a language. */
const word = () => words[Math.floor(words.length ** random()) - 1] ?? words[0]
const text = (length) => Array.from({ length }, word).join(" ")
const sentence = () => `${text(6 + Math.floor(random() * 12))}, ${text(5)}.`
const anywhere = () => `/page/${Math.floor(random() * count)}`

const paragraph = () => {
  const inside = [
    () => `<a href="${anywhere()}">${text(2)}</a>`,
    () => `<strong>${text(2)}</strong> &amp; <em>${word()}</em>`,
    () => `<code>${word()}_${word()}</code>`
  ]
  const parts = Array.from({ length: 4 }, sentence)
  parts.splice(2, 0, inside[Math.floor(random() * inside.length)]())
  return `<p>${parts.join(" ")}</p>`
}

const list = () =>
  `<ul>${Array.from({ length: 6 }, () => `<li>${text(5)} <a href="${anywhere()}">${text(2)}</a></li>`).join("\n")}</ul>`
const table = () =>
  `<table><tr><th>${word()}</th><th>${word()}</th><th>${word()}</th></tr>${Array.from(
    { length: 8 },
    () => `<tr><td>${text(2)}</td><td>${Math.floor(random() * 1e6)}</td><td>${text(3)}</td></tr>`
  ).join("")}</table>`

const page = (index) => {
  const title = text(5)
  const navigation = Array.from({ length: 12 }, (_, at) => `<li><a href="/page/${at}">${words[at]}</a></li>`).join("")
  // Every page is reachable from the first one: the pages form a tree, with some random links added.
  const below = [2 * index + 1, 2 * index + 2].filter((at) => at < count).map((at) => `/page/${at}`)
  const links = [...below, ...Array.from({ length: linksPerPage - below.length }, anywhere)]
  const head = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${text(14)}"><meta property="og:title" content="${title}">
<meta property="og:type" content="article"><meta name="author" content="${text(2)}">
<link rel="canonical" href="/page/${index}"><link rel="icon" href="/icon.png">
<style>body { font: 1rem/1.5 serif } .box { margin: 1em; padding: 1em }</style></head>
<body><header class="masthead"><nav class="navigation"><ul>${navigation}</ul></nav></header>
<main><article><h1>${title}</h1>
`
  const foot = `</article></main><aside class="sidebar"><h2>${text(2)}</h2><ul>${links
    .map((href) => `<li><a href="${href}">${text(3)}</a></li>`)
    .join("\n")}</ul></aside>
<footer><p>${text(12)}</p><p><a href="/page/0">${text(2)}</a></p></footer>
<script>window.page = { id: ${index}, words: ${JSON.stringify(text(20))} }</script></body></html>`
  const parts = []
  let size = head.length + foot.length
  for (let at = 0; size < 20_000; at++) {
    const part = at % 6 === 0 ? `<h2>${text(4)}</h2>` : at === 9 ? list() : at === 15 ? table() : paragraph()
    parts.push(part)
    size += part.length + 1
  }
  return Buffer.from(head + parts.join("\n") + foot)
}

const bodies = Array.from({ length: count }, (_, index) => page(index))

createServer((request, response) => {
  const [, index] = request.url === "/" ? ["/", 0] : (/^\/page\/(\d+)/.exec(request.url) ?? [])
  const body = index === undefined ? undefined : bodies[Number(index) % count]
  if (body === undefined) response.writeHead(404).end()
  else response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-length": body.length }).end(body)
}).listen(0, "127.0.0.1", function () {
  process.stdout.write(`http://127.0.0.1:${this.address().port}\n`)
})
