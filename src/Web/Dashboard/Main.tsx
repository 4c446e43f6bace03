/** The dashboard begins here: in a browser, with the page that the server has sent. */
import { render } from "preact"
import { App } from "./App.tsx"

const place = document.getElementById("app")
// What stood there until now would stay below what is drawn.
place?.replaceChildren()
if (place !== null) render(<App />, place)
