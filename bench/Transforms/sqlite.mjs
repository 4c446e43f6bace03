// The transforms of the bench over tables of SQLite in a file of their own: `sqlite.mjs NAME FILE`. Without a journal and without
// synchronization, so that it is a lower bound: a step would commit at each checkpoint, and evaluate its expressions.
import { hash } from "node:crypto"
import { closeSync, createReadStream, openSync, rmSync, writeSync } from "node:fs"
import { createInterface } from "node:readline"
import Database from "libsql"

const [name, file] = process.argv.slice(2)
const store = `${file}.db`
const database = new Database(store)
for (const pragma of ["journal_mode = OFF", "synchronous = OFF", "cache_size = -32000", "temp_store = FILE"]) {
  database.exec(`PRAGMA ${pragma}`)
}

const out = openSync(file, "w")
let waiting = []
const write = (line) => {
  waiting.push(line, "\n")
  if (waiting.length >= 4000) flush()
}
const flush = () => {
  writeSync(out, waiting.join(""))
  waiting = []
}

/** Rows, and how often the event loop gets a turn: a transaction for each thousand of them. */
const eachRow = async (path, use) => {
  let count = 0
  database.exec("BEGIN")
  for await (const line of createInterface({ input: createReadStream(path) })) {
    use(JSON.parse(line), line)
    if (++count % 1000 === 0) database.exec("COMMIT; BEGIN")
  }
  database.exec("COMMIT")
}

const transforms = {
  sort: async () => {
    database.exec("CREATE TABLE held (words, url, line)")
    const insert = database.prepare("INSERT INTO held VALUES (?, ?, ?)")
    await eachRow("in.jsonl", ({ url, words }, line) => insert.run(words, url, line))
    const begin = performance.now()
    let pause
    for (const line of database.prepare("SELECT line FROM held ORDER BY words DESC, url, rowid").pluck().iterate()) {
      pause ??= performance.now() - begin
      write(typeof line === "string" ? line : line.line)
    }
    console.log(`the first row blocks the process for ${(pause / 1000).toFixed(1)} s`)
  },
  join: async () => {
    database.exec("CREATE TABLE other (key TEXT PRIMARY KEY, line TEXT) WITHOUT ROWID")
    const insert = database.prepare("INSERT OR IGNORE INTO other VALUES (?, ?)")
    await eachRow("right.jsonl", ({ id }, line) => insert.run(String(id), line))
    const find = database.prepare("SELECT line FROM other WHERE key = ?")
    await eachRow("in.jsonl", (row) => {
      const [found] = find.all([String(row.id)])
      if (found !== undefined) write(JSON.stringify({ ...row, ...JSON.parse(found.line) }))
    })
  },
  aggregate: async () => {
    database.exec("CREATE TABLE groups (host TEXT PRIMARY KEY, pages, words, dearest) WITHOUT ROWID")
    const upsert = database.prepare(
      "INSERT INTO groups VALUES (?, 1, ?, ?) ON CONFLICT DO UPDATE SET pages = pages + 1, words = words + excluded.words, dearest = max(dearest, excluded.dearest)"
    )
    await eachRow("in.jsonl", ({ host, price, words }) => upsert.run(host, words, price))
    for (const row of database.prepare("SELECT * FROM groups ORDER BY host").iterate()) write(JSON.stringify(row))
  },
  dedupe: async () => {
    database.exec("CREATE TABLE seen (mark BLOB PRIMARY KEY) WITHOUT ROWID")
    const insert = database.prepare("INSERT OR IGNORE INTO seen VALUES (?)")
    await eachRow("in.jsonl", ({ url }, line) => {
      if (insert.run([hash("sha256", url, "buffer").subarray(0, 16)]).changes === 1) write(line)
    })
  }
}

await transforms[name]()
flush()
closeSync(out)
database.close()
rmSync(store)
