/** Command lines of `sluice` inside a string, parsed as the program parses them. */
import { readNow } from "../Cli/Loaded.ts"

/** Words of a line as a shell parts them; an operator ends a command. */
const partsOf = (line: string): ReadonlyArray<ReadonlyArray<string>> => {
  const commands: Array<Array<string>> = [[]]
  const word = /"(?:[^"\\]|\\.)*"|'[^']*'|\$?\{\{.*?\}\}|\$\([^)]*\)|[^\s"'|&;#<>]|(?<=\S)#/.source
  for (const [, said, operator, comment] of line.matchAll(new RegExp(`((?:${word})+)|([|&;<>]+)|(#.*$)`, "g"))) {
    if (comment !== undefined) break
    if (operator !== undefined) commands.push([])
    if (said !== undefined) commands[commands.length - 1]?.push(said.replace(/["']/g, ""))
  }
  return commands
}

/** Words in front of a command: variables, `npx`, the key of a unit or a workflow. */
const isBefore = (word: string): boolean => /^(\w+=.*|npx|--no-install|exec|-|(.*\/)?npx)$/.test(word)

/** The words behind `sluice` of every command in the text. */
export const commandsIn = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.replace(/^\s*(- )?(run|command|entrypoint|bash_command|ExecStart)\s*[:=]\s*/, ""))
    .flatMap(partsOf)
    .map((words) => words.slice(words.findIndex((word) => !isBefore(word))))
    .filter(([first = ""]) => /^(.*\/)?sluice$/.test(first))
    .map(([, ...words]) => words)

/** Why the program would not take it; undefined where it would. */
export const objection = (words: ReadonlyArray<string>): string | undefined => {
  const request = readNow(words)
  return request.ask === "mistake" ? `sluice ${words.join(" ")}: ${request.message}` : undefined
}
