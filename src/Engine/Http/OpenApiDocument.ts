/** The OpenAPI document and its page. Created when first requested, because that takes as long as a tenth of the engine's start. */
import { createHash } from "node:crypto"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as OpenApi from "@effect/platform/OpenApi"
import { Api } from "../../Api.ts"
import { version } from "../../Version.ts"
import * as DocsPage from "./DocsPage.ts"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json | undefined }

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json | undefined } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const mapDeep = (value: Json, f: (value: Json) => Json): Json => {
  const inside = Array.isArray(value)
    ? value.map((item) => mapDeep(item, f))
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, item]) => [key, item === undefined ? item : mapDeep(item, f)])
        )
      : value
  return f(inside)
}

const errorRef = { $ref: "#/components/schemas/Error" }

/** Replaces the platform's internal schemas with the schemas that callers see. */
const corrections: ReadonlyArray<(value: { readonly [key: string]: Json | undefined }) => Json> = [
  // Every failure has the same body, also a request that breaks the contract.
  (value) =>
    Array.isArray(value.anyOf) &&
    value.anyOf.some((one) => isObject(one) && one.$ref === "#/components/schemas/HttpApiDecodeError")
      ? errorRef
      : value,
  (value) =>
    value.description === "The request did not match the expected schema"
      ? { ...value, description: "The request does not match the schema of the API." }
      : value,
  // Uploaded files are bytes, not the server's record of them.
  (value) =>
    value.type === "array" && isObject(value.items) && value.items.$ref === "#/components/schemas/PersistedFile"
      ? { type: "string", format: "binary", description: value.description }
      : value,
  // Query parameters are described by the type they decode to.
  (value) =>
    value.description === "a string to be decoded into a number"
      ? { ...value, type: "integer", description: undefined }
      : value,
  // Omits schemas for `unknown` and `any`: the generator would give all of them the same `$id`, which breaks resolvers.
  (value) => (typeof value.$id === "string" && value.$id.startsWith("/schemas/") ? {} : value)
]

const internal = ["HttpApiDecodeError", "Issue", "PropertyKey", "PersistedFile"]

type Schemas = DocsPage.Document["components"]["schemas"]

/** Returns a copy without `additionalProperties: false`. */
const open = <A>(part: A): A =>
  JSON.parse(
    JSON.stringify(part, (key, value) => (key === "additionalProperties" && value === false ? undefined : value))
  )

/** Names of all schemas that a part of the document references, directly or indirectly. */
const reachable = (part: unknown, schemas: Schemas, found = new Set<string>()): ReadonlySet<string> => {
  for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue
    found.add(name)
    reachable(schemas[name] ?? {}, schemas, found)
  }
  return found
}

const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A, key: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value, key)]))

/** Allows unknown fields in responses, for clients that validate them. Requests still reject them. */
const opened = (document: DocsPage.Document): DocsPage.Document => {
  const paths = mapValues(document.paths, (operations) =>
    mapValues(operations, (operation) => ({ ...operation, responses: open(operation.responses) }))
  )
  const { schemas } = document.components
  const sent = Object.values(paths).flatMap((operations) => Object.values(operations).map(({ responses }) => responses))
  const names = reachable(sent, schemas)
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      schemas: mapValues(schemas, (schema, name) => (names.has(name) ? open(schema) : schema))
    }
  }
}

/** The OpenAPI document. Cast because `mapDeep` keeps the shape that `OpenApi.fromApi` returns, but not its type. */
export const document = (() => {
  // `security: []` at the top level would declare the API public.
  const { security: _, ...spec } = OpenApi.fromApi(Api)
  const corrected = mapDeep(JSON.parse(JSON.stringify(spec)), (value) =>
    isObject(value) ? corrections.reduce<Json>((now, correct) => (isObject(now) ? correct(now) : now), value) : value
  ) as unknown as DocsPage.Document
  const schemas = Object.fromEntries(
    Object.entries(corrected.components.schemas).filter(([name]) => !internal.includes(name))
  )
  const whole = { ...corrected, info: { ...corrected.info, version }, components: { ...corrected.components, schemas } }
  return opened(whole)
})()

const styleHash = createHash("sha256").update(DocsPage.style).digest("base64")

/** Content security policy of the page: no scripts, no external resources, no framing. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export const json = HttpServerResponse.unsafeJson(document)
export const page = HttpServerResponse.html(DocsPage.render(document)).pipe(
  HttpServerResponse.setHeader("content-security-policy", policy)
)
