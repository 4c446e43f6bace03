/** The program that runs a stranger's JavaScript: connects to the session, and tells the value or the error. */

/**
 * A module of its own in a process of its own, so it is a text here. Code that is one expression gives its value; else
 * `return` does. The report goes through the fourth file, which the code's own output does not reach by accident.
 */
export const source = `
import { readFileSync, writeSync, closeSync } from "node:fs"
import { inspect } from "node:util"
const { code, cdpUrl, playwright } = JSON.parse(readFileSync(0, "utf8"))
const AsyncFunction = (async () => {}).constructor
const compile = () => {
  const names = ["browser", "context", "page"]
  try {
    return new AsyncFunction(...names, "return (" + code.replace(/;\\s*$/, "") + "\\n)")
  } catch {
    return new AsyncFunction(...names, code)
  }
}
const plain = (value) => {
  try {
    const text = JSON.stringify(value)
    return text === undefined || text.length > 1000000 ? inspect(value).slice(0, 1000000) : value
  } catch {
    return inspect(value).slice(0, 1000000)
  }
}
const tell = (report) => {
  const bytes = Buffer.from(JSON.stringify(report))
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(3, bytes, at)
    } catch (error) {
      if (error.code !== "EAGAIN") break
    }
  }
  closeSync(3)
}
let browser
try {
  const run = compile()
  const { chromium } = (await import(playwright)).default
  browser = await chromium.connectOverCDP(cdpUrl)
  const context = browser.contexts()[0]
  const page = context.pages()[0] ?? (await context.newPage())
  const result = await run(browser, context, page)
  tell(result === undefined ? {} : { result: plain(result) })
  await browser.close().catch(() => undefined)
  process.exit()
} catch (error) {
  console.error(error instanceof Error ? error.stack : error)
  tell({ error: error instanceof Error ? error.message : String(error) })
  await browser?.close().catch(() => undefined)
  process.exit(1)
}
`
