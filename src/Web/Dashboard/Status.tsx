/** How the connection stands; and what is there in place of everything where the token is not the server's. */
import { useState } from "preact/hooks"
import { useEvent, useLink } from "./Feed.ts"
import { Mark } from "./Icon.tsx"

const words = { connecting: "Connecting", live: "Live", cut: "Reconnecting" } as const

export const Status = () => {
  const link = useLink()
  const [trouble, setTrouble] = useState<string>()
  useEvent("ledger", ({ error }) => setTrouble(error))
  return (
    <>
      <span class="link" data-is={link} role="status">
        <i aria-hidden="true" />
        <span>{words[link]}</span>
      </span>
      {trouble !== undefined && (
        <p class="banner" data-tone="warn" role="alert">
          The ledger cannot be read now: {trouble}
        </p>
      )}
    </>
  )
}

export const Locked = () => (
  <main class="locked" id="main">
    <Mark />
    <h1>This page is locked</h1>
    <p>
      Open the link once more that <code>sluice</code> printed when it began to serve this dashboard: it holds the token
      that opens it, and every start has a new one.
    </p>
  </main>
)
