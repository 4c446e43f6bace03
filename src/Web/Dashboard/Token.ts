/** The token that opens the server: from the link that was followed, then kept; sent with whatever is asked. */
import { keep, kept } from "./Kept.ts"

const name = "sluice-token"
const inLink = /^#token=([\w-]+)$/

const given = inLink.exec(location.hash)?.[1]
if (given !== undefined) {
  keep(name, given)
  // Addresses are copied, and looked at over shoulders.
  history.replaceState(null, "", location.pathname)
}

/** Empty where no link was followed. */
export const token = given ?? kept(name) ?? ""

// The link of a new start, followed in this tab or in another one.
window.addEventListener("hashchange", () => inLink.test(location.hash) && location.reload())
window.addEventListener("storage", ({ key, newValue }) => key === name && newValue !== token && location.reload())
