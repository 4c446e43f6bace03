/** What a browser is told before it starts: that it shows no files and no pages of its own, whoever asks for them. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/**
 * Its own parts, such as the viewer of PDFs, may go where pages may not, and a program that drives one of them too. The
 * browser itself stops that before anything is read; whoever looks afterwards where a page has gone comes too late.
 */
const preferences = {
  policy: { url_blocklist: ["file://*", "chrome://*", "chrome-untrusted://*", "devtools://*", "view-source:*"] }
}

/** Writes them into a profile. */
export const write = (profile: string): void => {
  const folder = join(profile, "Default")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "Preferences"), JSON.stringify(preferences))
}
