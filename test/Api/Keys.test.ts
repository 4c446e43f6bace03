/** The names of keys, compared with the keyboard of the browser that presses them. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { keyAliases, keyNames, unknownKeyIn } from "../../src/Api/Keys.ts"

it("are those of Playwright's keyboard", () => {
  const code = readFileSync("node_modules/playwright-core/lib/coreBundle.js", "utf8")
  const layout = /USKeyboardLayout = \{([\s\S]*?)\n\s*\};/.exec(code)?.[1] ?? ""
  const codes = Array.from(layout.matchAll(/^\s*"(\w+)": \{ "keyCode"/gm), ([, name]) => name)
  expect(codes.length).toBeGreaterThan(100)
  const modifiers = ["Shift", "Control", "Alt", "Meta", "ControlOrMeta"]
  expect([...keyNames].sort()).toEqual([...codes, ...modifiers].sort())
  expect(Object.values(keyAliases).filter((name) => !keyNames.includes(name))).toEqual([])
})

it("are found in chords", () => {
  for (const chord of ["a", "Enter", "Control+a", "Shift+F12", "+", "Control++", "$", "\n"])
    expect(unknownKeyIn(chord), chord).toBeUndefined()
  expect(["Entre", "Ctrl+a", "Control+Entre", "é"].map(unknownKeyIn)).toEqual(["Entre", "Ctrl", "Entre", "é"])
})
