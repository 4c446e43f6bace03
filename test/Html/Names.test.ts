import { describe, expect, it } from "@effect/vitest"
import { nameTest } from "../../src/Html/Names.ts"
import { makeTag } from "../../src/Html/Tokenizer.ts"
import { skipsLong } from "../Long.ts"

describe("names of elements", () => {
  const isPost = nameTest(/(?:^|[\s_-])post(?=$|[\s_-])/i)
  const isMenu = nameTest(/(?:^|[\s_-])menu(?=$|[\s_-])/i)
  const tag = (attributes: Readonly<Record<string, string>>) => makeTag("div", attributes)

  it("are read as words, whether they are joined by case, hyphen or underscore", () => {
    for (const name of ["post", "blog-post", "post_body", "postBody wide", "a class that is longer than others post"])
      for (const attributes of [{ class: name }, { id: name }, { class: "wide", id: name }])
        expect(isPost(tag(attributes))).toBe(true)
    for (const attributes of [{}, { class: "posted" }, { id: "compost" }]) expect(isPost(tag(attributes))).toBe(false)
  })

  it("may be read without the id, before and after it has been read", () => {
    const both = tag({ class: "wide", id: "post" })
    for (const withId of [false, true, false]) expect(isPost(both, withId)).toBe(withId)
  })

  it.skipIf(skipsLong)(
    "have results of their own for each test and for each class, also when very many have been seen",
    () => {
      for (let at = 0; at < 20_000; at++) {
        expect(isPost(tag({ class: `post ${at}` }))).toBe(true)
        expect(isMenu(tag({ class: `post ${at}` }))).toBe(false)
      }
      expect(isMenu(tag({ class: "menu" }))).toBe(true)
      expect(isPost(tag({ class: "menu" }))).toBe(false)
    }
  )
})
