/** The OpenAPI document as one page that needs nothing else: no script, no font, no other server. */
import { style } from "./Style.ts"

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

/** What of an OpenAPI document is shown. */
export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags: ReadonlyArray<{ readonly name: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

/** Text in which `code` is marked. */
const prose = (text: string): string => escape(text).replace(/`([^`]+)`/g, "<code>$1</code>")

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
  `<tr><td><code>${escape(name)}</code>${required ? ' <span class="tag">required</span>' : ""}</td>` +
  `<td><code>${escape(typeOf(schema))}</code>${
    schema.default === undefined ? "" : ` <span class="dim">= ${escape(JSON.stringify(schema.default))}</span>`
  }</td><td>${prose(description ?? "")}</td></tr>`

const table = (rows: ReadonlyArray<string>): string =>
  rows.length === 0 ? "" : `<div class="scroll"><table><tbody>${rows.join("")}</tbody></table></div>`

const fields = (document: Document, schema: Schema): string => {
  const target = schema.$ref === undefined ? schema : (document.components.schemas[nameOf(schema.$ref)] ?? schema)
  const properties = Object.entries(target.properties ?? {})
  return properties.length === 0
    ? `<p><code>${escape(typeOf(schema))}</code></p>`
    : table(properties.map(([name, field]) => row(name, field, target.required?.includes(name) ?? false)))
}

const section = (title: string, content: string): string => (content === "" ? "" : `<h4>${title}</h4>${content}`)

const contents = (document: Document, body: Body | undefined): string =>
  Object.entries(body?.content ?? {})
    .map(([type, { schema }]) => `<p class="dim"><code>${escape(type)}</code></p>${fields(document, schema)}`)
    .join("")

const operation = (
  document: Document,
  path: string,
  verb: string,
  { parameters, requestBody, responses, ...rest }: Operation
) =>
  `<details><summary><span class="verb ${verb}">${verb.toUpperCase()}</span>` +
  `<code>${escape(path)}</code><span class="dim">${escape(rest.summary ?? "")}</span></summary><div id="${escape(rest.operationId)}">${rest.description === undefined ? "" : `<p>${prose(rest.description)}</p>`}${section(
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

/** The whole page. */
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
      `<strong>${escape(name)}</strong>${operations
        .map(
          ({ path, verb, value }) => `<a href="#${escape(value.operationId)}">${verb.toUpperCase()} ${escape(path)}</a>`
        )
        .join("")}`
  )
  const sections = groups.map(
    ({ name, operations }) =>
      `<h2>${escape(name)}</h2>${operations.map(({ path, verb, value }) => operation(document, path, verb, value)).join("")}`
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}</title><style>${style}</style></head><body>
<nav aria-label="Endpoints"><a href="/openapi.json">openapi.json</a>${links.join("")}</nav>
<main><h1>${escape(title)}</h1><p>${prose(description)}</p>
<p class="dim">Version ${escape(version)}. Every failure has the body <code>{"success": false, "error", "code"?, "details"?}</code>.</p>
${sections.join("")}</main></body></html>`
}
