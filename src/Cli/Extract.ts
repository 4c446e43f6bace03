/** `sluice extract`: shows the data in pages, tries fields on them, and learns fields from examples. */
import { basename, dirname } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { readPageData } from "../Html/Extract.ts"
import { isBlank } from "../Html/FieldRows.ts"
import { parsePage, readRows } from "../Html/Fields.ts"
import { findPaging } from "../Html/FindPaging.ts"
import { bounded } from "../Html/Select.ts"
import { yaml } from "../Pipeline/Format.ts"
import { compileFields, objectionsTo } from "../Step/Extract/Compile.ts"
import { FilesUnread, FileUnusable, unusable, type WrongUsage, wrongUsage } from "./CommandErrors.ts"
import { readSettings } from "./CommandSettings.ts"
import { type Definition, pipelineText, readFields, type Sources, stepOf } from "./Extract/Definition.ts"
import { overview, plain } from "./Extract/Overview.ts"
import { fetchPage, isAddress, type Page, readFile } from "./Extract/Pages.ts"
import { repairPipeline } from "./Extract/Repair.ts"
import { definitionOf, type Found, learn, productOnPage, readWanted, sureness, type Wanted } from "./Extract/Want.ts"
import { count, table } from "./Format.ts"
import { withLedger } from "./LedgerAccess.ts"
import { describeFailedPages, type FailedPage } from "./PageFailures.ts"
import * as Parameter from "./Parameter.ts"
import { openClient } from "./Service.ts"
import * as SharedFlags from "./SharedFlags.ts"
import { paint, type Terminal, warn } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  pages: Parameter.several("PAGE", "An address, an HTML file of at most 50 MB, or - for standard input."),
  want: Parameter.texts(
    "NAME=VALUE",
    "Learns a field from the value that the first page shows. Repeated with a name: the value on the next page."
  ),
  rows: Parameter.text(
    "CSS",
    "CSS selector of the parts of the page that become rows, for --fields and --want; without it, each page is one row."
  ),
  fields: Parameter.texts(
    "NAME=CSS,…",
    "Shows the rows that these fields give; `price={ css: .price, as: price }` is a source as in the step `extract`."
  ),
  write: Parameter.text("FILE", "Writes the pipeline that reads these fields of these addresses."),
  repair: Parameter.text(
    "FILE",
    "A pipeline whose pages have changed: finds new selectors or other sources for its fields, and proves them with the values of its last good rows. With the id of a run in place of PAGE, uses the pages of that run instead of the newest."
  ),
  apply: Parameter.toggle("With --repair: writes the proved sources into the definition."),
  base: Parameter.text(
    "URL",
    "Address of the page that a file contains: makes its links absolute. Without --base, links stay as they are."
  ),
  data: SharedFlags.data("the local engine's store"),
  profile: SharedFlags.profile,
  json: Parameter.toggle(
    "Prints JSON Lines: all data of each page, or its error; with --fields, rows; with --want, the sources of each field that were found."
  )
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "Shows JSON-LD, microdata, RDFa, microformats, Open Graph, the product, breadcrumbs, the facts of an article, tables, lists of records that repeat, and the paging of a list, with the lines of a pipeline that fetch them. With --want and --fields, it tries fields for the step `extract`. Addresses are fetched by the service of SLUICE_BASE_URL, else by a local engine; files are read without either. A page that cannot be read is reported on stderr; the others are still shown, and the exit code is 1.",
  parameters,
  examples: [
    { line: "sluice extract https://example.org/kettle", what: "shows the data that the page has" },
    {
      line: 'sluice extract https://example.org/kettle --want "title=Blue kettle" --want price=19.99 --write kettle.yaml',
      what: "fields from examples, and their pipeline"
    },
    { line: "sluice extract *.html --rows article --fields title=h2,price=.price", what: "tries selectors" },
    { line: "sluice extract --repair shop.yaml", what: "new sources for fields that a redesign broke" },
    { line: "sluice extract --repair shop.yaml 20260314T093001-7c2ep2", what: "with the pages of this run" },
    { line: "sluice extract *.html --json", what: "all data, one line for each page" },
    {
      line: "sluice extract - --base https://example.org/ < page.html",
      what: "reads HTML from another program"
    }
  ],
  run: (options, terminal) => run(options, terminal)
})

type Read = Either.Either<Page, FileUnusable>

/** Rows that the fields of the command line extract from the pages. */
const rowsOf = (pages: ReadonlyArray<Page>, definition: Definition, now: number) =>
  Either.flatMap(compileFields(definition), ({ specification }) =>
    Either.all(
      pages.map(({ html, name, url }) =>
        Either.mapBoth(readRows(parsePage(html, url), specification, now), {
          onLeft: (reason) => `${name}: ${reason}`,
          onRight: (rows) => ({ name, rows })
        })
      )
    )
  )

const shownValue = (value: unknown): string =>
  plain(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing"), 60)

/** Prints the rows that the fields extract, or why fields have no value; returns the fields that all rows have. */
const showRows = (pages: ReadonlyArray<Page>, definition: Definition, now: number, json: boolean, terminal: Terminal) =>
  Effect.gen(function* () {
    const { err, out } = terminal
    const read = yield* Either.mapLeft(rowsOf(pages, definition, now), wrongUsage)
    for (const { name, rows } of read) {
      if (json) {
        for (const { values } of rows) out.write(`${JSON.stringify({ url: name, ...values })}\n`)
        continue
      }
      out.write(`${paint(out).bold(name)}  ${count(rows.length, "row")}\n`)
      const names = Object.keys(definition.fields)
      const cells = rows.slice(0, maxShown).map(({ values }) => names.map((each) => shownValue(values[each] ?? "")))
      for (const line of table(
        names.map((each) => [each] as const),
        cells,
        out
      ))
        out.write(`  ${line}\n`)
      if (rows.length > maxShown) out.write(`  … ${count(rows.length - maxShown, "more row")}\n`)
      for (const [field, { why }] of rows[0]?.missing ?? []) warn(err, `${name}: ${field}: ${why}`)
    }
    const all = read.flatMap(({ rows }) => rows)
    return Object.keys(definition.fields).filter(
      (field) => all.length > 0 && all.every(({ values }) => !isBlank(values[field]))
    )
  })

/** Maximum rows printed per page. */
const maxShown = 5

/** Prints what was learned from the wanted values, and the step that extracts them. */
const showLearned = (found: ReadonlyArray<Found>, rows: string | undefined, json: boolean, { out }: Terminal): void => {
  const dye = paint(out)
  for (const each of found) {
    const { best, name, second, tried } = each
    if (json) {
      const { given, of, relies, right, source, filled } = best ?? {}
      const also = second?.source
      out.write(`${JSON.stringify({ name, source, relies, right, of, filled, tried, given, also })}\n`)
      continue
    }
    const source = best === undefined ? "" : typeof best.source === "string" ? best.source : JSON.stringify(best.source)
    out.write(`${dye.bold(name)}  ${source}\n`)
    if (best !== undefined) out.write(`  ${best.given.slice(0, maxShown).map(shownValue).join(" · ")}\n`)
    out.write(`  ${dye.dim(sureness(each, rows === undefined ? "page" : "row"))}\n`)
  }
  if (!json && found.some(({ best }) => best !== undefined)) out.write(`\n${yaml([stepOf(definitionOf(found, rows))])}`)
}

/** Writes a complete pipeline; all pages must be URLs. */
const writePipeline = (file: string, pages: ReadonlyArray<Page>, definition: Definition, terminal: Terminal) =>
  Effect.gen(function* () {
    const addresses = pages.flatMap(({ url }) => (url === undefined ? [] : [url]))
    const name = basename(file)
      .replace(/\.ya?ml$/, "")
      .replace(/[^\w-]+/g, "-")
      .replace(/^(?![a-zA-Z])/, "pages-")
      .slice(0, 60)
    // A redirect controls the URL, and a page its labels: neither may insert `${{ }}`, which the next run would evaluate.
    if (JSON.stringify([addresses, definition, pages.map(pagingOf)]).includes("${{")) {
      const reason =
        "an address or a source contains ${{, which a run would replace with a value: write the definition yourself"
      return yield* wrongUsage(reason)
    }
    const [paging, ...others] = pages.map((page) => pagingOf(page)?.step ?? {})
    const steps = others.every((each) => JSON.stringify(each) === JSON.stringify(paging)) ? paging : {}
    const files = yield* FileSystem.FileSystem
    const folder = dirname(file)
    if (!(yield* Effect.orElseSucceed(files.exists(folder), () => true)))
      return yield* new FileUnusable({ path: file, reason: `there is no folder ${folder}: create it` })
    yield* files
      .writeFileString(file, pipelineText(name, addresses, definition, steps), { flag: "wx" })
      .pipe(Effect.mapError(unusable(file, "Name a new file")))
    terminal.err.write(`${file} is written. Run it with: sluice run ${file}\n`)
  })

const pagingOf = ({ html, url }: Pick<Page, "html" | "url">) => {
  const { tree, urls } = parsePage(html, url)
  return Either.getOrUndefined(bounded(() => findPaging(tree, urls, url)))
}

/** Prints the overview of a page; in JSON also why there is none. */
const showPage = (name: string, result: Read, now: number, json: boolean, { out }: Terminal): void => {
  if (Either.isLeft(result)) {
    if (json) out.write(`${JSON.stringify({ file: name, error: result.left.reason })}\n`)
    return
  }
  const { html, url } = result.right
  const data = readPageData(html, url, now)
  const read = (definition: Definition) =>
    Either.getOrUndefined(rowsOf([{ name, html, url }], definition, now))?.[0]?.rows[0]?.values
  const paging = pagingOf({ html, url })
  const isStated = data.product?.variants.some(({ price }) => price !== undefined) === true
  const shown = isStated ? undefined : productOnPage({ name, html, url }, now)
  const all = {
    file: name,
    ...data,
    ...(shown === undefined ? {} : { proposed: stepOf(shown.definition) }),
    ...(paging === undefined ? {} : { paging: { ...paging.step, last: paging.last } })
  }
  out.write(json ? `${JSON.stringify(all)}\n` : `${name}\n${overview(data, read, paging, shown).join("\n")}\n`)
}

/** Describes a mistake in the flags. */
const mistakeOf = ({ apply, base, fields, pages, repair, rows, want, write }: Options): string | undefined => {
  const given = [
    pages.length > (repair === undefined ? 0 : 1) && "PAGE",
    fields.length > 0 && "--fields",
    want.length > 0 && "--want"
  ]
  const beside = [
    ...given,
    rows !== undefined && "--rows",
    write !== undefined && "--write",
    base !== undefined && "--base"
  ]
  const wrong = beside.filter((each) => each !== false)
  if (repair !== undefined && wrong.length > 0)
    return `--repair reads the pages, rows and fields of the pipeline: leave out ${wrong.join(" and ")}${write === undefined ? "" : "; --apply changes the definition"}`
  if (repair === undefined && apply) return "--apply changes the pipeline that --repair names: add --repair FILE"
  if (repair === undefined && pages.length === 0) return "expected a PAGE: an address, an HTML file, or -"
  if (base !== undefined && !isAddress(base))
    return `--base ${base} is not an address: begin it with https:// or http://`
  if (want.length > 0 && fields.length > 0)
    return "--want finds the sources of fields, --fields gives them: leave one of them out"
  const isExploring = want.length === 0 && fields.length === 0
  if (isExploring && rows !== undefined) return "--rows needs fields: add --fields title=h2, or --want title=VALUE"
  if (isExploring && write !== undefined) return "--write needs fields: add --fields title=h1, or --want title=VALUE"
  if (write !== undefined && !/\.ya?ml$/i.test(write))
    return `--write makes a pipeline in YAML, so it takes a .yaml or .yml file, got ${write}`
  const file = pages.find((name) => !isAddress(name))
  if (write !== undefined && file !== undefined && base === undefined)
    return `--write makes a pipeline that fetches pages from addresses, and ${file} is a file: name addresses, or add --base URL`
  return undefined
}

const clientOf = ({ data, profile }: Options, terminal: Terminal) =>
  readSettings(terminal.env, profile).pipe(
    Effect.flatMap((settings) => openClient(settings, data)),
    Effect.flatMap(Layer.build)
  )

const repairing = (file: string, options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const client = yield* clientOf(options, terminal)
    const work = repairPipeline(file, options, terminal)
    yield* withLedger(options, terminal, Effect.provide(work, client))
  })

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { base, fields, json, pages: names, want, write } = options
    const mistake = mistakeOf(options)
    if (mistake !== undefined) return yield* wrongUsage(mistake)
    if (options.repair !== undefined) return yield* repairing(options.repair, options, terminal)
    const asked = yield* Either.mapLeft(
      Either.all({ wanted: readWanted(want, names.length), named: readFields(fields) }),
      wrongUsage
    )
    const isFetching = names.some(isAddress)
    const client = isFetching ? yield* clientOf(options, terminal) : undefined
    const open = (name: string) =>
      client !== undefined && isAddress(name) ? Effect.provide(fetchPage(name), client) : readFile(name, base)
    const now = yield* Clock.currentTimeMillis
    const read: Array<Page> = []
    const places: Array<number> = []
    const unread: Array<FailedPage> = []
    const reading = Effect.gen(function* () {
      for (const [at, name] of names.entries()) {
        const result = yield* Effect.either(open(name))
        if (Either.isRight(result)) {
          read.push(result.right)
          places.push(at)
        } else unread.push({ page: name, message: result.left.reason })
        if (Either.isLeft(result) || (want.length === 0 && fields.length === 0))
          showPage(name, result, now, json, terminal)
      }
    })
    const { err } = terminal
    const told = Effect.sync(() => {
      for (const line of json ? [] : describeFailedPages(unread, "cannot be read"))
        err.write(`${paint(err).red("error:")} ${line}\n`)
    })
    // Also when the command is interrupted.
    yield* Effect.ensuring(reading, told)
    if (read.length > 0 && (want.length > 0 || fields.length > 0)) {
      // Drops the wanted values of pages that could not be read.
      const wanted = asked.wanted.map(({ name, values }) => ({ name, values: places.map((at) => values[at]) }))
      const definition = yield* extracted({ ...asked, wanted }, read, options, now, terminal)
      if (write !== undefined && read.length === names.length) yield* writePipeline(write, read, definition, terminal)
      else if (write !== undefined) warn(err, `${write} is not written, because a page could not be read`)
    }
    if (read.length < names.length)
      return yield* new FilesUnread({ files: names.length - read.length, of: names.length, noun: "page" })
  }).pipe(Effect.scoped)

/** Prints the named or learned fields, and returns the step that extracts them. */
const extracted = (
  { named, wanted }: { readonly named: Sources; readonly wanted: ReadonlyArray<Wanted> },
  pages: ReadonlyArray<Page>,
  { json, rows }: Options,
  now: number,
  terminal: Terminal
): Effect.Effect<Definition, WrongUsage> =>
  Effect.gen(function* () {
    if (wanted.length === 0) {
      const definition: Definition = { rows, fields: named }
      const [objection] = objectionsTo({ ...definition })
      if (objection !== undefined) {
        return yield* wrongUsage(`${objection.path.map(String).join(".")}: ${objection.message}`)
      }
      const required = yield* showRows(pages, definition, now, json, terminal)
      return { ...definition, required }
    }
    const found = yield* Either.mapLeft(learn(pages, wanted, rows, now), wrongUsage)
    showLearned(found, rows, json, terminal)
    const missing = found.filter(({ best }) => best === undefined).map(({ name }) => name)
    if (missing.length > 0) {
      const failed = pages.flatMap(({ name, status = 0 }) => (status < 400 ? [] : [`${name} answered ${status}`]))
      const why = failed.length > 0 ? failed.join(", ") : "give each value exactly as its page shows it"
      const reason = `no page shows the value of ${missing.join(" and ")}: ${why}`
      return yield* wrongUsage(reason)
    }
    if (rows === undefined && !json) hintAtRows(pages, now, terminal)
    return definitionOf(found, rows)
  })

/** Minimum records of a list that is content and not navigation. */
const minRecords = 3

/** Points out that --rows reads the records of a page's list. */
const hintAtRows = ([page, ...others]: ReadonlyArray<Page>, now: number, { err }: Terminal): void => {
  if (page === undefined || others.length > 0) return
  const [list] = readPageData(page.html, page.url, now).lists
  if (list?.selector === undefined || list.count < minRecords) return
  err.write(
    `${page.name} has a list of ${count(list.count, "record")}: to get a row for each of them, add --rows '${list.selector}'\n`
  )
}
