/** Logout links, recognised by URL and by words in a dozen languages. A crawl with a login must not follow them. */
import { percentDecoded } from "../Api/Url.ts"
import { type Element, startOf } from "./Element.ts"
import { crawlable, type PageUrls } from "./PageUrls.ts"

/** Words for logging out in paths and parameters of URLs, without accents; `-` stands for any separator. */
const tokens = [
  "log-?(?:out|off)",
  "sign-?(?:out|off)",
  "abmelden",
  "abmeldung",
  "ausloggen",
  "(?:se-)?deconnect(?:er|ion)",
  "deconnexion",
  "cerrar-?sesion",
  "(?:terminar|encerrar)-?sessao",
  "disconnetti",
  "uitloggen",
  "afmelden",
  "wyloguj",
  "logga-?ut",
  "logg?-?u[td]",
  "odhlasit",
  "vyhod"
].join("|")

/**
 * Matches a path segment, or the name or value of a parameter, that is one of `tokens`: alone, after a word (`user-logout`) or words joined
 * by `_`, `.` or `:` (`j_spring_security_logout`), and before a word such as `page` or `now`.
 */
const logoutPart = new RegExp(
  `^(?:[a-z0-9]+-|(?:[a-z0-9]+[_.:])*(?:user|member|account|auth|sso|do|my|perform)?)(?:${tokens})(?:-?(?:user|action|page|now|all))?$`
)

const destroysSession = /\/sessions?\/(?:destroy|delete|end)\/?$/

const isPart = (text: string): boolean => {
  if (text.length > 80) return false
  const plain = percentDecoded(text)
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/(?<=.)\.(?:php\d?|html?|aspx?|jsp|jsf|do|action|cgi)$/, "")
    .replace(/;.*$/, "")
  return logoutPart.test(plain) || logoutPart.test(plain.replace(/[_\s]/g, "-"))
}

/** Quick test: most URLs contain nothing of the kind and need not be parsed further. */
const mayBe = /log[-_+ %2]*(?:o|u|g)|sign[-_+ %2]*o|abm|ausl|d(?:e|%c3%a9|é)co|cerr|sess|disc|uitl|afm|wylo|odhl|vyh/i

/** True for a logout URL such as `/user/logout`, `/users/sign_out` or `?action=logout`. */
export const isLogoutAddress = (url: URL): boolean => {
  if (!mayBe.test(url.pathname + url.search)) return false
  if (destroysSession.test(url.pathname)) return true
  if (url.pathname.split("/").some(isPart)) return true
  for (const [name, value] of url.searchParams)
    if (isPart(value) || (isPart(name) && !/^(?:0|false)$/.test(value))) return true
  return false
}

const words = [
  "log[ -]?(?:me )?(?:out|off)",
  "sign[ -]?(?:me )?(?:out|off)",
  "abmelden",
  "ausloggen",
  "(?:se )?d[ée]connecter",
  "(?:me |se )?d[ée]connexion",
  "cerrar (?:la )?sesi[óo]n",
  "terminar sess[ãa]o",
  "encerrar sess[ãa]o",
  "sair",
  "esci",
  "disconnetti(?:ti)?",
  "uitloggen",
  "afmelden",
  "wyloguj(?: si[ęe])?",
  "logga ut",
  "logg ut",
  "log ud",
  "kirjaudu ulos",
  "odhl[áa]sit(?: se)?",
  "выйти",
  "выход",
  "вийти",
  "çıkış(?: yap)?",
  "ログアウト",
  "登出",
  "退出(?:登录)?",
  "로그아웃"
].join("|")

/** Matches the words alone, or with a name: `Log out (Anna)`, `Sign out of Portal »`. */
const logoutWords = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:${words})(?:\\s*(?:[(\\[:,].{0,40}|(?:of|from|now|as)\\b.{0,40}))?[^\\p{L}\\p{N}]*$`,
  "iu"
)

const maxWords = 80

const isLogout = (anchor: Element): boolean => {
  const { "aria-label": label, title } = anchor.attributes
  return [startOf(anchor, maxWords, true), label, title].some(
    (text) => text !== undefined && text !== "" && text.length <= maxWords && logoutWords.test(text)
  )
}

/** Absolute URLs without fragments of the page's logout links. */
export const logoutLinks = (anchors: ReadonlyArray<Element>, urls: PageUrls): ReadonlyArray<string> =>
  crawlable(urls.links(anchors.filter(isLogout)))
