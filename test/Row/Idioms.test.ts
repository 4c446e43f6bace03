/** Idioms of other languages in expressions that compile. */
import { expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { compile } from "../../src/Row/Expression.ts"

const doubtsOf = (source: string) =>
  Either.getOrThrow(compile(source, { names: ["inputs", "steps"] }))
    .doubts()
    .map((message) => message.replace(/ \(character \d+ of: [\s\S]*\)$/, ""))

const noFunction = (name: string, advice: string) =>
  `${name}(…) is no function, because the names of functions begin with $${advice}`

it.each<readonly [source: string, ...doubts: ReadonlyArray<string>]>([
  ['title.includes("x")', noFunction("includes", ": write $contains(title, …)")],
  ['metadata.title.toLowerCase() = "x"', noFunction("toLowerCase", ": write $lowercase(metadata.title)")],
  ['title.startsWith("x") and n > 1', noFunction("startsWith", ": write $contains(title, /^…/)")],
  ["len(title) > 3", noFunction("len", ": write $length(title)")],
  ["title.length() > 3", noFunction("length", ": write $length(title)")],
  ["contains(title, 'x')", noFunction("contains", ": write $contains(title, …)")],
  ['title.split(",")[0]', noFunction("split", ": write $split(title, …)")],
  ['metadata["og:title"]', '["og:title"] reads no field, because brackets filter: write .`og:title`'],
  ["title.frobnicate()", noFunction("frobnicate", "")],
  ["[tags[name.trim() = 'x']]", noFunction("trim", ": write $trim(name)")],
  ["$trim(title).toUpperCase()", noFunction("toUpperCase", ": write $uppercase(…)")],
  ["title != undefined", "undefined is read as a field: write $exists(…) or $not($exists(…))"],
  ["stock = True", "True is read as a field: write true"],
  ["price = None", "None is read as a field: write null, or $not($exists(…)) for a field that is missing"],
  ["title + ' x'", "+ adds numbers: write & to join strings"],
  ["title = /x/i", "= compares with no pattern: write $contains(…, /…/)"],
  [
    'kind = "a" or "b"',
    'a string beside or is always true: write title in ["a", "b"] to compare with several, and title ?? "a" for a default'
  ],
  ["`a ${b}`", "backquotes enclose the name of a field: write & to join strings"],
  // These mean what they say.
  ["box.length > 0 and None.x = 1"],
  ["($o := { 'f': function($x) { $x } }; $o.f(1))"],
  ["$contains(title, /x/) and $length(title) > 3 and title in ['a', 'b']"],
  ["$map(tags, function($t) { $t.name & '!' }) ~> $join(',')"],
  ["title ~> $trim() ~> $lowercase()"],
  ["a + b > 1 or c and true"],
  ["title ?? 'none'"],
  ["tags[0] and tags[name = 'x'] and tags[-1]"]
])("are found: %s", (source, ...doubts) => {
  expect(doubtsOf(source)).toEqual(doubts)
})

it("are shown with their place", () => {
  expect(Either.getOrThrow(compile("a = 1 and title.includes('x')")).doubts()).toEqual([
    `${noFunction("includes", ": write $contains(title, …)")} (character 17 of: a = 1 and title.includes('x'))`
  ])
})
