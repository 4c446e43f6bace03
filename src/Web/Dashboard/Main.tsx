/** The dashboard begins here: in a browser, with the page that the server has sent. */
import { render } from "preact"
import { App } from "./App.tsx"

const place = document.getElementById("app")
if (place !== null) render(<App />, place)
