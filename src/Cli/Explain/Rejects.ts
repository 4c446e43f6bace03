/** Reasons of rejects: their meaning, and what to do. A test compares the list with the errors of steps, sinks and the client. */
type Entries = Readonly<Record<string, string>>

const pages: Entries = {
  HttpError:
    "The site answered with a status that `failOn` lists, or the API of `request` answered with 400 or above. Check the address; `retry` requests the page again.",
  Blocked:
    "The site showed a bot check, a login or consent wall, or an empty shell. Use a browser `profile`, or ask the site's owner.",
  TargetNetworkError: "The site could not be reached. `retry: { on: [network] }` tries again.",
  TargetDnsError: "The name of the site could not be resolved. Check the spelling of the address.",
  TargetTlsError: "The certificate of the site is invalid. Set `skipTlsVerification` if you trust the site.",
  Timeout: "The page, or the step, took longer than its `timeout`. Allow more time, or replay later.",
  InvalidUrl: "The service refuses this address. Correct it in the source.",
  NotWebAddress: "A value is not an http:// or https:// address. Correct it, or remove such rows with `where`."
}

const apis: Entries = {
  AddressRefused: "The address of `request` is not on the public internet. See SLUICE_ALLOW_NETWORKS.",
  AnswerInvalid:
    "The answer is not valid JSON, JSON Lines, CSV or XML, or is incomplete. Check `url`, or set `format`.",
  BodyPathInvalid:
    "The path at which `since` or `next` puts its value leads through an array or a value of `json`. The message says where.",
  GraphQLError: "The API rejected the query of `graphql`. The message quotes its reason.",
  LoginFailed:
    "The `login` of the definition did not work, or the site shows its login page again. The message says what the site answered.",
  NotAnObject: "`rows` of `request` gave a value that is not an object. Wrap each value in an object.",
  OtherOrigin:
    "The API redirects to another origin, and the body is not sent there. If you trust that origin, set `url` to it.",
  PageInvalid:
    "`next` gives a `total` that is not a number, or an address that is not http:// or https://, or its `offset.by` skips rows. The message says what to correct.",
  PageRepeated:
    "The next page that the API gives was already read, or has the same content as an earlier page. The message says what to correct in `next`.",
  PasswordInUrl: "The address contains a password, which messages would show. Put it into `auth`.",
  RedirectFailed:
    "The API redirects too often, or to something that is not a web address. Set `url` to the address that answers.",
  RowsMissing: "The first answer of the API has nothing at the path of `rows`. The message lists the names that exist.",
  SignInFailed: "The `tokenUrl` of `oauth` did not return a token. Check `clientId`, `scope` and `send`.",
  StateInvalid: "The value that `since` saved in an earlier run cannot be read. Set or clear it with `sluice state`."
}

const calls: Entries = {
  RateLimited: "The service limits requests. Lower `concurrency`, and replay later.",
  InvalidRequest: "The service does not accept the request. The message names the field.",
  Forbidden:
    "The service does not allow the call. The local engine names the setting that allows it; ask the operator of any other service.",
  NotFound: "The service does not know the id or the path. Check the id, and that SLUICE_BASE_URL is right.",
  JobNotFound: "The service does not know the job. Check its id, and that the key belongs to the same team.",
  JobExpired: "The results of the job were deleted. Start the job again.",
  JobFailed: "The job failed or was cancelled. Rows that it delivered before are kept.",
  Conflict:
    "The call conflicts with the current state at the service: for example, another session is using the profile.",
  Gone: "The session or job has ended. Start a new one.",
  TooLarge: "The file, body or page is larger than the service accepts, or than `extract` has memory for.",
  UnsupportedFile: "The type of the file is not supported. Convert it first.",
  Unprocessable: "The service understood the request and could not carry it out. The message says why.",
  Refused: "The service reported a failure without a known code. The message quotes it.",
  NotImplemented: "The service does not support the call or an option. Omit the option, or use another service.",
  ServiceError: "The service failed (status 5xx). Replay the rejects later.",
  NetworkError: "The service did not answer. Check that it runs, then replay.",
  UnexpectedResponse: "The answer does not match the API. Check that SLUICE_BASE_URL is the address of the service.",
  CrossOrigin:
    "The service sent an address on another host, and your key is not sent there. If that host is right, set SLUICE_BASE_URL to it."
}

const rows: Entries = {
  ExpressionFailed:
    "An expression failed for this row. Test it with `sluice test`, and handle missing fields with `??`.",
  CheckFailed: "The row breaks a rule of `check`.",
  ContractBroken: "The row does not match the contract of its output. See `sluice contract`.",
  FunctionFailed: "Code of the project (`use`) threw an error for this row.",
  NotSortable: "`sort.by` gave an object or an array. Sort by a number, a string or a boolean.",
  NotGroupable: "`aggregate.by` gave an object or an array. Group by a number, a string or a boolean.",
  NotNumber: "A measure of `aggregate` needs numbers, and got something else. Convert it with `$number()`.",
  NumberTooLarge: "A sum exceeds the largest possible number. Divide the values, or group them by more fields.",
  FieldExists: "The row already has a field with the name that the step would add. Choose another name with `as`.",
  FieldTwice: "`flatten` would create two fields with the same name. Choose another `separator`.",
  TooManyRows:
    "The step accepts no more rows: the limit of a batch is reached. Put a `limit` before it, or use `scrape`.",
  SamePage:
    "Another row of `batchScrape` has the same address but for the part behind `#`, as `/#/a` and `/#/b`. Use `scrape`.",
  MissingField: "`extract` found no value for a required field. The message says what each source matched.",
  SchemaRefused: "The `schema` of `extract` refused the row. The message has the path and the reason of each issue.",
  SchemaFailed:
    "The `schema` of `extract` threw an error, took longer than 30 seconds, or returned a value that is not plain JSON, such as a Date.",
  WrongValue:
    "`extract` found text that does not fit the type of the field. Take a part of it with `match`, or give a `default`.",
  NoRows:
    "`rows` of `extract` matches nothing on this page. Correct `rows`, or leave such pages out with `onEmpty: skip`.",
  NoHtml:
    "The row of `extract` has no HTML. Fetch its page with `formats: [rawHtml]`, or name the field with `html`. After a resume with changed fields, `sluice replay` reads the page again.",
  TooSlow: "The selectors of `extract` take too long on this page. Name classes or ids in them.",
  LineMalformed: "A line of the input cannot be read in its format. The message has its number.",
  NoFile:
    "The row has neither a file nor an address. Put `parse` after `files`, or after a step whose rows have an address.",
  NotAFeed:
    "The address of `feed` is neither RSS nor Atom nor JSON Feed, and the page links to no feed. Correct the address.",
  DriverMissing:
    "Pages of a browser session need the package playwright-core, which is not installed. The message has the command.",
  NoBrowser: "The step needs a browser session with a CDP address, and the row has none.",
  NotAllowed: "The definition may not read this file, or send a secret to this host. See `--allow-path` and `secrets`."
}

const inputs: Entries = {
  InvalidFields: "A selector or pattern of `extract` that was filled in for the run is not valid.",
  FileUnreadable: "A file cannot be read. The message says why, and names similar files.",
  FilesUnreadable:
    "A folder that the patterns of `files` cover cannot be listed. Check its permissions, or exclude it from the pattern.",
  HeaderInvalid: "The header of a CSV file lacks a column, or has one twice.",
  LinesLost:
    "A quote that is never closed turns at least 10 lines, and more than 5 % of the lines of a file, into one record. Correct it in the file.",
  InputChanged: "The file has changed since the run started. Restore it, or start a new run."
}

const outputs: Entries = {
  DiskFull:
    "The disk has no space for rows that do not fit into memory. Free some space, or name another folder with `--data`.",
  ScratchUnusable:
    "Rows that do not fit into memory cannot be written to the data folder. Name another folder with `--data`.",
  ScratchLost: "Rows that the run had stored on disk no longer exist. Start the run again instead of resuming it.",
  ColumnMismatch: "A value does not fit the type of its column. Correct it with `select`, or declare another type.",
  NewField: "A field has no column. Add it to `columns`, or set `onNewField: drop`.",
  PartitionFailed: "An expression in `partitionBy` of `write` failed for the row.",
  Unserializable: "The format of the output cannot express a value of the row. Convert it with `select`."
}

/** The reasons in groups. */
export const rejectReasons: ReadonlyArray<readonly [heading: string, entries: Entries]> = [
  ["Pages", pages],
  ["Calls of an API (request)", apis],
  ["Calls to the service", calls],
  ["Rows", rows],
  ["Inputs", inputs],
  ["Outputs", outputs]
]
