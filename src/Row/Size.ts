/** Sizes like `64MB`. */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

const unitBytes: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40
}

/** Decodes `512kB`, `64MB`, `1.5GB` or `1GiB` to a whole number of bytes, at least one. */
export const SizeText = Schema.transformOrFail(
  Schema.String.annotations({ description: "a size like 512kB, 64MB, 1.5GB or 1GiB" }),
  Schema.Number,
  {
    strict: true,
    decode: (text, _, ast) => {
      const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?i?b)$/i.exec(text.trim())
      const unit = unitBytes[match?.[2]?.toLowerCase() ?? ""]
      const bytes = match === null || unit === undefined ? 0 : Math.round(Number(match[1]) * unit)
      return bytes >= 1 && Number.isSafeInteger(bytes)
        ? Either.right(bytes)
        : Either.left(new ParseResult.Type(ast, text, `"${text}" is not a size: write 512kB, 64MB, 1.5GB or 1GiB`))
    },
    encode: (bytes) => Either.right(`${bytes}B`)
  }
)
