/** What images are found by, which stands beside the words of their pages. */
import type * as SqlClient from "@effect/sql/SqlClient"

/** Takes the captions of these pages' images out of the index, while the images are still known; `pages` is a JSON list of ids. */
export const forget = (sql: SqlClient.SqlClient, pages: string) => sql`
  DELETE FROM search_caption WHERE rowid IN (
    SELECT id FROM search_image WHERE page IN (SELECT value FROM json_each(${pages})))`
