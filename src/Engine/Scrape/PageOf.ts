/** What a site sent becomes a page: HTML is converted, text is shown, files go to the parser. */
import * as Effect from "effect/Effect"
import { type NotImplemented, type TimedOut, type Unprocessable, UnsupportedType } from "../../Api/Errors.ts"
import type { ParseFailure } from "../Parse/Parser.ts"
import { kindOf } from "./Kind.ts"
import { type FileServices, fromFile } from "./Page/File.ts"
import { fromHtml } from "./Page/Html.ts"
import type { Source } from "./Page/Source.ts"
import { fromError, fromText } from "./Page/Text.ts"
import type { Page } from "./Scraper.ts"
import type { Threads } from "./Threads.ts"

export interface Services extends FileServices {
  readonly threads: Threads
}

/** The page with what a browser brought besides. */
const withShown = (page: Page, { fetched: { shown } }: Source): Page => {
  if (shown === undefined) return page
  const { actions, screenshot } = shown
  const warnings = [page.document.warning, shown.warning].filter((text) => typeof text === "string")
  return {
    ...page,
    document: {
      ...page.document,
      ...(screenshot === undefined ? {} : { screenshot }),
      ...(actions === undefined ? {} : { actions }),
      ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") })
    }
  }
}

/** Converts what was fetched or shown. */
export const pageOf = (
  source: Source,
  services: Services
): Effect.Effect<Page, ParseFailure | UnsupportedType | Unprocessable | NotImplemented | TimedOut> =>
  Effect.map(convert(source, services), (page) => withShown(page, source))

const convert = (
  source: Source,
  services: Services
): Effect.Effect<Page, ParseFailure | UnsupportedType | Unprocessable | NotImplemented | TimedOut> => {
  const { fetched } = source
  const isError = fetched.statusCode >= 400
  // The name in the address is that of the file which is not there.
  const path = isError ? "/" : new URL(fetched.url).pathname
  const kind = kindOf(fetched.headers["content-type"], path, fetched.body)
  switch (kind._tag) {
    case "Html":
      return fromHtml(source, services.threads)
    case "Text":
      return Effect.sync(() => fromText(source, kind.language))
    case "File":
      return isError ? Effect.sync(() => fromError(source)) : fromFile(source, kind.extension, services)
    case "Other":
      return isError
        ? Effect.sync(() => fromError(source))
        : new UnsupportedType({
            error: `${fetched.url} is ${kind.contentType}, which has no text to give. Pages, text and office files are read.`,
            code: "UNSUPPORTED_FILE_TYPE"
          })
  }
}
