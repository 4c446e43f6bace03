/** Overview of a page: the data that can be extracted from it, and the lines of a pipeline that do so. */

import type { Written } from "../../Html/FieldRows.ts"
import type { FoundPaging } from "../../Html/FindPaging.ts"
import type { Product } from "../../Html/Product.ts"
import type { RecordList } from "../../Html/RecordLists.ts"
import { type PageData, typesOf } from "../../Html/StructuredData.ts"
import { yaml } from "../../Pipeline/Format.ts"
import { count } from "../Format.ts"
import { type Definition, stepOf } from "./Definition.ts"

/** Replaces control characters, which would reach the terminal, and truncates the text. */
export const plain = (text: string, most = 200): string => {
  const clean = text.replace(/\p{Cc}/gu, " ")
  return clean.length > most ? `${clean.slice(0, most)}…` : clean
}

/** Maximum lists shown, columns per list, samples per column, and characters per sample. */
const [maxLists, maxColumns, maxSamples, maxSample] = [3, 8, 3, 30]

/** The lines of a step as YAML, indented below the page's other lines. */
const stepLines = (step: object): ReadonlyArray<string> =>
  yaml([step])
    .trimEnd()
    .split("\n")
    .map((line) => `    ${line}`)

/** The step that extracts these columns of a list; undefined if no selector finds its records. */
const stepOfList = ({ selector, sources }: RecordList, columns: ReadonlyArray<string>, isMain: boolean) => {
  const fields = columns.flatMap((name) => {
    const source = sources[name]
    if (source === undefined) return []
    return [[name, source.attr === undefined && source.as === undefined ? source.css : source] as const]
  })
  if (selector !== undefined && fields.length > 0) return stepOf({ rows: selector, fields: Object.fromEntries(fields) })
  return isMain ? { extract: { rows: { list: true } } } : undefined
}

const listLines = (list: RecordList, isMain: boolean): ReadonlyArray<string> => {
  // A column with the same text in every record is usually the label of a button, so it is left out.
  const columns = list.fields
    .filter((name) => list.count < 3 || new Set(list.rows.map((row) => row[name])).size > 1)
    .slice(0, maxColumns)
  const more = list.fields.length - columns.length
  const samples = columns.map((name) => {
    const values = list.rows.flatMap((row) => (row[name] === undefined ? [] : [row[name]])).slice(0, maxSamples)
    return `    ${name.padEnd(15)} ${values.map((value) => JSON.stringify(plain(value, maxSample))).join(", ")}`
  })
  const step = stepOfList(list, columns, isMain)
  return [
    ...samples,
    ...(more > 0 ? [`    and ${count(more, "column")} more: --json has all`] : []),
    ...(step === undefined ? [] : stepLines(step))
  ]
}

const priceText = ({ price }: Product["variants"][number]): string | undefined =>
  price === undefined ? undefined : (price.formatted ?? `${price.amount} ${price.currency ?? ""}`.trim())

const productText = ({ brand, rating, title, variants }: Product): string => {
  const [first] = variants
  const parts = [
    title,
    brand,
    first === undefined ? undefined : priceText(first),
    first?.availability.inStock === true ? "in stock" : first?.availability.text,
    variants.length > 1 ? count(variants.length, "variant") : undefined,
    rating === undefined ? undefined : `rated ${rating.value}`
  ]
  return parts.filter((part) => part !== undefined).join(", ")
}

/** Returns the values that a definition's fields extract from the page; undefined if extraction fails. */
export type ReadValues = (definition: Definition) => Readonly<Record<string, unknown>> | undefined

/**
 * The step that extracts the page's product. Leaves out fields that give another value than the product has. Undefined if the title is one
 * of them: a page may state several products, or a name that differs from the one shown.
 */
const stepOfProduct = ({ brand, title, variants }: Product, read: ReadValues) => {
  const amount = variants.length === 1 ? variants[0]?.price?.amount : undefined
  const wanted: ReadonlyArray<readonly [name: string, value: unknown, source: Written]> = [
    ["title", title, { data: "Product.name" }],
    ["brand", brand, { data: "Product.brand" }],
    ["price", amount, { data: "Product.offers.price", as: "price" }]
  ]
  const known = wanted.filter(([, value]) => value !== undefined)
  const values = read({ fields: Object.fromEntries(known.map(([name, , source]) => [name, source])) }) ?? {}
  const fields = known.flatMap(([name, value, source]) => (values[name] === value ? [[name, source] as const] : []))
  return fields[0]?.[0] === "title" ? stepOf({ fields: Object.fromEntries(fields) }) : undefined
}

const pagingText = ({ last, step }: FoundPaging): string =>
  "loadMore" in step ? "a button that loads more" : `a link to the next page${last === undefined ? "" : ` of ${last}`}`

/** Lines of the overview. */
export const overview = (
  page: PageData,
  read: ReadValues,
  paging: FoundPaging | undefined,
  shown: { readonly text: string; readonly definition: Definition } | undefined
): ReadonlyArray<string> => {
  const { article, breadcrumbs, lists, product, structured, tables, warning } = page
  const lines: Array<string> = []
  const add = (label: string, value: string) => lines.push(`  ${label.padEnd(13)}${plain(value)}`)
  const types = typesOf(structured)
  for (const [syntax, counts] of Object.entries(types)) {
    if (counts.length > 0)
      add(syntax, counts.map(([type, times]) => (times === 1 ? type : `${type} × ${times}`)).join(", "))
  }
  if (product !== undefined) {
    add("product", productText(product))
    const isStated = Object.values(types)
      .flat()
      .some(([type]) => /(?:^|[/#])Product$/.test(type))
    const step = isStated ? stepOfProduct(product, read) : undefined
    if (step !== undefined) lines.push(...stepLines(step))
  }
  if (shown !== undefined) {
    add("product", shown.text)
    lines.push(...stepLines(stepOf(shown.definition)))
  }
  if (breadcrumbs.length > 0) add("breadcrumbs", breadcrumbs.map(({ name }) => name).join(" > "))
  for (const [name, value] of Object.entries(article)) if (value !== undefined) add(name, value)
  for (const { caption, header, rows } of tables) {
    const columns = header.length === 0 ? "no header" : header.join(" | ")
    add("table", `${caption === undefined ? "" : `${caption}: `}${columns} (${count(rows.length, "row")})`)
  }
  for (const [at, list] of lists.slice(0, maxLists).entries()) {
    add("list", count(list.count, "record"))
    lines.push(...listLines(list, at === 0))
  }
  if (lists.length > maxLists) lines.push(`  and ${count(lists.length - maxLists, "list")} more: --json has all`)
  if (paging !== undefined) {
    add("paging", pagingText(paging))
    lines.push(...stepLines({ scrape: paging.step }))
  }
  if (warning !== undefined) add("warning", warning)
  return lines.length === 0 ? ["  nothing found"] : lines
}
