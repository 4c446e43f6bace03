/** Renders the OpenAPI document as a self-contained HTML page, without scripts, fonts or requests to other servers. */
import { escapeHtml } from "../../Values/Text.ts"

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly items?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Schema
  readonly description?: string
}

interface Body {
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export interface Operation {
  readonly tags: ReadonlyArray<string>
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
}

/** The parts of an OpenAPI document that the page shows. */
export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags: ReadonlyArray<{ readonly name: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Escapes text and converts backticks to `<code>`. */
const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>")

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

const typeOf = (schema: Schema): string => {
  if (schema.$ref !== undefined) return nameOf(schema.$ref) === "Int" ? "integer" : nameOf(schema.$ref)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  const parts = schema.anyOf ?? schema.allOf
  if (parts !== undefined) return [...new Set(parts.map(typeOf))].filter((type) => type !== "null").join(" | ")
  if (schema.type === "array") return `${typeOf(schema.items ?? {})}[]`
  return schema.format === undefined ? (schema.type ?? "any") : `${schema.type} (${schema.format})`
}

const row = (name: string, schema: Schema, required: boolean, description = schema.description): string =>
  `<tr><td><code>${escapeHtml(name)}</code>${required ? ' <span class="tag">required</span>' : ""}</td>` +
  `<td><code>${escapeHtml(typeOf(schema))}</code>${
    schema.default === undefined ? "" : ` <span class="dim">= ${escapeHtml(JSON.stringify(schema.default))}</span>`
  }</td><td>${prose(description ?? "")}</td></tr>`

const table = (rows: ReadonlyArray<string>): string =>
  rows.length === 0 ? "" : `<div class="scroll"><table><tbody>${rows.join("")}</tbody></table></div>`

const fields = (document: Document, schema: Schema): string => {
  const target = schema.$ref === undefined ? schema : (document.components.schemas[nameOf(schema.$ref)] ?? schema)
  const properties = Object.entries(target.properties ?? {})
  return properties.length === 0
    ? `<p><code>${escapeHtml(typeOf(schema))}</code></p>`
    : table(properties.map(([name, field]) => row(name, field, target.required?.includes(name) ?? false)))
}

const section = (title: string, content: string): string => (content === "" ? "" : `<h4>${title}</h4>${content}`)

const contents = (document: Document, body: Body | undefined): string =>
  Object.entries(body?.content ?? {})
    .map(([type, { schema }]) => `<p class="dim"><code>${escapeHtml(type)}</code></p>${fields(document, schema)}`)
    .join("")

const operation = (
  document: Document,
  path: string,
  verb: string,
  { parameters, requestBody, responses, ...rest }: Operation
) =>
  `<details><summary><span class="verb ${verb}">${verb.toUpperCase()}</span>` +
  `<code>${escapeHtml(path)}</code><span class="dim">${escapeHtml(rest.summary ?? "")}</span></summary><div id="${escapeHtml(rest.operationId)}">${rest.description === undefined ? "" : `<p>${prose(rest.description)}</p>`}${section(
    "Parameters",
    table(parameters.map(({ name, schema, required, description }) => row(name, schema, required, description)))
  )}${section("Request", contents(document, requestBody))}${section("Answer", contents(document, responses["200"]))}${section(
    "Failures",
    table(
      Object.entries(responses)
        .filter(([status]) => status !== "200")
        .map(
          ([status, { description }]) => `<tr><td><code>${status}</code></td><td>${prose(description ?? "")}</td></tr>`
        )
    )
  )}</div></details>`

/** Renders the page. */
export const render = (document: Document): string => {
  const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, value]) => ({ path, verb, value }))
  )
  const groups = document.tags.map(({ name }) => ({
    name,
    operations: operations.filter(({ value }) => value.tags.includes(name))
  }))
  const { title, version, description = "" } = document.info
  const links = groups.map(
    ({ name, operations }) =>
      `<strong>${escapeHtml(name)}</strong>${operations
        .map(
          ({ path, verb, value }) =>
            `<a href="#${escapeHtml(value.operationId)}">${verb.toUpperCase()} ${escapeHtml(path)}</a>`
        )
        .join("")}`
  )
  const sections = groups.map(
    ({ name, operations }) =>
      `<h2>${escapeHtml(name)}</h2>${operations.map(({ path, verb, value }) => operation(document, path, verb, value)).join("")}`
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body>
<nav aria-label="Endpoints"><a href="/openapi.json">openapi.json</a>${links.join("")}</nav>
<main><h1>${escapeHtml(title)}</h1><p>${prose(description)}</p>
<p class="dim">Version ${escapeHtml(version)}. Every failure has the body <code>{"success": false, "error", "code", "details"?}</code>.</p>
${sections.join("")}</main></body></html>`
}

/** Style sheet of the page. Its hash is in the page's content security policy. */
export const style = `
:root { color-scheme: light dark; --ink: #1c2430; --dim: #5b6675; --line: #dfe4ea; --back: #fff; --soft: #f5f7f9; --accent: #0b6bcb;
  --get: #0a7d4b; --post: #0b6bcb; --delete: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --dim: #9aa7b6; --line: #2b3440; --back: #12171e; --soft: #1a212b;
  --accent: #6fb3ff; --get: #4fd39a; --post: #6fb3ff; --delete: #ff8a80 } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--back); display: grid;
  grid-template-columns: 17rem minmax(0, 1fr) }
a { color: var(--accent); text-decoration: none } a:hover, a:focus-visible { text-decoration: underline }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem; border-right: 1px solid var(--line); font-size: .875rem }
nav strong { display: block; margin: 1rem 0 .25rem; color: var(--dim); font-weight: 600 }
nav a { display: block; padding: .1rem 0; overflow-wrap: anywhere }
main { padding: 2rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 62rem }
h1 { margin: 0 0 .5rem; font-size: 1.9rem } h2 { margin: 3rem 0 1rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line) }
h4 { margin: 1.2rem 0 .4rem; font-size: .8rem; color: var(--dim); text-transform: uppercase; letter-spacing: .05em }
code { font: .875em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
details { border: 1px solid var(--line); border-radius: .6rem; margin: .6rem 0; background: var(--back) }
summary { cursor: pointer; padding: .7rem 1rem; display: flex; gap: .8rem; align-items: baseline; flex-wrap: wrap }
details[open] > summary { border-bottom: 1px solid var(--line); background: var(--soft); border-radius: .6rem .6rem 0 0 }
details > div { padding: .2rem 1rem 1.2rem }
.verb { font: 700 .75rem/1 ui-monospace, monospace; width: 4rem } .get { color: var(--get) } .post { color: var(--post) }
.delete { color: var(--delete) }
.dim { color: var(--dim) } .tag { font-size: .75rem; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .5rem }
table { border-collapse: collapse; width: 100%; font-size: .9rem } td, th { text-align: left; vertical-align: top;
  padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line) }
td:first-child { white-space: nowrap } .scroll { overflow-x: auto }
@media (max-width: 52rem) { body { display: block } nav { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line) } }
`
