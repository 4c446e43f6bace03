/** The tables of every part of the engine; a part adds its list here, under its own name. */
import type { Parts } from "../../Database/Migration.ts"
import * as Browser from "../Browser/Tables.ts"
import * as Jobs from "../Jobs/Tables.ts"
import * as PageCache from "../PageCache/Tables.ts"
import * as Search from "../Search/Tables.ts"
import * as Usage from "../Usage/Tables.ts"
import * as Webhook from "../Webhook/Tables.ts"
import * as Storage from "./Storage.ts"

export const parts: Parts = {
  browser: Browser.migrations,
  copies: PageCache.migrations,
  jobs: Jobs.migrations,
  search: Search.migrations,
  usage: Usage.migrations,
  webhooks: Webhook.migrations,
  // Counts what the others keep: it comes after them.
  storage: Storage.migrations
}
