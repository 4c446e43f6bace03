/** Changes of single values of a definition in its text. */
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { editYaml } from "../../src/Cli/Extract/EditDefinition.ts"

const price = { path: ["fields", "price"], value: { css: ".amount", as: "price" } }
const title = { path: ["fields", "title"], value: 'h2:contains("a, b")' }

const table = [
  [
    "a text",
    "fields:\n  title:   h1   # the heading\n  price: .p\n",
    'fields:\n  title: h2:contains("a, b")   # the heading\n  price: { css: .amount, as: price }\n'
  ],
  [
    "a quoted text",
    `fields: { title: "h1", price: '.p' }\n`,
    `fields: { title: 'h2:contains("a, b")', price: { css: .amount, as: price } }\n`
  ],
  [
    "a block, with a comment behind it",
    "fields:\n  title: h1\n  price:\n    css: .p\n    as: price\n\n  # the last one\n  x: y\n",
    'fields:\n  title: h2:contains("a, b")\n  price: { css: .amount, as: price }\n\n  # the last one\n  x: y\n'
  ],
  [
    "a list, with a comment before it",
    "fields:\n  title: h1\n  price: # two\n    - .p\n    - .q\n",
    'fields:\n  title: h2:contains("a, b")\n  price: # two\n    { css: .amount, as: price }\n'
  ],
  [
    "lines that end like those of Windows, behind a byte order mark",
    "\ufefffields:\r\n  title: h1\r\n  price: .p\r\n\r\nrest:   [1,  2]\r\n",
    '\ufefffields:\r\n  title: h2:contains("a, b")\r\n  price: { css: .amount, as: price }\r\n\r\nrest:   [1,  2]\r\n'
  ]
] as const

describe("an edit of a definition", () => {
  it.each(table)("changes %s, and nothing else", (_, text, wanted) => {
    expect(editYaml(text, [title, price])).toEqual(Either.right(wanted))
  })

  it.each([
    ["an alias", "x: &a { price: .p }\nfields: *a\n"],
    ["an anchor that is used", "fields: { price: &a .p }\nother: *a\n"],
    ["a key that is not there", "fields: { title: h1 }\n"]
  ])("leaves %s to a person", (_, text) => {
    expect(editYaml(text, [price])).toEqual(Either.left("fields.price"))
  })
})
