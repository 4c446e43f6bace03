/**
 * Edits the source of the JSONata library.
 *
 * - Synchronous: the library is asynchronous only because host functions may be. Ours are not, so `async` and `await` are removed.
 * - Limited: every function and loop counts a step of the row (`Limits.ts`), so that the deadline also applies within library functions.
 * - Linear: functions that take more than linear time are replaced (`LinearFunctions.ts`).
 *
 * The version of the library is pinned. `build.mjs` applies these edits too.
 */

/** Name of the binding with the time of the run. No expression can refer to it. */
export const clock = "sluice.now"

type Edit = readonly [from: string | RegExp, to: string]

/** Removes the search for hooks in every frame at every node, which takes a third of an evaluation. No hooks are used. */
const unusedHooks: ReadonlyArray<Edit> = [
  [/var entryCallback = [\s\S]*?\n {8}}\n/, ""],
  [/var exitCallback = [\s\S]*?\n {8}}\n/, ""],
  [/var framePushCallback = [\s\S]*?\n {12}}\n/, ""]
]

const edits: ReadonlyArray<Edit> = [
  ...unusedHooks,
  ["let generators = await Promise.all(expr.expressions", "let generators = (expr.expressions"],
  ["let generators = await Promise.all(utils.keys(groups)", "let generators = (utils.keys(groups)"],
  // Weighs results here, because every argument of an operator or function is the value of a node.
  ["environment.base.depth--;\n\n        return result;", "$weigh(result); environment.base.depth--; return result;"],
  ["const size = arg1.length + arg2.length;", "const size = arg1.length + arg2.length; $step(size >> 3);"],
  [/if \(options && options\.sequence\) \{\s*sequence\.push = [\s\S]*?apply\(sequence, items\);\s*\};\s*\}/, ""],
  ["if(rhs[i] === lhs) {", "$weigh(rhs[i]); if(rhs[i] === lhs) {"],
  ["result = lstr.concat(rstr);", "$text(lstr.length + rstr.length); result = lstr.concat(rstr);"],
  ["result += replacement;", "result += replacement; $text(result.length);"],
  ["result += replacedWith;", "result += replacedWith; $text(result.length);"],
  ["var substitute = '';", "var substitute = ''; $weigh(replacement);"],
  ["new RegExp(fullRegex, 'i')", "new $host.RegExp(new RegExp(fullRegex, 'i'))"],
  ["return err[arguments[1]];", "return $host.show(err[arguments[1]]);"],
  ["return JSON.stringify(err[arguments[1]]);", "return $host.show(err[arguments[1]]);"],
  // In zones west of Greenwich, half an hour would be counted twice.
  ["offsetHours = Math.floor(offset / 100);", "offsetHours = Math.trunc(offset / 100);"],
  ["formatInteger(offsetMinutes, '00')", "formatInteger(Math.abs(offsetMinutes), '00')"],
  // A day that does not exist in its month is invalid, not a day of the next month.
  [
    /(var millis = Date\.UTC\(components\.Y, components\.M, components\.D)([^;]*;)/,
    "const day = new Date(Date.UTC(components.Y, components.M, components.D)); if (day.getUTCDate() !== components.D || day.getUTCMonth() !== components.M || components.H > 24 || components.m > 59 || components.s > 60) return undefined; $1$2"
  ],
  [
    "components.M = derivedDate.getUTCMonth();",
    "if (derivedDate.getUTCFullYear() !== components.Y) return undefined; components.M = derivedDate.getUTCMonth();"
  ],
  // `a ?? b` also gives b if a is null: `a != null` is false both for null and for a missing value.
  [
    /type: 'function',\s*value: '\(',\s*procedure: \{ type: 'variable', value: 'exists' \},\s*arguments: \[JSON\.parse\(JSON\.stringify\(left\)\)\]/,
    "type: 'binary', value: '!=', position: this.position, lhs: JSON.parse(JSON.stringify(left)), rhs: { type: 'value', value: null }"
  ],
  [/timestamp = new Date\(\);(\n\s*exec_env\.timestamp)/, `timestamp = exec_env.lookup('${clock}');$1`],
  ["module.exports = utils;", "utils.isDeepEqual = $host.equal; module.exports = utils;"],
  [
    "module.exports = dateTime;",
    "module.exports = Object.assign({}, dateTime, $host.pictures((name) => dateTime[name]));"
  ],
  [
    "module.exports = functions;",
    "module.exports = Object.assign({}, functions, $host.functions((name) => functions[name]));"
  ],
  [
    "jsonata.parser = parser;",
    `for (const name in $host.more) staticFrame.bind(name, defineFunction(...$host.more[name])); staticFrame.bind('eval', undefined);`
  ]
]

/** Position of the bracket that closes the one at `from`; skips strings. */
const closing = (source: string, from: number): number => {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    const character = source[at]
    if (character === "'" || character === '"') at = source.indexOf(character, at + 1)
    else if (character === "(") depth++
    else if (character === ")" && --depth === 0) return at
  }
  return source.length
}

/** Inserts a call that counts a step (`Limits.ts`) into every loop, and into every function with plain parameters. */
const withSteps = (source: string): string => {
  const parts: Array<string> = []
  let copied = 0
  for (const { 0: head, index } of source.matchAll(/\b(?:for|while|function(?: \w+)?) ?\(/g)) {
    const end = closing(source, index + head.length - 1)
    const isCode =
      !/['"]/.test(source[index - 1] ?? "") && !/['$]/.test(source.slice(index, end).replace(/'[^'\n]*'/g, ""))
    const body = /^\) ?\{(?!\s*'use strict')/.exec(source.slice(end, end + 40))
    if (body === null || !isCode) continue
    parts.push(source.slice(copied, end + body[0].length), " $step();")
    copied = end + body[0].length
  }
  return parts.join("") + source.slice(copied)
}

/** The edited source of the library. Throws if an edit does not apply. */
export const edited = (original: string): string => {
  const source = edits.reduce((source, [from, to]) => {
    const next = source.replace(from, to)
    if (next === source)
      throw new Error(`the source of JSONata does not contain ${String(from)}: another version is installed`)
    return next
  }, original)
  const plain = source.replace(/\basync (?=function\b|\()/g, "").replace(/\bawait (?!for)/g, "")
  // V8's `indexOf` at worst takes the product of both lengths, so a linear search replaces it.
  const searching = plain.replace(/\bstr\.indexOf\(/g, "$host.search(str, ")
  return withSteps(searching.replace(/(\b\w+(?:\.\w+)*)\.push\(/g, "$push($1, "))
}
