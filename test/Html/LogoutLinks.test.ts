/** Links that sign a member out, and those that only look like it. */
import { expect, it } from "@effect/vitest"
import { isLogoutAddress, logoutLinks } from "../../src/Html/LogoutLinks.ts"
import { PageUrls } from "../../src/Html/PageUrls.ts"
import { parseTree } from "../../src/Html/Tree.ts"

const ways = [
  "/logout",
  "/logout/",
  "/user/logout?token=1",
  "/users/sign_out",
  "/accounts/logout.php",
  "/signOut.do",
  "/log-off",
  "/wp-login.php?action=logout&_wpnonce=1",
  "/index.php?option=com_users&task=user.logout",
  "/wiki/Special:UserLogout",
  "/Shibboleth.sso/Logout",
  "/j_spring_security_logout",
  "/?logout=1",
  "/?logout",
  "/abmelden",
  "/compte/d%C3%A9connexion",
  "/cerrar-sesion",
  "/session/destroy"
]

const others = [
  "/blog/how-to-log-out-of-windows",
  "/login",
  "/catalogue",
  "/design-outlet",
  "/signs/outdoor",
  "/logo/utrecht",
  "/members/sessions",
  "/search?q=logout+button",
  "/?logout=false",
  "/disconnect-guide",
  "/logistics"
]

for (const path of ways)
  it(`${path} signs out`, () => expect(isLogoutAddress(new URL(path, "https://x.example"))).toBe(true))
for (const path of others)
  it(`${path} does not sign out`, () => expect(isLogoutAddress(new URL(path, "https://x.example"))).toBe(false))

const words: ReadonlyArray<readonly [text: string, isOut: boolean]> = [
  ["Log out", true],
  ["LOGOUT »", true],
  ["Sign out (Anna)", true],
  ["Sign out of Portal", true],
  ["Abmelden", true],
  ["Se déconnecter", true],
  ["Cerrar sesión", true],
  ["Выйти", true],
  ["ログアウト", true],
  ["How to log out", false],
  ["Logout buttons in CSS", false],
  ["Sair para correr", false],
  ["Log in", false]
]

it("the words of a link say it, too, also in its title", () => {
  const html = words.map(([text], at) => `<a href="/${at}"><span>${text}</span></a>`).join("\n")
  const tree = parseTree(`${html}<a href="/icon" title="Log out"><svg></svg></a>`)
  const found = logoutLinks(tree.anchors, new PageUrls(tree, "https://x.example/", false))
  const wanted = words.flatMap(([, isOut], at) => (isOut ? [`https://x.example/${at}`] : []))
  expect(found).toEqual([...wanted, "https://x.example/icon"])
})
