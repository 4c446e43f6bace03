/** The option `parsers`: whether and how a PDF is read. */
import * as Either from "effect/Either"
import { type Format, formatName } from "../../Api/ScrapeOptions.ts"

export interface Parsers {
  /** Without it a PDF is handed out unread. */
  readonly pdf: boolean
  readonly maxPages: number | undefined
}

/** Both read the text layer: there is no other reader here. */
const modes = ["auto", "fast"]

const most = 10_000

/** The left side says what cannot be had, and whether somebody else might have it. */
export const read = (
  parsers: ReadonlyArray<Format> | undefined
): Either.Either<Parsers, { readonly unbuilt: boolean; readonly message: string }> => {
  const wrong = (message: string, unbuilt = false) => Either.left({ unbuilt, message })
  if (parsers === undefined) return Either.right({ pdf: true, maxPages: undefined })
  const stranger = parsers.map(formatName).find((name) => name !== "pdf")
  if (stranger !== undefined) return wrong(`"${stranger}" is not a parser that can be chosen; there is pdf`)
  const chosen = parsers.find((parser) => typeof parser !== "string")
  const { maxPages, mode }: Readonly<Record<string, unknown>> = typeof chosen === "object" ? chosen : {}
  if (maxPages !== undefined && !(Number.isInteger(maxPages) && Number(maxPages) >= 1 && Number(maxPages) <= most))
    return wrong(`maxPages is not a whole number from 1 to ${most}`)
  if (mode === "ocr") return wrong(`the mode "ocr" is not built: the text layer of a PDF is read; use "auto"`, true)
  if (mode !== undefined && !modes.includes(String(mode))) return wrong(`"${mode}" is not a mode; there are auto, fast`)
  return Either.right({ pdf: parsers.length > 0, maxPages: maxPages === undefined ? undefined : Number(maxPages) })
}
