#!/usr/bin/env node
/** Refuses functions of `src` that have more than 150 lines: their parts get names. */
import { readdirSync, readFileSync } from "node:fs"
import ts from "typescript"

const limit = 150
const tooLong = []
const lines = (text) => text.split("\n").length
for (const file of readdirSync("src", { recursive: true })) {
  if (!/\.tsx?$/.test(file) || file.startsWith("Generated")) continue
  const name = `src/${file}`
  const text = readFileSync(name, "utf8")
  if (lines(text) <= limit) continue
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest)
  const visit = (node) => {
    const length = ts.isFunctionLike(node) && node.body ? lines(node.getText(source)) : 0
    if (length > limit) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      tooLong.push(`${name}:${line + 1} has ${length} lines`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
}
if (tooLong.length > 0) {
  console.error(`A function may have ${limit} lines:\n${tooLong.join("\n")}`)
  process.exitCode = 1
}
