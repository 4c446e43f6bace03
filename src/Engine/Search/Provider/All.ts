/** Every provider, by the name that the setting calls it by. */
import type { Make } from "../Provider.ts"
import { brave } from "./Brave.ts"
import { exa } from "./Exa.ts"
import { google } from "./Google.ts"
import { searxng } from "./Searxng.ts"
import { serper } from "./Serper.ts"
import { tavily } from "./Tavily.ts"

export const makers: ReadonlyMap<string, Make> = new Map(
  Object.entries({ brave, exa, google, searxng, serper, tavily })
)
