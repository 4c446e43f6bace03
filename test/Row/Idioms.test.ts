/** Idioms of other languages in expressions that compile. */
import { expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { compile } from "../../src/Row/Expression.ts"

const doubtsOf = (source: string) =>
  Either.getOrThrow(compile(source, { names: ["inputs", "steps"] }))
    .doubts()
    .map((message) => message.replace(/ \(character \d+ of: [\s\S]*\)$/, ""))

const noFunction = (name: string, advice: string) =>
  `${name}(…) is not a function: function names begin with $${advice === "" ? "" : `. Write ${advice}`}`

const noComparison = (advice: string) =>
  `\`or\` does not compare with "b", and a non-empty string counts as true: write ${advice}`

it.each<readonly [source: string, ...doubts: ReadonlyArray<string>]>([
  ['title.includes("x")', noFunction("includes", "$contains(title, …)")],
  ['metadata.title.toLowerCase() = "x"', noFunction("toLowerCase", "$lowercase(metadata.title)")],
  ['title.startsWith("x") and n > 1', noFunction("startsWith", "$contains(title, /^…/)")],
  ["len(title) > 3", noFunction("len", "$length(title)")],
  ["title.length() > 3", noFunction("length", "$length(title)")],
  ["contains(title, 'x')", noFunction("contains", "$contains(title, …)")],
  ['title.split(",")[0]', noFunction("split", "$split(title, …)")],
  ['metadata["og:title"]', '["og:title"] reads no field, because brackets filter: write .`og:title`'],
  ['$inputs.q.includes("x")', noFunction("includes", "$contains(…, …)")],
  ["title.frobnicate()", noFunction("frobnicate", "")],
  ["[tags[name.trim() = 'x']]", noFunction("trim", "$trim(name)")],
  ["$trim(title).toUpperCase()", noFunction("toUpperCase", "$uppercase(…)")],
  ["title != undefined", "undefined is read as a field: write $exists(…) or $not($exists(…))"],
  ["stock = True", "True is read as a field: write true"],
  ["price = None", "None is read as a field: write null, or $not($exists(…)) for a field that is missing"],
  ["title + ' x'", "+ adds numbers: write & to join strings"],
  ["title = /x/i", "= compares with no pattern: write $contains(…, /…/)"],
  ['kind = "a" or "b"', noComparison('kind in ["a", "b"], or kind ?? "b" for a default')],
  ['a.kind = "a" or "b" or "c" or d', noComparison('a.kind in ["a", "b"], or a.kind ?? "b" for a default')],
  ['title or ""', '`or` gives true or false: write title ?? "" for a default'],
  ['$trim(title) or "x" or "y"', '`or` gives true or false: write … ?? "x" for a default'],
  ["`a ${b}`", "backquotes enclose the name of a field: write & to join strings"],
  ['"x" or title', '`or` gives true or false: write title ?? "x" for a default'],
  // These mean what they say.
  ["box.length > 0 and None.x = 1"],
  ['($fns := {"trim": function($x){$x}}; $fns.trim(title))'],
  ["title and 'x'"],
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

it("are not looked for in what is nested too deeply", () => {
  for (const source of [`a${"[a".repeat(1500)}${"]".repeat(1500)}`, Array(4900).fill("a").join("+")])
    expect(
      Either.match(compile(source), { onLeft: ({ message }) => [message], onRight: (made) => made.doubts() }).join()
    ).toMatch(/^$|nested too deeply/)
})

it("are shown with their place", () => {
  expect(Either.getOrThrow(compile("a = 1 and title.includes('x')")).doubts()).toEqual([
    `${noFunction("includes", "$contains(title, …)")} (character 17 of: a = 1 and title.includes('x'))`
  ])
})
