/** Forms as sites write them, filled in and sent as browsers do. */
import { expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { fillIn, hasForm } from "../../src/Login/Form.ts"

interface Case {
  readonly name: string
  readonly html: string
  readonly submit?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly url?: string
  readonly body?: string
  readonly expect: string
}

const fields = { user: "me", pass: "p&w" }
const inputs = `<input name=user><input type=password name=pass>`

const cases: ReadonlyArray<Case> = [
  {
    name: "a form without an action goes to the address of its page, query and all",
    html: `<form method=post>${inputs}</form>`,
    expect: "POST https://x.example/login?next=%2Fa user=me&pass=p%26w"
  },
  {
    name: "hidden fields and a CSRF token are sent as the page has them, file and unchecked ones are not",
    html: `<form method=POST action=/in><input type=hidden name=csrf value="a+b/c="><input type=checkbox name=no><input type=checkbox name=yes checked>
      <input type=file name=f>${inputs}<select name=lang><option value=de>D<option selected>en</select><textarea name=t>
x</textarea><input name=off value=1 disabled></form>`,
    expect: "POST https://x.example/in csrf=a%2Bb%2Fc%3D&yes=on&user=me&pass=p%26w&lang=en&t=x"
  },
  {
    name: "the default button is the first one, and only one is sent",
    html: `<form method=post action=in>${inputs}<button type=button name=b>x</button><input type=submit name=go value=Enter><button name=go value=forgot>F</button></form>`,
    expect: "POST https://x.example/in user=me&pass=p%26w&go=Enter"
  },
  {
    name: "a button is named by its label, and may have its own address and method",
    html: `<form action=/get>${inputs}<button>Register</button><button formaction=/in formmethod=post name=do value=1> Log <b>in</b></button></form>`,
    submit: "log in",
    expect: "POST https://x.example/in user=me&pass=p%26w&do=1"
  },
  {
    name: "a button is named by a selector, and an image is clicked",
    html: `<form method=post action=/in>${inputs}<input type=image name=go class=enter></form>`,
    submit: "input.enter",
    expect: "POST https://x.example/in user=me&pass=p%26w&go.x=1&go.y=1"
  },
  {
    name: "a GET form replaces the query of its action",
    html: `<form action="/in?a=1#b">${inputs}</form>`,
    expect: "GET https://x.example/in?user=me&pass=p%26w"
  },
  {
    name: "a base counts for the action",
    html: `<base href="https://auth.x.example/sso/"><form method=post action=in>${inputs}</form>`,
    expect: "POST https://auth.x.example/sso/in user=me&pass=p%26w"
  },
  {
    name: "the form with the password is taken, not one for a search or a registration without it",
    html: `<form action=/a><input name=user><input name=pass></form><form method=post action=/b>${inputs}</form>`,
    expect: "POST https://x.example/b user=me&pass=p%26w"
  },
  {
    name: "fields are found by id, and controls outside of the form by their form attribute",
    html: `<form id=f method=post action=/in><input name="u[mail]" id=user></form><input type=password name="u[pw]" id=pass form=f><input type=hidden name=t value=1 form=f>`,
    expect: "POST https://x.example/in u%5Bmail%5D=me&u%5Bpw%5D=p%26w&t=1"
  },
  {
    name: "a field that the form has twice is sent once",
    html: `<form method=post action=/in>${inputs}<input type=hidden name=user value=other></form>`,
    expect: "POST https://x.example/in user=me&pass=p%26w"
  },
  {
    name: "a page without the fields says which there are",
    html: `<form><input name=q></form><form><input name=email><input type=password name=pw></form>`,
    expect: "no form of the page has the fields user, pass. Fields of its forms: q; email, pw"
  },
  {
    name: "a form of scripts is left to code in a browser",
    html: `<form action="javascript:send()">${inputs}</form>`,
    expect: "the form is sent by a script (javascript:send()): sign in with `run` of the login, and --allow-code"
  },
  {
    name: "a password is not sent without encryption from a page that has it",
    html: `<form method=post action="http://x.example/in">${inputs}</form>`,
    expect: "the form would send the password to http://x.example without encryption"
  },
  { name: "a page without a form says so", html: "<div id=root></div>", expect: "the page has no form" },
  {
    name: "a button that is not there is named",
    html: `<form method=post>${inputs}<button>Enter</button></form>`,
    submit: "Sign in",
    expect: 'no form with these fields has the button "Sign in"'
  }
]

for (const each of cases) {
  it(each.name, () => {
    const sent = fillIn(each.html, each.url ?? "https://x.example/login?next=%2Fa", {
      fields: each.fields ?? fields,
      submit: each.submit
    })
    if (Either.isLeft(sent)) expect(sent.left).toContain(each.expect)
    else {
      const { body, method, url } = sent.right
      expect(`${method} ${url}${body === undefined ? "" : ` ${body}`}`).toBe(each.expect)
    }
  })
}

it("sends a form with files in its encoding, and a token of the head as a header", () => {
  const html = `<meta name=csrf-token content=head><form method=post action=/in enctype=multipart/form-data>${inputs}</form>`
  const { body, headers } = Either.getOrThrow(fillIn(html, "https://x.example/login", { fields }))
  expect(headers).toMatchObject({
    "x-csrf-token": "head",
    origin: "https://x.example",
    referer: "https://x.example/login"
  })
  const [, boundary] = /boundary=(.+)$/.exec(headers["content-type"] ?? "") ?? []
  expect(body?.split(`--${boundary}`)).toHaveLength(4)
  expect(body).toContain('name="pass"\r\n\r\np&w\r\n')
})

it("knows the login page again by its fields, and no page that only speaks of them", () => {
  expect(hasForm(`<form>${inputs}</form>`, { fields })).toBe(true)
  expect(hasForm("<p>The user has to pass a test.</p><form><input name=user></form>", { fields })).toBe(false)
})
