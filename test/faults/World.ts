/** Workload of a run under faults: files, a site, and a definition that writes both to several outputs. */
import { mkdirSync, writeFileSync } from "node:fs"
import { Document, Packer, Paragraph } from "docx"
import * as Effect from "effect/Effect"
import { site } from "../Local.ts"

export interface Size {
  /** Files of the inbox that are in order. */
  readonly files: number
  /** Pages of the batch, and pages asked for one by one. */
  readonly batch: number
  readonly single: number
  /** Links on each page. */
  readonly links: number
}

/** A life of about three seconds. */
export const usual: Size = { files: 60, batch: 84, single: 30, links: 40 }

/** A life of about one second and a half. */
export const small: Size = { files: 24, batch: 30, single: 12, links: 40 }

/** Files begun in a second: slow without being work. */
const rate = 20

const definition = (url: string, single: number): string => `version: 1
name: faults
steps:
  - id: go
    urls: [http://127.0.0.1:9/]
  - id: inbox
    after: go
    files: { glob: "inbox/*", skipSeen: content }
  - parse: { formats: [markdown] }
    concurrency: 4
    rate: ${rate}/s
  - select: { path: $source.path, title: metadata.title, text: markdown, key: $key }
  - write: { jsonl: files.jsonl, order: input }
  - after: go
    urls: { file: urls.txt }
  - id: batch
    batchScrape: { formats: [markdown, links], maxConcurrency: 4 }
  - dedupe: { key: metadata.title }
  - explode: { list: links, as: link }
  - id: links
    select: { title: metadata.title, link: "$match(link, /[^\\/]+$/).match" }
  - write: { csv: links.csv, columns: { title: string, link: string } }
  - from: links
    write:
      jsonl: "parts/{part}/{seq}.jsonl.gz"
      partitionBy: { part: "$substring(title, -1)" }
      roll: { rows: 150 }
  - after: go
    urls: [${Array.from({ length: single }, (_, index) => `${url}/single/${index}`).join(", ")}]
  - scrape: { formats: [markdown] }
    concurrency: 3
  - dedupe: { across: runs, changedWhen: markdown }
  - select: { url: metadata.sourceURL, change: change, text: "$replace(markdown, /\\\\s+/, ' ')" }
  - write: { csv: single.csv }
`

const html = (title: string, links: number) => `<!doctype html><html lang="en"><head><title>${title}</title></head>
<body><main><h1>${title}</h1><p>All there is, "quoted", to know about ${title}.</p>
<ul>${Array.from({ length: links }, (_, index) => `<li><a href="/leaf/${index}">${index}</a></li>`).join("")}</ul></main></body></html>`

const docx = (title: string) =>
  Effect.promise(() =>
    Packer.toBuffer(new Document({ title, sections: [{ children: [new Paragraph(`Content of ${title}`)] }] }))
  )

const address = /^\/(batch|single)\/(\d+)$/

/** Seven titles stand for ten pages, so that some rows are left out. */
const titleOf = (index: number): string => `Page ${index - (index % 10 > 6 ? 7 : 0)}`

/** Lines that an undisturbed run must have made, by the parts of its result. */
export const linesOf = ({ batch, files, links, single }: Size): Readonly<Record<string, number>> => {
  const titles = new Set(Array.from({ length: batch }, (_, index) => titleOf(index)))
  return {
    "files.jsonl": files,
    "links.csv": 1 + titles.size * links,
    "single.csv": 1 + single,
    "rejects.jsonl": 4,
    "ledger: rejects": 4,
    "ledger: state": files + single
  }
}

/** Writes the inbox and the definition into the folder, and serves the site. */
export const world = (folder: string, size: Size) =>
  Effect.gen(function* () {
    const { origin, requests, url } = yield* site((path) => {
      const match = address.exec(path)
      if (match === null) return undefined
      const [, kind, index] = match
      return kind === "batch"
        ? { body: html(titleOf(Number(index)), size.links), delay: 100 }
        : { body: html(`Single ${index}`, 3), delay: 180 }
    })
    mkdirSync(`${folder}/inbox`)
    for (let index = 0; index < size.files; index++) {
      const name = `${folder}/inbox/${String(index).padStart(3, "0")}`
      if (index % 6 === 5) writeFileSync(`${name}.docx`, yield* docx(`Letter ${index}`))
      else writeFileSync(`${name}.html`, html(`File ${index}`, 2))
    }
    writeFileSync(`${folder}/inbox/broken.docx`, Buffer.from(`PK\u0003\u0004 and then nothing that makes sense`))
    writeFileSync(`${folder}/inbox/empty.pdf`, "")
    // No server listens there.
    const nowhere = ["http://127.0.0.1:9/a", "http://127.0.0.1:9/b"]
    const pages = Array.from({ length: size.batch }, (_, index) => `${url}/batch/${index}`)
    writeFileSync(`${folder}/urls.txt`, `${[...pages, ...nowhere].join("\n")}\n`)
    const file = `${folder}/faults.yaml`
    writeFileSync(file, definition(url, size.single))
    return { folder, file, origin, requests }
  })
