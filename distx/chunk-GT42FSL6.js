import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  BadArgument,
  FileDescriptor,
  FileSystem,
  FileTypeId,
  Size,
  SystemError,
  WatchBackend,
  WatchEventCreate,
  WatchEventRemove,
  WatchEventUpdate,
  asyncScoped,
  make5 as make,
  unwrap
} from "./chunk-4U3SQ3WC.js";
import {
  effect
} from "./chunk-PAQDWWDE.js";
import {
  _void,
  acquireRelease,
  async,
  die3 as die,
  fail5 as fail,
  flatMap5 as flatMap2,
  map9 as map2,
  matchEffect,
  orDie2 as orDie,
  scoped2 as scoped,
  serviceOption,
  succeed4 as succeed,
  suspend2 as suspend,
  sync3 as sync,
  tap2 as tap,
  tryPromise,
  unsafeMakeSemaphore2 as unsafeMakeSemaphore,
  zip2 as zip
} from "./chunk-JGKSI326.js";
import {
  flatMap,
  fromNullable,
  getOrElse,
  map,
  none2 as none,
  pipe,
  some2 as some
} from "./chunk-ANBJACJV.js";

// node_modules/@effect/platform/dist/esm/internal/effectify.js
var effectify = (fn, onError, onSyncError) => (...args) => async((resume) => {
  try {
    fn(...args, (err, result) => {
      resume(err ? fail(onError ? onError(err, args) : err) : succeed(result));
    });
  } catch (err) {
    resume(onSyncError ? fail(onSyncError(err, args)) : die(err));
  }
});

// node_modules/@effect/platform/dist/esm/Effectify.js
var effectify2 = effectify;

// node_modules/@effect/platform-node-shared/dist/esm/internal/fileSystem.js
import * as Crypto from "node:crypto";
import * as NFS from "node:fs";
import * as OS from "node:os";
import * as Path from "node:path";

// node_modules/@effect/platform-node-shared/dist/esm/internal/error.js
var handleErrnoException = (module, method) => (err, [path]) => {
  let reason = "Unknown";
  switch (err.code) {
    case "ENOENT":
      reason = "NotFound";
      break;
    case "EACCES":
      reason = "PermissionDenied";
      break;
    case "EEXIST":
      reason = "AlreadyExists";
      break;
    case "EISDIR":
      reason = "BadResource";
      break;
    case "ENOTDIR":
      reason = "BadResource";
      break;
    case "EBUSY":
      reason = "Busy";
      break;
    case "ELOOP":
      reason = "BadResource";
      break;
  }
  return new SystemError({
    reason,
    module,
    method,
    pathOrDescriptor: path,
    syscall: err.syscall,
    description: err.message,
    cause: err
  });
};

// node_modules/@effect/platform-node-shared/dist/esm/internal/fileSystem.js
var handleBadArgument = (method) => (cause) => new BadArgument({
  module: "FileSystem",
  method,
  cause
}), access2 = /* @__PURE__ */ (() => {
  let nodeAccess = /* @__PURE__ */ effectify2(NFS.access, /* @__PURE__ */ handleErrnoException("FileSystem", "access"), /* @__PURE__ */ handleBadArgument("access"));
  return (path, options) => {
    let mode = NFS.constants.F_OK;
    return options?.readable && (mode |= NFS.constants.R_OK), options?.writable && (mode |= NFS.constants.W_OK), nodeAccess(path, mode);
  };
})(), copy = /* @__PURE__ */ (() => {
  let nodeCp = /* @__PURE__ */ effectify2(NFS.cp, /* @__PURE__ */ handleErrnoException("FileSystem", "copy"), /* @__PURE__ */ handleBadArgument("copy"));
  return (fromPath, toPath, options) => nodeCp(fromPath, toPath, {
    force: options?.overwrite ?? !1,
    preserveTimestamps: options?.preserveTimestamps ?? !1,
    recursive: !0
  });
})(), copyFile2 = /* @__PURE__ */ (() => {
  let nodeCopyFile = /* @__PURE__ */ effectify2(NFS.copyFile, /* @__PURE__ */ handleErrnoException("FileSystem", "copyFile"), /* @__PURE__ */ handleBadArgument("copyFile"));
  return (fromPath, toPath) => nodeCopyFile(fromPath, toPath);
})(), chmod2 = /* @__PURE__ */ (() => {
  let nodeChmod = /* @__PURE__ */ effectify2(NFS.chmod, /* @__PURE__ */ handleErrnoException("FileSystem", "chmod"), /* @__PURE__ */ handleBadArgument("chmod"));
  return (path, mode) => nodeChmod(path, mode);
})(), chown2 = /* @__PURE__ */ (() => {
  let nodeChown = /* @__PURE__ */ effectify2(NFS.chown, /* @__PURE__ */ handleErrnoException("FileSystem", "chown"), /* @__PURE__ */ handleBadArgument("chown"));
  return (path, uid, gid) => nodeChown(path, uid, gid);
})(), link2 = /* @__PURE__ */ (() => {
  let nodeLink = /* @__PURE__ */ effectify2(NFS.link, /* @__PURE__ */ handleErrnoException("FileSystem", "link"), /* @__PURE__ */ handleBadArgument("link"));
  return (existingPath, newPath) => nodeLink(existingPath, newPath);
})(), makeDirectory = /* @__PURE__ */ (() => {
  let nodeMkdir = /* @__PURE__ */ effectify2(NFS.mkdir, /* @__PURE__ */ handleErrnoException("FileSystem", "makeDirectory"), /* @__PURE__ */ handleBadArgument("makeDirectory"));
  return (path, options) => nodeMkdir(path, {
    recursive: options?.recursive ?? !1,
    mode: options?.mode
  });
})(), makeTempDirectoryFactory = (method) => {
  let nodeMkdtemp = effectify2(NFS.mkdtemp, handleErrnoException("FileSystem", method), handleBadArgument(method));
  return (options) => suspend(() => {
    let prefix = options?.prefix ?? "", directory = typeof options?.directory == "string" ? Path.join(options.directory, ".") : OS.tmpdir();
    return nodeMkdtemp(prefix ? Path.join(directory, prefix) : directory + "/");
  });
}, makeTempDirectory = /* @__PURE__ */ makeTempDirectoryFactory("makeTempDirectory"), removeFactory = (method) => {
  let nodeRm = effectify2(NFS.rm, handleErrnoException("FileSystem", method), handleBadArgument(method));
  return (path, options) => nodeRm(path, {
    recursive: options?.recursive ?? !1,
    force: options?.force ?? !1
  });
}, remove = /* @__PURE__ */ removeFactory("remove"), makeTempDirectoryScoped = /* @__PURE__ */ (() => {
  let makeDirectory2 = /* @__PURE__ */ makeTempDirectoryFactory("makeTempDirectoryScoped"), removeDirectory = /* @__PURE__ */ removeFactory("makeTempDirectoryScoped");
  return (options) => acquireRelease(makeDirectory2(options), (directory) => orDie(removeDirectory(directory, {
    recursive: !0
  })));
})(), openFactory = (method) => {
  let nodeOpen = effectify2(NFS.open, handleErrnoException("FileSystem", method), handleBadArgument(method)), nodeClose = effectify2(NFS.close, handleErrnoException("FileSystem", method), handleBadArgument(method));
  return (path, options) => pipe(acquireRelease(nodeOpen(path, options?.flag ?? "r", options?.mode), (fd) => orDie(nodeClose(fd))), map2((fd) => makeFile(FileDescriptor(fd), options?.flag?.startsWith("a") ?? !1)));
}, open2 = /* @__PURE__ */ openFactory("open"), makeFile = /* @__PURE__ */ (() => {
  let nodeReadFactory = (method) => effectify2(NFS.read, handleErrnoException("FileSystem", method), handleBadArgument(method)), nodeRead = /* @__PURE__ */ nodeReadFactory("read"), nodeReadAlloc = /* @__PURE__ */ nodeReadFactory("readAlloc"), nodeStat = /* @__PURE__ */ effectify2(NFS.fstat, /* @__PURE__ */ handleErrnoException("FileSystem", "stat"), /* @__PURE__ */ handleBadArgument("stat")), nodeTruncate = /* @__PURE__ */ effectify2(NFS.ftruncate, /* @__PURE__ */ handleErrnoException("FileSystem", "truncate"), /* @__PURE__ */ handleBadArgument("truncate")), nodeSync = /* @__PURE__ */ effectify2(NFS.fsync, /* @__PURE__ */ handleErrnoException("FileSystem", "sync"), /* @__PURE__ */ handleBadArgument("sync")), nodeWriteFactory = (method) => effectify2(NFS.write, handleErrnoException("FileSystem", method), handleBadArgument(method)), nodeWrite = /* @__PURE__ */ nodeWriteFactory("write"), nodeWriteAll = /* @__PURE__ */ nodeWriteFactory("writeAll");
  class FileImpl {
    fd;
    append;
    [FileTypeId];
    semaphore = /* @__PURE__ */ unsafeMakeSemaphore(1);
    position = 0n;
    constructor(fd, append) {
      this.fd = fd, this.append = append, this[FileTypeId] = FileTypeId;
    }
    get stat() {
      return map2(nodeStat(this.fd), makeFileInfo);
    }
    get sync() {
      return nodeSync(this.fd);
    }
    seek(offset, from) {
      let offsetSize = Size(offset);
      return this.semaphore.withPermits(1)(sync(() => (from === "start" ? this.position = offsetSize : from === "current" && (this.position = this.position + offsetSize), this.position)));
    }
    read(buffer) {
      return this.semaphore.withPermits(1)(map2(suspend(() => nodeRead(this.fd, {
        buffer,
        position: this.position
      })), (bytesRead) => {
        let sizeRead = Size(bytesRead);
        return this.position = this.position + sizeRead, sizeRead;
      }));
    }
    readAlloc(size) {
      let sizeNumber = Number(size);
      return this.semaphore.withPermits(1)(flatMap2(sync(() => Buffer.allocUnsafeSlow(sizeNumber)), (buffer) => map2(nodeReadAlloc(this.fd, {
        buffer,
        position: this.position
      }), (bytesRead) => {
        if (bytesRead === 0)
          return none();
        if (this.position = this.position + BigInt(bytesRead), bytesRead === sizeNumber)
          return some(buffer);
        let dst = Buffer.allocUnsafeSlow(bytesRead);
        return buffer.copy(dst, 0, 0, bytesRead), some(dst);
      })));
    }
    truncate(length) {
      return this.semaphore.withPermits(1)(map2(nodeTruncate(this.fd, length ? Number(length) : void 0), () => {
        if (!this.append) {
          let len = BigInt(length ?? 0);
          this.position > len && (this.position = len);
        }
      }));
    }
    write(buffer) {
      return this.semaphore.withPermits(1)(map2(suspend(() => nodeWrite(this.fd, buffer, void 0, void 0, this.append ? void 0 : Number(this.position))), (bytesWritten) => {
        let sizeWritten = Size(bytesWritten);
        return this.append || (this.position = this.position + sizeWritten), sizeWritten;
      }));
    }
    writeAllChunk(buffer) {
      return flatMap2(suspend(() => nodeWriteAll(this.fd, buffer, void 0, void 0, this.append ? void 0 : Number(this.position))), (bytesWritten) => bytesWritten === 0 ? fail(new SystemError({
        module: "FileSystem",
        method: "writeAll",
        reason: "WriteZero",
        pathOrDescriptor: this.fd,
        description: "write returned 0 bytes written"
      })) : (this.append || (this.position = this.position + BigInt(bytesWritten)), bytesWritten < buffer.length ? this.writeAllChunk(buffer.subarray(bytesWritten)) : _void));
    }
    writeAll(buffer) {
      return this.semaphore.withPermits(1)(this.writeAllChunk(buffer));
    }
  }
  return (fd, append) => new FileImpl(fd, append);
})(), makeTempFileFactory = (method) => {
  let makeDirectory2 = makeTempDirectoryFactory(method), open3 = openFactory(method), randomHexString = (bytes) => sync(() => Crypto.randomBytes(bytes).toString("hex"));
  return (options) => pipe(zip(makeDirectory2(options), randomHexString(6)), map2(([directory, random]) => Path.join(directory, random + (options?.suffix ?? ""))), tap((path) => scoped(open3(path, {
    flag: "w+"
  }))));
}, makeTempFile = /* @__PURE__ */ makeTempFileFactory("makeTempFile"), makeTempFileScoped = /* @__PURE__ */ (() => {
  let makeFile2 = /* @__PURE__ */ makeTempFileFactory("makeTempFileScoped"), removeDirectory = /* @__PURE__ */ removeFactory("makeTempFileScoped");
  return (options) => acquireRelease(makeFile2(options), (file) => orDie(removeDirectory(Path.dirname(file), {
    recursive: !0
  })));
})(), readDirectory = (path, options) => tryPromise({
  try: () => NFS.promises.readdir(path, options),
  catch: (err) => handleErrnoException("FileSystem", "readDirectory")(err, [path])
}), readFile2 = (path) => async((resume, signal) => {
  try {
    NFS.readFile(path, {
      signal
    }, (err, data) => {
      resume(err ? fail(handleErrnoException("FileSystem", "readFile")(err, [path])) : succeed(data));
    });
  } catch (err) {
    resume(fail(handleBadArgument("readFile")(err)));
  }
}), readLink = /* @__PURE__ */ (() => {
  let nodeReadLink = /* @__PURE__ */ effectify2(NFS.readlink, /* @__PURE__ */ handleErrnoException("FileSystem", "readLink"), /* @__PURE__ */ handleBadArgument("readLink"));
  return (path) => nodeReadLink(path);
})(), realPath = /* @__PURE__ */ (() => {
  let nodeRealPath = /* @__PURE__ */ effectify2(NFS.realpath, /* @__PURE__ */ handleErrnoException("FileSystem", "realPath"), /* @__PURE__ */ handleBadArgument("realPath"));
  return (path) => nodeRealPath(path);
})(), rename2 = /* @__PURE__ */ (() => {
  let nodeRename = /* @__PURE__ */ effectify2(NFS.rename, /* @__PURE__ */ handleErrnoException("FileSystem", "rename"), /* @__PURE__ */ handleBadArgument("rename"));
  return (oldPath, newPath) => nodeRename(oldPath, newPath);
})(), makeFileInfo = (stat3) => ({
  type: stat3.isFile() ? "File" : stat3.isDirectory() ? "Directory" : stat3.isSymbolicLink() ? "SymbolicLink" : stat3.isBlockDevice() ? "BlockDevice" : stat3.isCharacterDevice() ? "CharacterDevice" : stat3.isFIFO() ? "FIFO" : stat3.isSocket() ? "Socket" : "Unknown",
  mtime: fromNullable(stat3.mtime),
  atime: fromNullable(stat3.atime),
  birthtime: fromNullable(stat3.birthtime),
  dev: stat3.dev,
  rdev: fromNullable(stat3.rdev),
  ino: fromNullable(stat3.ino),
  mode: stat3.mode,
  nlink: fromNullable(stat3.nlink),
  uid: fromNullable(stat3.uid),
  gid: fromNullable(stat3.gid),
  size: Size(stat3.size),
  blksize: map(fromNullable(stat3.blksize), Size),
  blocks: fromNullable(stat3.blocks)
}), stat2 = /* @__PURE__ */ (() => {
  let nodeStat = /* @__PURE__ */ effectify2(NFS.stat, /* @__PURE__ */ handleErrnoException("FileSystem", "stat"), /* @__PURE__ */ handleBadArgument("stat"));
  return (path) => map2(nodeStat(path), makeFileInfo);
})(), symlink2 = /* @__PURE__ */ (() => {
  let nodeSymlink = /* @__PURE__ */ effectify2(NFS.symlink, /* @__PURE__ */ handleErrnoException("FileSystem", "symlink"), /* @__PURE__ */ handleBadArgument("symlink"));
  return (target, path) => nodeSymlink(target, path);
})(), truncate2 = /* @__PURE__ */ (() => {
  let nodeTruncate = /* @__PURE__ */ effectify2(NFS.truncate, /* @__PURE__ */ handleErrnoException("FileSystem", "truncate"), /* @__PURE__ */ handleBadArgument("truncate"));
  return (path, length) => nodeTruncate(path, length !== void 0 ? Number(length) : void 0);
})(), utimes2 = /* @__PURE__ */ (() => {
  let nodeUtimes = /* @__PURE__ */ effectify2(NFS.utimes, /* @__PURE__ */ handleErrnoException("FileSystem", "utime"), /* @__PURE__ */ handleBadArgument("utime"));
  return (path, atime, mtime) => nodeUtimes(path, atime, mtime);
})(), watchNode = (path, options) => asyncScoped((emit) => acquireRelease(sync(() => {
  let watcher = NFS.watch(path, {
    recursive: options?.recursive
  }, (event, path2) => {
    if (path2)
      switch (event) {
        case "rename": {
          emit.fromEffect(matchEffect(stat2(path2), {
            onSuccess: (_) => succeed(WatchEventCreate({
              path: path2
            })),
            onFailure: (err) => err._tag === "SystemError" && err.reason === "NotFound" ? succeed(WatchEventRemove({
              path: path2
            })) : fail(err)
          }));
          return;
        }
        case "change": {
          emit.single(WatchEventUpdate({
            path: path2
          }));
          return;
        }
      }
  });
  return watcher.on("error", (error) => {
    emit.fail(new SystemError({
      module: "FileSystem",
      reason: "Unknown",
      method: "watch",
      pathOrDescriptor: path,
      cause: error
    }));
  }), watcher.on("close", () => {
    emit.end();
  }), watcher;
}), (watcher) => sync(() => watcher.close()))), watch2 = (backend, path, options) => stat2(path).pipe(map2((stat3) => backend.pipe(flatMap((_) => _.register(path, stat3, options)), getOrElse(() => watchNode(path, options)))), unwrap), writeFile2 = (path, data, options) => async((resume, signal) => {
  try {
    NFS.writeFile(path, data, {
      signal,
      flag: options?.flag,
      mode: options?.mode
    }, (err) => {
      resume(err ? fail(handleErrnoException("FileSystem", "writeFile")(err, [path])) : _void);
    });
  } catch (err) {
    resume(fail(handleBadArgument("writeFile")(err)));
  }
}), makeFileSystem = /* @__PURE__ */ map2(/* @__PURE__ */ serviceOption(WatchBackend), (backend) => make({
  access: access2,
  chmod: chmod2,
  chown: chown2,
  copy,
  copyFile: copyFile2,
  link: link2,
  makeDirectory,
  makeTempDirectory,
  makeTempDirectoryScoped,
  makeTempFile,
  makeTempFileScoped,
  open: open2,
  readDirectory,
  readFile: readFile2,
  readLink,
  realPath,
  remove,
  rename: rename2,
  stat: stat2,
  symlink: symlink2,
  truncate: truncate2,
  utimes: utimes2,
  watch(path, options) {
    return watch2(backend, path, options);
  },
  writeFile: writeFile2
})), layer = /* @__PURE__ */ effect(FileSystem, makeFileSystem);

// node_modules/@effect/platform-node-shared/dist/esm/NodeFileSystem.js
var layer2 = layer;

// node_modules/@effect/platform-node/dist/esm/NodeFileSystem.js
var layer3 = layer2;

export {
  handleErrnoException,
  layer2 as layer,
  layer3 as layer2
};
