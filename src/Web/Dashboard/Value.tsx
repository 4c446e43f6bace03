/** Values of strangers: always text, cut where they are long, and links only to addresses of the web. */
import { useState } from "preact/hooks"

const atMost = 240

/** What a row has in a field, as text. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)

/** Only http and https: an address is a stranger's too, and `javascript:` is one. */
const isWeb = (address: string): boolean => /^https?:\/\/[^\s]+$/i.test(address)

/** Does not cut a sign in two. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "")

export const Long = ({ limit = atMost, text }: { readonly text: string; readonly limit?: number }) => {
  const [isOpen, setOpen] = useState(false)
  if (text.length <= limit * 1.2) return <span class="value">{text}</span>
  return (
    <span class="value">
      {isOpen ? text : `${cut(text, limit)}…`}{" "}
      <button type="button" class="more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "less" : `${(text.length - limit).toLocaleString("en-US")} more`}
      </button>
    </span>
  )
}

/** A link that leads out, or the text where it leads nowhere that is safe. */
export const Away = ({ address, text = address }: { readonly address: string; readonly text?: string }) =>
  isWeb(address) ? (
    <a href={address} target="_blank" rel="noopener noreferrer" class="away" title={address}>
      {cut(text, atMost)}
    </a>
  ) : (
    <Long text={text} />
  )

/** Whatever a field holds. */
export const Value = ({ value }: { readonly value: unknown }) => {
  if (value === null || value === undefined) return <span class="nothing">{value === null ? "null" : "—"}</span>
  const text = textOf(value)
  if (typeof value === "string") return isWeb(text) ? <Away address={text} /> : <Long text={text} />
  return <code class={typeof value === "number" ? "number" : undefined}>{<Long text={text} />}</code>
}
