/** Folders and ledgers as version 0.1 has left them: `test/Ledger/fixtures/version-0.1/README.md` says how they were made. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** Puts the files of a fixture into a folder. They stay byte for byte: the ledger knows their lengths. */
export const unpack = (fixture: string, folder: string): void => {
  for (const line of readFileSync(join(fixture, "files.jsonl"), "utf8").trimEnd().split("\n")) {
    const { path, text }: { readonly path: string; readonly text: string } = JSON.parse(line)
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** The statements that make the ledger of a fixture, with `folder` in place of the one in which version 0.1 ran. */
export const statements = (fixture: string, from: string, folder: string): string =>
  readFileSync(join(fixture, "ledger.sql"), "utf8").replaceAll(from, folder)
