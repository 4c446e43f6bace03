/** Another search engine on the same documents and queries: told the file of both and its own name, prints what it found. */
import { readFileSync } from "node:fs"

const [file, name] = process.argv.slice(2)
const { entries, queries } = JSON.parse(readFileSync(file, "utf8"))
const boost = { title: 2 }

/** As their manuals recommend for documents with a title. */
const engines = {
  minisearch: async () => {
    const { default: MiniSearch } = await import("minisearch")
    const index = new MiniSearch({ fields: ["title", "text"], searchOptions: { boost } })
    return {
      add: () => index.addAll(entries),
      find: (query) =>
        index
          .search(query)
          .slice(0, 11)
          .map(({ id }) => id)
    }
  },
  orama: async () => {
    const { create, insert, search } = await import("@orama/orama")
    const index = create({ schema: { title: "string", text: "string" }, language: "english" })
    return {
      add: () => {
        for (const entry of entries) insert(index, entry)
      },
      find: (query) => search(index, { term: query, limit: 11, boost }).hits.map(({ id }) => id)
    }
  }
}

const millis = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

const { add, find } = await engines[name]()
const begin = millis()
await add()
const indexed = millis() - begin
const times = []
const rankings = []
for (const query of queries) {
  const before = millis()
  rankings.push(await find(query))
  times.push(millis() - before)
}
process.stdout.write(JSON.stringify({ indexed, times, rankings }))
