// Writes the rows of a query as JSONL with DuckDB: `duckdb.mjs SQL FILE`.
import { DuckDBInstance } from "@duckdb/node-api"

const [sql, file] = process.argv.slice(2)
const instance = await DuckDBInstance.create(":memory:")
const connection = await instance.connect()
await connection.run(`COPY (${sql}) TO '${file}' (FORMAT json)`)
