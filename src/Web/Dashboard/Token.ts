/** The token that opens the server: from the link that was followed, then kept; sent with whatever is asked. */
import { keep, kept } from "./Kept.ts"

const name = "sluice-token"
const inLink = /^#token=([\w-]+)$/

const given = inLink.exec(location.hash)?.[1]
// Addresses are copied, and looked at over shoulders.
if (given !== undefined) history.replaceState(null, "", location.pathname)

/** Empty where no link was followed. */
export const token = given ?? kept(name) ?? ""

/** The server has taken it. Not kept before: old links are followed, and any site can open one with a wrong token. */
export const proven = (): void => {
  if (given !== undefined && kept(name) !== given) keep(name, given)
}

// The link of a new start, followed in this tab or in another one.
window.addEventListener("hashchange", () => inLink.test(location.hash) && location.reload())
window.addEventListener("storage", ({ key, newValue }) => key === name && newValue !== token && location.reload())
