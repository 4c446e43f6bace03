/** Recorded form of a request: method, path and body. A replay looks up the response by this form. */
import { createHash } from "node:crypto"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { Asked, Part } from "../Recording.ts"

const asJson = (text: string): { readonly json: unknown } | { readonly text: string } =>
  Either.getOrElse(
    Either.try(() => ({ json: JSON.parse(text) as unknown })),
    () => ({ text })
  )

const ofText = (text: string) => (text === "" ? {} : asJson(text))

const partOf = (name: string, value: string | Blob): Effect.Effect<Part> =>
  typeof value === "string"
    ? Effect.succeed({ name, ...asJson(value) })
    : Effect.map(
        Effect.promise(() => value.arrayBuffer()),
        (content) => ({
          name,
          file: {
            // Unnamed parts are called `blob`: their name is not recorded.
            name: "name" in value && typeof value.name === "string" ? value.name : "",
            bytes: content.byteLength,
            sha256: createHash("sha256").update(Buffer.from(content)).digest("hex")
          }
        })
      )

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): Effect.Effect<Omit<Asked, "method" | "path">> => {
  switch (body._tag) {
    case "Empty":
      return Effect.succeed({})
    case "Uint8Array":
      return Effect.succeed(ofText(Buffer.from(body.body).toString()))
    case "Raw":
      return Effect.succeed(ofText(String(body.body)))
    case "Stream":
      return Stream.runCollect(body.stream).pipe(
        Effect.map((chunks) => ofText(Buffer.concat(Chunk.toReadonlyArray(chunks)).toString())),
        Effect.orDie
      )
    case "FormData":
      return Effect.map(
        Effect.forEach([...body.formData.entries()], ([name, value]: readonly [string, string | Blob]) =>
          partOf(name, value)
        ),
        (parts) => ({ form: parts.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)) })
      )
  }
}

/** Path below the base URL, with its query sorted by name; the complete URL for other hosts. */
const pathOf = (url: URL, service: string): string => {
  const home = new URL(service)
  const path = pathBelow(url, service)
  return url.origin === home.origin ? path : url.origin + path
}

const pathBelow = (url: URL, service: string): string => {
  const prefix = new URL(service).pathname.replace(/\/+$/, "")
  const path = url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : url.pathname
  const query = new URLSearchParams(url.searchParams)
  query.sort()
  return query.size === 0 ? path : `${path}?${decodeQuery(query)}`
}

/** Readable query: escapes only values with special characters. */
const decodeQuery = (query: URLSearchParams): string =>
  [...query]
    .map(([name, value]) => `${name}=${/^[\w\s.:/-]*$/.test(value) ? value : encodeURIComponent(value)}`)
    .join("&")

/** The request with its original URLs and secrets. */
export const askedOf = (
  request: HttpClientRequest.HttpClientRequest,
  url: URL,
  service: string
): Effect.Effect<Asked> =>
  Effect.map(bodyOf(request), (body) => {
    const path = pathOf(url, service)
    return { method: request.method, path, ...(path === "/v2/browser/login" ? withoutLogin(body) : body) }
  })

/** Identifies a sign-in by the name of its profile: passwords and cookies stay out of recordings, even if they are not named secrets. */
const withoutLogin = ({ json }: Pick<Asked, "json">): Pick<Asked, "json"> =>
  typeof json === "object" && json !== null && "name" in json ? { json: { name: json.name } } : {}

/** Applies `change` to every string and key of a value. */
export const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]))
}

/** The strings under one of these keys, at any depth. */
export const textsUnder = (value: unknown, keys: ReadonlySet<string>): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => textsUnder(item, keys))
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === "string" ? (keys.has(key) ? [item] : []) : textsUnder(item, keys)
  )
}
