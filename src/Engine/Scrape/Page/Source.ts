/** What a site sent, and the document that its contents make. */
import { STATUS_CODES } from "node:http"
import type { Document, Metadata } from "../../../Api/Document.ts"
import { canParse } from "../../../Api/Url.ts"
import type { Extracted } from "../../Html/Extract.ts"
import { summarize } from "../../Html/TextAnalysis.ts"
import type { Fetched } from "../Fetch.ts"
import { mayBeSecret } from "../Headers.ts"
import type { Plan } from "../Plan.ts"

export interface Source {
  /** The address that was asked for. */
  readonly url: string
  readonly fetched: Fetched
  readonly plan: Plan
  /** Who asked for it. */
  readonly teamId?: string | undefined
}

export const fetchMetadata = ({ url, fetched }: Source): Metadata => ({
  sourceURL: url,
  url: fetched.url,
  statusCode: fetched.statusCode,
  ...(fetched.headers["content-type"] === undefined ? {} : { contentType: fetched.headers["content-type"] }),
  ...(fetched.statusCode >= 400 ? { error: STATUS_CODES[fetched.statusCode] ?? `Status ${fetched.statusCode}` } : {})
})

/** Fetched with somebody's credentials: it is theirs, and not for all the team to find. */
const isPersonal = ({ plan: { options }, url }: Source): boolean =>
  Object.keys(options.headers ?? {}).some(mayBeSecret) ||
  options.profile !== undefined ||
  (canParse(url) && new URL(url).username !== "")

/** Whether the search index may keep the page. */
export const isKept = (source: Source): boolean =>
  source.plan.freshness.keeps && source.fetched.statusCode < 400 && !isPersonal(source)

/** What the text formats are made of; summaries and the index need plain text. */
interface Content
  extends Pick<Extracted, "markdown" | "html" | "images" | "text">,
    Partial<Pick<Extracted, "attributes">> {
  readonly rawHtml: string
  readonly links: ReadonlyArray<string>
  readonly metadata: Metadata
  readonly warning?: string | undefined
}

export const documentOf = ({ plan: { formats } }: Source, content: Content): Document => ({
  ...(formats.has("markdown") ? { markdown: content.markdown ?? "" } : {}),
  ...(formats.has("html") ? { html: content.html ?? "" } : {}),
  ...(formats.has("rawHtml") ? { rawHtml: content.rawHtml } : {}),
  ...(formats.has("links") ? { links: content.links } : {}),
  ...(formats.has("images") ? { images: content.images ?? [] } : {}),
  ...(formats.has("summary") ? { summary: summarize(content.text ?? "") } : {}),
  ...(formats.has("attributes") ? { attributes: content.attributes ?? [] } : {}),
  metadata: content.metadata,
  ...(content.warning === undefined ? {} : { warning: content.warning })
})
