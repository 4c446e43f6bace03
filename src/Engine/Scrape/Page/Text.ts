/** Text as a page, and errors, of which only the status counts. */
import { decodeText } from "../../Html/Charset.ts"
import { fenceFor } from "../../Html/MarkdownWriter.ts"
import type { Page } from "../Scraper.ts"
import { documentOf, fetchMetadata, isKept, type Source } from "./Source.ts"

/** Text of a language is shown as code; other text is its own markdown. */
export const fromText = (source: Source, language: string | undefined): Page => {
  const { fetched } = source
  const { text } = decodeText(fetched.body, fetched.headers["content-type"])
  const fence = language === undefined ? "" : fenceFor(text, 3)
  const markdown = language === undefined ? text : `${fence}${language}\n${text.trimEnd()}\n${fence}`
  const metadata = fetchMetadata(source)
  return {
    document: documentOf(source, { markdown, html: text, rawHtml: text, links: [], images: [], text, metadata }),
    url: fetched.url,
    statusCode: fetched.statusCode,
    links: [],
    markdown,
    indexed: isKept(source) ? { title: "", description: "", text } : undefined
  }
}

/** An error is a page with that status, whatever its address or its type promise. */
export const fromError = (source: Source): Page =>
  fromText({ ...source, fetched: { ...source.fetched, body: new Uint8Array() } }, undefined)
