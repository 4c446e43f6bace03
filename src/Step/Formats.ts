/** Refuses unknown names of formats when the definition is checked, before any page is paid for. */
import { formats, rareFormats } from "../Api/ScrapeOptions.ts"
import { didYouMean } from "../Row/Nearest.ts"
import type { Objection } from "../Step.ts"
import { type Fields, list, mapping, nameOf } from "./Need.ts"

/** With what v1 writes for a screenshot of the whole page. */
const known: ReadonlyArray<string> = [...formats, "screenshot@fullPage", ...rareFormats]

/** Services may learn more than is known here: what is filled in, and not written out, is theirs to refuse. */
const isLiteral = (name: string): boolean => name !== "" && !name.includes("${{")

/** Unknown names under `formats`, with the format that was probably meant. */
export const strangers = (fields: Fields): ReadonlyArray<Objection> =>
  list(mapping(fields).formats).flatMap((format, index): ReadonlyArray<Objection> => {
    const name = nameOf(format)
    if (!isLiteral(name) || known.includes(name)) return []
    const hint = didYouMean(name, known)
    const path = ["formats", index, ...(typeof format === "string" ? [] : ["type"])]
    const others = `the known ones are ${known.join(", ")}`
    return [
      {
        path,
        message:
          hint === ""
            ? `there is no format "${name}": ${others}; one that is newer can be given as an input`
            : `there is no format "${name}"${hint} (${others})`
      }
    ]
  })
