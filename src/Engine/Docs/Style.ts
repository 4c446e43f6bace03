/** How the documentation page looks; its hash is in the page's content security policy. */
export const style = `
:root { color-scheme: light dark; --ink: #1c2430; --dim: #5b6675; --line: #dfe4ea; --back: #fff; --soft: #f5f7f9; --accent: #0b6bcb;
  --get: #0a7d4b; --post: #0b6bcb; --delete: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --dim: #9aa7b6; --line: #2b3440; --back: #12171e; --soft: #1a212b;
  --accent: #6fb3ff; --get: #4fd39a; --post: #6fb3ff; --delete: #ff8a80 } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--back); display: grid;
  grid-template-columns: 17rem minmax(0, 1fr) }
a { color: var(--accent); text-decoration: none } a:hover, a:focus-visible { text-decoration: underline }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem; border-right: 1px solid var(--line); font-size: .875rem }
nav strong { display: block; margin: 1rem 0 .25rem; color: var(--dim); font-weight: 600 }
nav a { display: block; padding: .1rem 0; overflow-wrap: anywhere }
main { padding: 2rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 62rem }
h1 { margin: 0 0 .5rem; font-size: 1.9rem } h2 { margin: 3rem 0 1rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line) }
h4 { margin: 1.2rem 0 .4rem; font-size: .8rem; color: var(--dim); text-transform: uppercase; letter-spacing: .05em }
code { font: .875em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
details { border: 1px solid var(--line); border-radius: .6rem; margin: .6rem 0; background: var(--back) }
summary { cursor: pointer; padding: .7rem 1rem; display: flex; gap: .8rem; align-items: baseline; flex-wrap: wrap }
details[open] > summary { border-bottom: 1px solid var(--line); background: var(--soft); border-radius: .6rem .6rem 0 0 }
details > div { padding: .2rem 1rem 1.2rem }
.verb { font: 700 .75rem/1 ui-monospace, monospace; width: 4rem } .get { color: var(--get) } .post { color: var(--post) }
.delete { color: var(--delete) }
.dim { color: var(--dim) } .tag { font-size: .75rem; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .5rem }
table { border-collapse: collapse; width: 100%; font-size: .9rem } td, th { text-align: left; vertical-align: top;
  padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line) }
td:first-child { white-space: nowrap } .scroll { overflow-x: auto }
@media (max-width: 52rem) { body { display: block } nav { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line) } }
`
