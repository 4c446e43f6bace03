/** Reads the files with cookies that browsers and other tools write. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { SavedCookie } from "./Jar.ts"

const { partitionKey: _, sameSite: __, ...fields } = SavedCookie.fields

/** A cookie of Playwright, or of a browser extension, which names some fields and values as browsers do for extensions. */
const JsonCookie = Schema.Struct({
  ...fields,
  expirationDate: Schema.optional(Schema.NullOr(Schema.Number)),
  sameSite: Schema.optional(Schema.NullOr(Schema.String)),
  partitionKey: Schema.optional(
    Schema.NullOr(
      Schema.Union(
        Schema.String,
        Schema.Struct({
          topLevelSite: Schema.optional(Schema.String),
          hasCrossSiteAncestor: Schema.optional(Schema.Boolean)
        })
      )
    )
  ),
  _crHasCrossSiteAncestor: Schema.optional(Schema.Boolean)
})

const Json = Schema.parseJson(
  Schema.Union(
    Schema.Struct({
      cookies: Schema.Array(JsonCookie),
      origins: Schema.optional(Schema.Array(Schema.Unknown))
    }),
    Schema.Array(JsonCookie)
  )
)

const sameSites: Readonly<Record<string, SavedCookie["sameSite"]>> = {
  strict: "Strict",
  lax: "Lax",
  none: "None",
  no_restriction: "None"
}

/** Reads a line of `cookies.txt`: domain, subdomains, path, secure, expires, name, value. An empty name or value may lack its field. */
const netscape = (line: string): SavedCookie | undefined => {
  const isHttpOnly = line.startsWith("#HttpOnly_")
  const text = isHttpOnly ? line.slice("#HttpOnly_".length) : line
  const [domain = "", subdomains = "", path = "/", secure = "", expires = "", name = "", ...value] = text.split("\t")
  if (!/^(?:true|false)$/i.test(subdomains) || !/^-?\d*(?:\.\d+)?$/.test(expires) || domain === "") return undefined
  const host = domain.replace(/^\./, "")
  return {
    name,
    value: value.join("\t"),
    domain: /^true$/i.test(subdomains) ? `.${host}` : host,
    path,
    secure: /^true$/i.test(secure),
    httpOnly: isHttpOnly,
    expires: Number(expires) || -1
  }
}

const fromJson = (json: typeof JsonCookie.Type): SavedCookie => {
  const {
    _crHasCrossSiteAncestor,
    expirationDate,
    expires = expirationDate ?? -1,
    partitionKey,
    sameSite,
    ...cookie
  } = json
  const { topLevelSite = "", hasCrossSiteAncestor = _crHasCrossSiteAncestor } =
    typeof partitionKey === "string" ? { topLevelSite: partitionKey } : (partitionKey ?? {})
  const same = sameSites[sameSite?.toLowerCase() ?? ""]
  return {
    ...cookie,
    expires,
    ...(same === undefined ? {} : { sameSite: same }),
    ...(topLevelSite === ""
      ? {}
      : { partitionKey: hasCrossSiteAncestor === undefined ? topLevelSite : { topLevelSite, hasCrossSiteAncestor } })
  }
}

export interface CookieFile {
  readonly cookies: ReadonlyArray<SavedCookie>
  /** True if the file has the storage of pages, too, which is not read. */
  readonly hasStorage: boolean
}

const withCookies = (file: CookieFile): Either.Either<CookieFile, string> =>
  file.cookies.length === 0 ? Either.left("it has no cookies") : Either.right(file)

/** Reads a Netscape `cookies.txt`, or JSON from Playwright's `storageState` or a browser extension. The left side is the error. */
export const readCookieFile = (text: string): Either.Either<CookieFile, string> => {
  const trimmed = text.replace(/^\ufeff/, "").trim()
  if (/^[[{]/.test(trimmed)) {
    const json = Schema.decodeUnknownEither(Json)(trimmed)
    if (Either.isLeft(json))
      return Either.left("its JSON is neither a storage state of Playwright ({ cookies: […] }) nor an array of cookies")
    const { cookies, origins = [] } = "cookies" in json.right ? json.right : { cookies: json.right }
    return withCookies({ cookies: cookies.map(fromJson), hasStorage: origins.length > 0 })
  }
  const lines = trimmed.split(/\r?\n/)
  const cookies: Array<SavedCookie> = []
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "" || (line.startsWith("#") && !line.startsWith("#HttpOnly_"))) continue
    const cookie = netscape(line)
    // The message does not quote the line, because it may be a secret.
    if (cookie === undefined)
      return Either.left(`line ${index + 1} is not a line of a cookies.txt: it needs 7 fields separated by tabs`)
    cookies.push(cookie)
  }
  return withCookies({ cookies, hasStorage: false })
}
