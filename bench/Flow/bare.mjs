/** The same work as a hand-written Node program: blocks, lines, JSON, and one write for each block. */
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { stringify } from "csv-stringify/sync"

const [from, to, format] = process.argv.slice(2)
const columns = ["url", "title", "words"]
const out = await open(to, "w")
if (format === "csv") await out.write(stringify([columns]))
let rest = ""
const take = async (lines) => {
  const rows = []
  for (const line of lines) {
    if (line === "") continue
    const row = JSON.parse(line)
    if (row.metadata.statusCode !== 200 || row.markdown.length <= 200) continue
    rows.push({ url: row.metadata.sourceURL, title: row.metadata.title, words: row.words, markdown: row.markdown })
  }
  if (rows.length === 0) return
  await out.write(
    format === "csv" ? stringify(rows, { columns }) : `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`
  )
}
for await (const block of createReadStream(from, { encoding: "utf8", highWaterMark: 256 * 1024 })) {
  const lines = (rest + block).split("\n")
  rest = lines.pop()
  await take(lines)
}
await take([rest])
await out.sync()
await out.close()
