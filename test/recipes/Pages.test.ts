/** The recipes for pages and files, each run twice, and once after the site has changed its layout. */

import { readFileSync, rmSync, writeFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import * as XLSX from "@e965/xlsx"
import * as Effect from "effect/Effect"
import { PDFDocument, StandardFonts } from "pdf-lib"
import { serve } from "../Engine/Scrape/Site.ts"
import { describe, expect, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { kitchen, rowsOf } from "./Kitchen.ts"

/** A site whose pages are made by a function of their path; undefined is 404. */
const site = (pageOf: (path: string, request: IncomingMessage, response: ServerResponse) => string | undefined) =>
  serve((request, response) => {
    const page = pageOf(request.url ?? "/", request, response)
    if (response.headersSent) return
    response
      .writeHead(page === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" })
      .end(`<html lang="en"><main>${page ?? "not found"}</main></html>`)
  })

const table = (headers: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  `<table><tr>${headers.map((each) => `<th>${each}</th>`).join("")}</tr>${rows
    .map((row) => `<tr>${row.map((each) => `<td>${each}</td>`).join("")}</tr>`)
    .join("")}</table>`

const linkedData = (data: object): string => `<script type="application/ld+json">${JSON.stringify(data)}</script>`

describe("recipes", () => {
  live.skipIf(skipsLong)("a job board: gives each job once, from all pages of its list", function* () {
    const board = { jobs: Array.from({ length: 12 }, (_, at) => at + 1), isNew: false }
    const job = (id: number) =>
      linkedData({
        "@context": "https://schema.org",
        "@type": "JobPosting",
        title: `Job ${id}`,
        datePosted: "2026-03-01",
        hiringOrganization: { "@type": "Organization", name: "Canal Trust" },
        jobLocation: { "@type": "Place", address: { "@type": "PostalAddress", addressLocality: "Devizes" } }
      })
    const url = yield* site((path) => {
      const [, id] = /^\/jobs\/(\d+)$/.exec(path) ?? []
      if (id !== undefined) return `<h1>Job ${id}</h1>${board.isNew ? "" : job(Number(id))}`
      const [, at = "1"] = /^\/jobs(?:\?page=(\d))?$/.exec(path) ?? []
      const page = Number(at)
      const items = board.jobs
        .slice((page - 1) * 10, page * 10)
        .map((each) => `<article><h2><a href="/jobs/${each}">Job ${each}</a></h2></article>`)
      const next = page * 10 < board.jobs.length ? `<a rel="next" href="/jobs?page=${page + 1}">More</a>` : ""
      return `<h1>Jobs</h1>${items.join("")}${next}`
    })
    const { act, run } = yield* kitchen("job-board.yaml", url)
    const first = yield* run
    expect([first.status, first.lines.length], first.err).toEqual(["completed", 13])
    expect(first.lines).toContain(`${url}/jobs/12,Job 12,Canal Trust,Devizes,2026-03-01`)
    board.jobs.push(13)
    expect((yield* run).lines).toEqual([
      "url,title,company,place,posted",
      `${url}/jobs/13,Job 13,Canal Trust,Devizes,2026-03-01`
    ])
    board.isNew = true
    const broken = yield* run
    expect([broken.status, broken.lines], broken.err).toEqual(["failed", []])
    expect((yield* act("show")).out).toMatch(/find values again: +sluice extract --repair \S*job-board\.yaml/)
  })

  live.skipIf(skipsLong)("events: gives each with its time, and again when it was moved", function* () {
    const hall = { starts: "2026-05-01T20:00:00+02:00", isNew: false }
    const event = (id: number, startDate: string) => ({
      "@context": "https://schema.org",
      "@type": "MusicEvent",
      name: `Concert ${id}`,
      startDate,
      url: `/e/${id}`,
      location: { "@type": "Place", name: "Old hall" }
    })
    const url = yield* site(() =>
      hall.isNew
        ? "<h1>Program</h1>"
        : `${linkedData([event(1, "2026-04-01T20:00:00+02:00"), event(2, hall.starts)])}<h1>Program</h1>`
    )
    const { run } = yield* kitchen("events.yaml", url)
    const first = yield* run
    expect(rowsOf(first.lines), first.err).toEqual([
      expect.objectContaining({ name: "Concert 1", starts: "2026-04-01T18:00:00.000Z", place: "Old hall" }),
      expect.objectContaining({ change: "new", name: "Concert 2", link: `${url}/e/2` })
    ])
    hall.starts = "2026-05-02T20:00:00+02:00"
    expect(rowsOf((yield* run).lines)).toEqual([
      expect.objectContaining({ change: "changed", name: "Concert 2", starts: "2026-05-02T18:00:00.000Z" })
    ])
    hall.isNew = true
    const broken = yield* run
    expect([broken.status, broken.lines], broken.err).toEqual(["failed", []])
  })

  live.skipIf(skipsLong)("a register: gives a table over many pages, and what has changed in it", function* () {
    const register = {
      names: new Map(Array.from({ length: 45 }, (_, at) => [at + 100, `Company ${at + 100}`])),
      header: "Number"
    }
    let failures = 0
    const url = yield* site((path, _, response) => {
      const page = Number(/page=(\d)/.exec(path)?.[1] ?? 1)
      if (page === 2 && failures-- > 0) return void response.writeHead(500).end()
      const all = [...register.names].sort(([a], [b]) => a - b)
      const rows = all.slice((page - 1) * 20, page * 20).map(([id, name]) => [`0${id}`, name, "2026-02-27"])
      const next = page * 20 < all.length ? `<a href="/companies?page=${page + 1}">Next</a>` : "<span>Next</span>"
      return `<h1>Register</h1>${table([register.header, "Name", "Registered"], rows)}${next}`
    })
    const { run } = yield* kitchen("public-register.yaml", url)
    const first = yield* run
    expect([first.status, first.lines.length, first.lines[1]], first.err).toEqual([
      "completed",
      46,
      "new,0100,Company 100,2026-02-27"
    ])
    register.names.set(104, "Mill & Sons")
    register.names.set(161, "Ferry Ltd")
    register.names.delete(100)
    expect((yield* run).lines.slice(1).toSorted()).toEqual([
      "changed,0104,Mill & Sons,2026-02-27",
      "gone,0100,Company 100,2026-02-27",
      "new,0161,Ferry Ltd,2026-02-27"
    ])
    // A page that fails once is tried again; one that goes on failing ends the run, so that no part of the register is published.
    failures = 1
    expect((yield* run).status).toBe("completed")
    failures = 9
    const cut = yield* run
    expect([cut.status, cut.lines], cut.err).toEqual(["failed", []])
    failures = 0
    register.header = "No"
    const broken = yield* run
    expect([broken.status, broken.lines], broken.err).toEqual(["held", []])
  })

  live.skipIf(skipsLong)(
    "price lists: gives spreadsheets and PDFs as one table, and what costs more or less",
    function* () {
      const { folder, run } = yield* kitchen("price-list.yaml", "", ["lists/spring.xlsx"])
      const sheet = (rows: ReadonlyArray<ReadonlyArray<string | number>>) => {
        const book = XLSX.utils.book_new()
        XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows.map((row) => [...row])), "Prices")
        writeFileSync(`${folder}/lists/spring.xlsx`, XLSX.write(book, { type: "buffer", bookType: "xlsx" }))
      }
      const document = Effect.promise(async () => {
        const made = await PDFDocument.create()
        const font = await made.embedFont(StandardFonts.Helvetica)
        const page = made.addPage([400, 300])
        const rows = [
          ["Article", "Name", "Price"],
          ["T-1", "Tea towel", "4.00"],
          ["T-2", "Red lid", "3.50"],
          ["T-3", "Green lid", "3.60"]
        ]
        for (const [line, row] of rows.entries())
          for (const [at, text] of row.entries())
            page.drawText(text, { x: 40 + at * 110, y: 250 - line * 20, size: 11, font })
        writeFileSync(`${folder}/lists/autumn.pdf`, await made.save())
      })
      const head = ["Article", "Name", "Price"]
      sheet([head, ["K-1", "Blue kettle", 19.99], ["K-2", "White mug", 5]])
      yield* document
      const first = yield* run
      expect(first.lines.slice(1).toSorted(), first.err).toEqual([
        "new,K-1,19.99,",
        "new,K-2,5,",
        "new,T-1,4,",
        "new,T-2,3.5,",
        "new,T-3,3.6,"
      ])
      sheet([head, ["K-1", "Blue kettle", 17.5], ["K-2", "White mug", 5]])
      expect((yield* run).lines.slice(1)).toEqual(["changed,K-1,17.5,19.99"])
      sheet([
        ["Item", "Name", "Cost"],
        ["K-1", "Blue kettle", 17.5]
      ])
      rmSync(`${folder}/lists/autumn.pdf`)
      const broken = yield* run
      expect([broken.status, broken.lines], broken.err).toEqual(["failed", []])
    }
  )

  live.skipIf(skipsLong)(
    "a documentation site: gives all pages, and then what has changed, and pays for no other",
    function* () {
      const versions = new Map(Array.from({ length: 12 }, (_, at) => [at + 1, 1]))
      const url = yield* serve((request, response) => {
        const id = Number(/^\/page-(\d+)$/.exec(request.url ?? "")?.[1])
        const version = request.url === "/" ? 1 : versions.get(id)
        if (version === undefined) return void response.writeHead(404).end()
        const etag = `"${id}-${version}"`
        if (request.headers["if-none-match"] === etag) return void response.writeHead(304, { etag }).end()
        const links = Array.from({ length: 12 }, (_, at) => `<a href="/page-${at + 1}">Page ${at + 1}</a>`)
        const body = request.url === "/" ? links.join(" ") : `<h1>Page ${id}</h1><p>You need version ${version}.</p>`
        response
          .writeHead(200, { "content-type": "text/html", etag })
          .end(`<html lang="en"><title>Page ${id}</title><main>${body}</main></html>`)
      })
      const { folder, run } = yield* kitchen("docs-changes.yaml", url)
      const first = yield* run
      expect([first.status, first.lines.length, first.credits], first.err).toEqual(["completed", 13, 13])
      expect((yield* run).lines).toEqual([])
      for (const id of [7, 8]) versions.set(id, 3)
      versions.delete(12)
      // Pages that were visited seconds ago are left out otherwise.
      const file = `${folder}/docs-changes.yaml`
      writeFileSync(file, readFileSync(file, "utf8").replace("limit: 5000,", "limit: 5000, revisit: all,"))
      const second = yield* run
      expect(
        rowsOf(second.lines)
          .map(({ change, url }) => `${change} ${url}`)
          .toSorted()
      ).toEqual([`changed ${url}/page-7`, `changed ${url}/page-8`, `gone ${url}/page-12`])
      expect(second.credits).toBeLessThanOrEqual(3)
    }
  )

  live.skipIf(skipsLong)(
    "a portal: signs in, gives the new rows of a table, and no empty file for a notice",
    function* () {
      const portal = { invoices: [1, 2], isNew: false }
      const url = yield* site((path, request, response) => {
        const isMember = (request.headers.cookie ?? "").includes("session=")
        const account = '<a class="account" href="/account">Account</a>'
        if (request.method === "POST") {
          response.writeHead(303, { location: "/invoices", "set-cookie": "session=1; Path=/" }).end()
          return ""
        }
        if (!isMember)
          return '<form method="post" action="/login"><input name="email"><input name="password" type="password"></form>'
        const rows = portal.invoices.map((id) => [`2026-00${id}`, "2026-03-01", `€ ${id}29.50`])
        if (path !== "/invoices") return account
        return portal.isNew ? `${account}<p>Come back later.</p>` : account + table(["Invoice", "Date", "Total"], rows)
      })
      const { run } = yield* kitchen("member-portal.yaml", url, [], { PORTAL_PASSWORD: "secret-7" })
      const first = yield* run
      expect(first.lines, first.err).toEqual([
        "number,date,total",
        "2026-001,2026-03-01,129.5",
        "2026-002,2026-03-01,229.5"
      ])
      portal.invoices.push(3)
      expect((yield* run).lines.slice(1)).toEqual(["2026-003,2026-03-01,329.5"])
      portal.isNew = true
      const broken = yield* run
      expect([broken.status, broken.lines], broken.err).toEqual(["failed", []])
    }
  )

  live.skipIf(skipsLong)("a competitor: sends what has changed, once, and nothing at first", function* () {
    const rival: { price: number | undefined } = { price: 5 }
    const told: Array<{ readonly event: string; readonly changes?: ReadonlyArray<{ readonly summary: string }> }> = []
    const url = yield* serve((request, response) => {
      if (request.method !== "POST") {
        const body = `<h1>${request.url}</h1><h2>Prices</h2><p>A day costs ${rival.price} euros.</p>`
        return void response
          .writeHead(rival.price === undefined ? 503 : 200, { "content-type": "text/html" })
          .end(`<html lang="en"><main>${body}</main></html>`)
      }
      const parts: Array<Buffer> = []
      request.on("data", (part) => parts.push(part))
      request.on("end", () => {
        told.push(JSON.parse(Buffer.concat(parts).toString()))
        response.writeHead(204).end()
      })
    })
    const { act, folder } = yield* kitchen("competitor-watch.yaml", url, [], { ALARM_WEBHOOK: `${url}/alarm` })
    const morning = (day: number) =>
      act("schedule", "run", "competitor-watch", "--at", `2026-03-0${day}T07:00Z`, "--folder", folder, "--out", folder)
    expect((yield* morning(1)).code).toBe(0)
    expect((yield* morning(2)).code).toBe(0)
    expect(told).toEqual([])
    rival.price = 7
    expect((yield* morning(3)).code).toBe(0)
    expect(told).toMatchObject([{ event: "changed", changesTotal: 2 }])
    expect(told[0]?.changes?.[0]?.summary).toContain("“5” became “7”")
    expect((yield* morning(4)).code).toBe(0)
    expect(told).toHaveLength(1)
    rival.price = undefined
    expect((yield* morning(5)).code).toBe(3)
    expect(told.slice(1)).toMatchObject([{ event: "failed", status: "failed" }])
  })
})
