import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  StorageLimits,
  ensureRoom,
  used
} from "./chunk-B6Z23CTJ.js";
import {
  Conflict,
  NotFound
} from "./chunk-PGOM52WJ.js";
import {
  decodeText,
  encodeText
} from "./chunk-F63MDLXW.js";
import {
  SqlClient
} from "./chunk-3IJJA3UF.js";
import {
  spaced
} from "./chunk-4U3SQ3WC.js";
import {
  TaggedError,
  scoped
} from "./chunk-PAQDWWDE.js";
import {
  Tag,
  _void,
  acquireRelease,
  asVoid3 as asVoid,
  catchAll3 as catchAll,
  catchIf,
  currentTimeMillis,
  either,
  ensuring2 as ensuring,
  flatMap5 as flatMap,
  fn,
  forEach2 as forEach,
  forkScoped,
  gen,
  ignore,
  ignoreLogged,
  interruptible2 as interruptible,
  logWarning,
  map9 as map,
  orDie2 as orDie,
  retry,
  runSync,
  schedule,
  succeed4 as succeed,
  sync3 as sync,
  tapError,
  timeout,
  tryPromise,
  try_,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";

// src/Engine/Browser/Profiles.ts
import { createHash, randomUUID as randomUUID3 } from "node:crypto";
import { join as join2 } from "node:path";

// src/Engine/Browser/Lease.ts
import { randomUUID as randomUUID2 } from "node:crypto";
import { hostname as hostname2 } from "node:os";

// src/Engine/Jobs/Owners.ts
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
var leaseMillis = 3e4, ours = /* @__PURE__ */ new Set(), isGone = (pid) => {
  let asked = runSync(either(try_(() => process.kill(pid, 0))));
  return asked._tag === "Left" && asked.left.error.code === "ESRCH";
}, isDead = (owner, now) => ours.has(owner.id) ? !1 : owner.expires_at <= now ? !0 : owner.host === hostname() && (owner.pid === process.pid || isGone(owner.pid)), release = (sql, id) => sql`DELETE FROM job_owners WHERE id = ${id}`.pipe(
  zipRight(
    sql`UPDATE job_pages SET state = 0, owner = NULL WHERE owner = ${id} AND state = 1 RETURNING job_id`
  ),
  flatMap((pages) => {
    let counts = /* @__PURE__ */ new Map();
    for (let { job_id } of pages) counts.set(job_id, (counts.get(job_id) ?? 0) + 1);
    return forEach(
      counts,
      ([jobId, pages2]) => sql`UPDATE jobs SET active = active - ${pages2}, claimed = claimed - ${pages2},
          queued = queued + ${pages2} WHERE id = ${jobId}`,
      { discard: !0 }
    );
  }),
  sql.withTransaction
), reap = (sql) => gen(function* () {
  let now = yield* currentTimeMillis, owners = yield* sql`SELECT id, host, pid, expires_at FROM job_owners`;
  yield* forEach(
    owners.filter((owner) => isDead(owner, now)),
    ({ id }) => release(sql, id),
    { discard: !0 }
  );
}), isAlive = (sql, id) => gen(function* () {
  let now = yield* currentTimeMillis;
  return (yield* sql`SELECT id, host, pid, expires_at FROM job_owners WHERE id = ${id}`).some((owner) => !isDead(owner, now));
}), renew = (sql, id) => gen(function* () {
  let expires_at = (yield* currentTimeMillis) + leaseMillis;
  yield* sql`INSERT INTO job_owners ${sql.insert({ id, host: hostname(), pid: process.pid, expires_at })}
      ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`;
}), make = gen(function* () {
  let sql = yield* SqlClient, id = randomUUID();
  return yield* acquireRelease(
    zipRight(
      sync(() => ours.add(id)),
      renew(sql, id)
    ),
    () => zipRight(
      ignoreLogged(release(sql, id)),
      sync(() => ours.delete(id))
    )
  ), yield* reap(sql), id;
});

// src/Engine/Browser/Lease.ts
var leaseMillis2 = 3e4, ours2 = /* @__PURE__ */ new Set(), isHeld = ({ saver, saver_host, saver_pid, saver_until }, now) => saver === null ? !1 : ours2.has(saver) ? !0 : (saver_until ?? 0) <= now ? !1 : saver_host !== hostname2() || saver_pid !== process.pid && !isGone(saver_pid ?? 0), make2 = (sql) => {
  let id = randomUUID2(), until = map(currentTimeMillis, (now) => now + leaseMillis2);
  return {
    id,
    take: (row) => gen(function* () {
      let held = { saver: id, saver_host: hostname2(), saver_pid: process.pid, saver_until: yield* until };
      yield* sql`UPDATE browser_profiles SET ${sql.update(held)} WHERE ${row}`, ours2.add(id);
    }),
    renew: (row) => flatMap(
      until,
      (saver_until) => sql`UPDATE browser_profiles SET ${sql.update({ saver_until })} WHERE ${row} AND saver = ${id}`
    ).pipe(ignoreLogged, schedule(spaced(leaseMillis2 / 3)), asVoid),
    release: (row) => sql`UPDATE browser_profiles SET saver = NULL, saver_host = NULL, saver_pid = NULL, saver_until = NULL
        WHERE ${row} AND saver = ${id}`.pipe(ensuring(sync(() => ours2.delete(id))), asVoid)
  };
};

// src/Engine/Browser/Vault.ts
import { constants } from "node:fs";
import * as Fs from "node:fs/promises";
import { join } from "node:path";
var VaultError = class extends TaggedError("VaultError") {
  get message() {
    let reason = this.cause instanceof Error ? this.cause.message : String(this.cause);
    return `The profile in ${this.folder}: ${reason}`;
  }
}, kept = [
  "Default/Cookies",
  "Default/Cookies-journal",
  "Default/Network/Cookies",
  "Default/Network/Cookies-journal",
  "Default/Local Storage",
  "Default/IndexedDB",
  "Default/File System",
  "Default/WebStorage"
], storage = "storage", cookieFile = "cookies.json", attempt = (folder, what) => tryPromise({ try: what, catch: (cause) => new VaultError({ folder, cause }) }), isAbsent = ({ cause }) => cause.code === "ENOENT", copy = (from, to) => attempt(
  from,
  () => Fs.cp(from, to, {
    recursive: !0,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => !/[/\\](?:CacheStorage|LOCK|LOG|LOG\.old)$/.test(path)
  })
), walk = (folder) => attempt(folder, () => Fs.readdir(folder, { recursive: !0, withFileTypes: !0 })).pipe(
  map(
    (found) => found.map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() })).reverse()
  )
), sync2 = (path) => attempt(path, () => Fs.open(path, "r").then((file) => file.sync().finally(() => file.close()))), save = (profile, folder, cookies, maxBytes2) => gen(function* () {
  yield* attempt(folder, () => Fs.mkdir(join(folder, storage), { recursive: !0, mode: 448 })), yield* forEach(
    kept,
    (path) => attempt(profile, () => Fs.stat(join(profile, path))).pipe(
      zipRight(copy(join(profile, path), join(folder, storage, path))),
      catchIf(isAbsent, () => _void)
    ),
    { discard: !0 }
  );
  let lasting = cookies.filter(({ session }) => session === !0);
  yield* attempt(folder, () => Fs.writeFile(join(folder, cookieFile), JSON.stringify(lasting), { mode: 384 }));
  let entries = yield* walk(folder), bytes = (yield* forEach(
    entries,
    ({ isFile, path }) => isFile ? map(
      attempt(path, () => Fs.stat(path)),
      ({ size }) => size
    ) : succeed(0),
    { concurrency: 8 }
  )).reduce((sum, size) => sum + size, 0);
  return bytes > maxBytes2 ? yield* new VaultError({ folder, cause: `it has ${bytes} bytes, and ${maxBytes2} are the most` }) : (yield* forEach([...entries.map(({ path }) => path), folder, join(folder, "..")], sync2, {
    concurrency: 8,
    discard: !0
  }), bytes);
}).pipe(tapError(() => discard(folder))), load = (folder, profile) => gen(function* () {
  let cookies = yield* attempt(folder, () => Fs.readFile(join(folder, cookieFile), "utf8"));
  return yield* discard(join(profile, "Default")), yield* copy(join(folder, storage), profile), JSON.parse(cookies);
}), discard = (folder) => ignore(attempt(folder, () => Fs.rm(folder, { recursive: !0, force: !0 }))), list = (folder) => attempt(folder, () => Fs.readdir(folder)).pipe(
  // A stray file among them is no profile.
  catchIf(
    ({ cause }) => ["ENOENT", "ENOTDIR"].includes(cause.code ?? ""),
    () => succeed([])
  )
), sweep = (root, rows) => gen(function* () {
  let found = yield* forEach(
    yield* list(root),
    (name) => map(list(join(root, name)), (versions) => ({ folder: join(root, name), versions }))
  ), kept2 = yield* rows;
  for (let { folder, versions } of found) {
    let version = kept2.get(folder);
    version !== "all" && (yield* forEach(
      versions.filter((one) => one !== version),
      (one) => discard(join(folder, one)),
      { discard: !0 }
    ), version == null && (yield* ignore(attempt(folder, () => Fs.rmdir(folder)))));
  }
});

// src/Engine/Browser/Profiles.ts
var Profiles = class extends Tag("sluice/Engine/Browser/Profiles")() {
}, maxProfiles = 100, maxBytes = 200 * 1024 * 1024, onlyOne = (name) => new Conflict({
  error: `Only one writer is allowed at a time: another session saves the profile ${JSON.stringify(name)}. End it, or open this one with "saveChanges": false.`,
  code: "PROFILE_IN_USE"
}), layer = (dataDir) => scoped(
  Profiles,
  gen(function* () {
    let sql = yield* SqlClient, limits = yield* StorageLimits, root = join2(dataDir, "browser-profiles"), folderOf = (team, name) => join2(
      root,
      createHash("sha256").update(JSON.stringify([team, name])).digest("hex")
    ), own = (team, name) => sql`team = ${team} AND name = ${encodeText(name)}`, find = (team, name) => map(sql`SELECT * FROM browser_profiles WHERE ${own(team, name)}`, (rows) => rows[0]), kept2 = gen(function* () {
      let rows = yield* sql`SELECT * FROM browser_profiles`, now = yield* currentTimeMillis;
      return new Map(
        rows.map((row) => [
          folderOf(row.team, decodeText(row.name)),
          isHeld(row, now) ? "all" : row.version
        ])
      );
    });
    yield* ignoreLogged(sweep(root, kept2));
    let enter = (team, { name, saveChanges }, lease) => gen(function* () {
      let known = yield* find(team, name);
      if (known === void 0) {
        if (((yield* sql`SELECT count(*) AS count FROM browser_profiles
              WHERE team = ${team}`)[0]?.count ?? 0) >= maxProfiles)
          return yield* new Conflict({
            error: `This team has ${maxProfiles} browser profiles, as many as it may. Remove one first: "sluice profile list" shows them, "sluice profile rm NAME" removes one.`,
            code: "TOO_MANY_PROFILES"
          });
        saveChanges && (yield* sql`INSERT INTO browser_profiles ${sql.insert({ team, name: encodeText(name) })}`);
      }
      if (saveChanges) {
        if (yield* ensureRoom(sql, team, limits, known?.bytes), known !== void 0 && isHeld(known, yield* currentTimeMillis)) return yield* onlyOne(name);
        yield* lease.take(own(team, name));
      }
    }).pipe(sql.withTransaction), open2 = fn("Profiles.open")(function* (team, request) {
      let { name, saveChanges } = request, folder = folderOf(team, name), mine = own(team, name), lease = make2(sql);
      yield* acquireRelease(
        enter(team, request, lease),
        () => saveChanges ? ignoreLogged(
          zipRight(
            lease.release(mine),
            // A profile that never was saved is none.
            sql`DELETE FROM browser_profiles WHERE ${mine} AND version IS NULL AND saver IS NULL`
          )
        ) : _void
      ), saveChanges && (yield* forkScoped(lease.renew(mine)));
      let cookies = [], furnish = (profile) => gen(function* () {
        let version = (yield* find(team, name))?.version;
        version != null && (cookies = yield* load(join2(folder, version), profile));
      }).pipe(retry({ times: 3 }), orDie), restore = (root2) => cookies.length === 0 ? _void : ignoreLogged(root2.call("Storage.setCookies", { cookies })), keep = (profile, cookies2) => gen(function* () {
        let version = randomUUID3(), taken = (yield* used(sql, team)) - ((yield* find(team, name))?.bytes ?? 0), room = Math.max(0, Math.min(maxBytes, limits.team - taken)), bytes = yield* save(profile, join2(folder, version), cookies2, room), saved_at = yield* currentTimeMillis, before = yield* gen(function* () {
          let row = yield* find(team, name);
          return (yield* sql`UPDATE browser_profiles SET ${sql.update({ version, bytes, saved_at })}
                WHERE ${mine} AND saver = ${lease.id} RETURNING version`).length === 0 ? version : row?.version;
        }).pipe(sql.withTransaction);
        before != null && (yield* discard(join2(folder, before)));
      });
      return { furnish, restore, save: ({ chromium, close, devtools }) => gen(function* () {
        if (!saveChanges || !chromium.isAlive()) return yield* close;
        let { cookies: cookies2 } = yield* devtools.root.call("Storage.getCookies").pipe(interruptible, timeout("5 seconds"));
        if (yield* close, chromium.isAlive())
          return yield* logWarning("A browser did not end in time: its profile stays as it was");
        yield* keep(chromium.profile, cookies2);
      }).pipe(
        catchAll(
          (cause) => logWarning("A browser profile could not be saved; it stays as it was", cause)
        )
      ) };
    }), list2 = fn("Profiles.list")(function* (team) {
      let now = yield* currentTimeMillis;
      return (yield* sql`SELECT * FROM browser_profiles
          WHERE team = ${team} ORDER BY name`).map((row) => ({
        name: decodeText(row.name),
        bytes: row.bytes,
        savedAt: row.saved_at ?? void 0,
        isInUse: isHeld(row, now)
      }));
    }), remove = fn("Profiles.remove")(function* (team, name) {
      yield* gen(function* () {
        let row = yield* find(team, name);
        if (row === void 0)
          return yield* new NotFound({ error: `There is no browser profile ${JSON.stringify(name)}.` });
        if (isHeld(row, yield* currentTimeMillis)) return yield* onlyOne(name);
        yield* sql`DELETE FROM browser_profiles WHERE ${own(team, name)}`;
      }).pipe(sql.withTransaction), yield* discard(folderOf(team, name));
    });
    return { open: open2, list: list2, remove };
  })
);

export {
  leaseMillis,
  isGone,
  reap,
  isAlive,
  renew,
  make,
  Profiles,
  layer
};
