import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { pack, table } from "../../src/Html/NgramTable.ts"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"

type Scores = Readonly<Record<string, number>>

/** The n-grams as the package has them; its `exports` do not name the file. */
const original = async (): Promise<Readonly<Record<string, Scores>>> => {
  const file = new URL("../../node_modules/eld/src/ngrams/extrasmall.js", import.meta.url)
  const { ngramsData } = await import(file.href)
  return ngramsData.ngrams
}

describe("the table of n-grams", () => {
  it.skipIf(skipsLong)("has the scores of every n-gram of the package, and of no other", async () => {
    const ngrams = await original()
    const packed = table(pack(ngrams))
    const names = Object.keys(ngrams)
    expect(names.length).toBeGreaterThan(40_000)
    const wrong = names.filter((name) => JSON.stringify(packed[name]) !== JSON.stringify(ngrams[name]))
    expect(wrong).toEqual([])
    const others = names.flatMap((name) => [name.slice(0, -1), `${name}x`, `\u0000${name}`, ""])
    expect(others.filter((name) => !Object.hasOwn(ngrams, name) && packed[name] !== undefined)).toEqual([])
  })

  it("finds an n-gram that is the beginning of another one", () => {
    const packed = table(pack({ abc: { 0: 1 }, ab: { 1: 2, 59: 207 }, abd: { 2: 3 } }))
    expect([packed.ab, packed.abc, packed.abd, packed.a]).toEqual([{ 1: 2, 59: 207 }, { 0: 1 }, { 2: 3 }, undefined])
  })

  it("is what the built detector reads, with the same results as the package", async () => {
    const built = (await import(pathToFileURL(join(dirname(program("bin")), "languages.js")).href)).default
    const { default: eld } = await import("eld/extrasmall")
    for (const text of [
      "The quick brown fox jumps over the lazy dog, and then it sleeps.",
      "Der schnelle braune Fuchs springt über den faulen Hund.",
      "Le renard brun rapide saute par-dessus le chien paresseux.",
      "Быстрая коричневая лиса прыгает через ленивую собаку.",
      "素早い茶色の狐がのろまな犬を飛び越える。",
      "敏捷的棕色狐狸跳过懒狗",
      "الثعلب البني السريع يقفز فوق الكلب الكسول",
      "1234 5678 !?"
    ]) {
      const [ours, theirs] = [built.detect(text), eld.detect(text)]
      expect([ours.language, ours.isReliable(), ours.getScores()], text).toEqual([
        theirs.language,
        theirs.isReliable(),
        theirs.getScores()
      ])
    }
  })
})
