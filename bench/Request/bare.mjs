/** The same read as a loop written by hand: fetch, parse, write. */
import { open } from "node:fs/promises"

const [base, to] = process.argv.slice(2)
const out = await open(to, "w")
let after = null
do {
  const response = await fetch(`${base}/items${after === null ? "" : `?after=${after}`}`)
  if (!response.ok) throw new Error(`${response.status}`)
  const { items, next } = await response.json()
  await out.write(`${items.map((row) => JSON.stringify(row)).join("\n")}\n`)
  after = next
} while (after !== null)
await out.sync()
await out.close()
