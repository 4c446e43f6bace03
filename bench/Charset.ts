/** How often the charset of undeclared text is found, on texts in 23 languages and 19 charsets that are not UTF-8, and what it costs. */
import iconv from "iconv-lite"
import { decodeText } from "../src/Html/Charset.ts"
import { texts } from "./Charset/Texts.ts"
import { atLeast, type Bench, median, noted } from "./Measure/Figures.ts"

const rounds = 5

const pageOf = (text: string): string =>
  `<!doctype html><html><head><title>${text.slice(0, 12)}</title></head><body><a href="/a">Home</a><p>${text}</p></body></html>`

/** Pages whose text has at most that many characters. */
const pagesOf = (characters: number) =>
  texts.flatMap(({ charsets, text }) =>
    charsets
      .filter((charset) => charset !== "iso-2022-jp")
      .map((charset) => {
        const bytes = iconv.encode(pageOf(text.slice(0, characters)), charset)
        return { bytes, shown: iconv.decode(bytes, charset) }
      })
  )

const shareRight = (characters: number): number => {
  const pages = pagesOf(characters)
  return pages.filter(({ bytes, shown }) => decodeText(bytes, "text/html").text === shown).length / pages.length
}

const cpuOf = (run: () => void): number => {
  const before = process.cpuUsage()
  run()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}

export const bench: Bench = {
  name: "charset",
  run: async () => {
    const pages = pagesOf(1_000)
    const utf8 = Buffer.from(pageOf(texts.map(({ text }) => text).join("\n")).repeat(8))
    const turns = Array.from({ length: rounds }, () => ({
      legacy:
        cpuOf(() => {
          for (const { bytes } of pages) decodeText(bytes, "text/html")
        }) / pages.length,
      utf8: cpuOf(() => {
        for (let index = 0; index < 100; index++) decodeText(utf8, "text/html; charset=utf-8")
      })
    }))
    return [
      atLeast("whole texts of about 270 characters", 100 * shareRight(1_000), "% right", 97),
      atLeast("texts of 60 characters", 100 * shareRight(60), "% right", 97),
      atLeast("texts of 25 characters", 100 * shareRight(25), "% right", 90),
      noted("CPU of a page without declaration that is no UTF-8", median(turns.map(({ legacy }) => legacy)), "ms"),
      noted(`CPU of 100 pages of ${utf8.length} bytes in UTF-8`, median(turns.map((turn) => turn.utf8)), "ms")
    ]
  }
}
