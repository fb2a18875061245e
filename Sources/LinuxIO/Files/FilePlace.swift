#if canImport(Glibc)
  import Glibc
#endif

/// The folder and the name of a file, for the system calls that take both (openat(2)).
///
/// Root writes in folders of other users, such as the daemon's state. There it must neither follow
/// a symbolic link nor take a file under a second name: both could lead to any file of the machine.
/// So for root each folder of the path is opened by itself, links of root are followed, links of
/// other users are refused, and what was checked is what is used, however the names change
/// meanwhile.
struct FilePlace: ~Copyable {
  /// The most links in a path, as of the kernel.
  private static let mostLinks = 40
  /// `O_PATH`, which the C library's module does not have.
  /// - Source: Linux, include/uapi/asm-generic/fcntl.h.
  private static let pathOnly: Int32 = 0o10_000_000

  /// The opened folder, or AT_FDCWD with a whole path as the name.
  let folder: Int32
  let name: String
  /// O_NOFOLLOW, with which the file is opened: its name was not a link when it was looked up. 0
  /// where links need no check, and for a link of the kernel's, such as `/proc/self/fd/3`, which
  /// names no path.
  let flags: Int32
  /// The owner of the folder, where this process is root's and the folder another user's; else nil.
  let otherOwner: (user: uid_t, group: gid_t)?

  /// Finds the place of a file.
  /// - Parameters:
  ///   - path: The file, which need not exist.
  ///   - action: The action in the fault, a verb that follows "cannot ".
  ///   - followsLast: Whether the last name may be a link of root.
  /// - Throws: `FileFault`: ELOOP for a link of another user, or the kernel's reason for a folder
  ///   of the path.
  init(_ path: String, to action: String, followsLast: Bool = false) throws(FileFault) {
    guard geteuid() == 0 else {
      (folder, name, flags, otherOwner) = (AT_FDCWD, path, 0, nil)
      return
    }
    var walk = try Walk(path, action)
    do throws(FileFault) {
      name = try walk.toLast(followsLast: followsLast)
    } catch {
      close(walk.folder)
      throw error
    }
    folder = walk.folder
    flags = walk.isKernelLink ? 0 : O_NOFOLLOW
    var status = stat()
    let isOther = fstat(folder, &status) == 0 && status.st_uid != 0
    otherOwner = isOther ? (status.st_uid, status.st_gid) : nil
  }

  deinit { if folder >= 0 { close(folder) } }

  /// Refuses an opened file of root that another user may have named a second time.
  func check(_ file: Int32, _ path: String, _ action: String) throws(FileFault) {
    guard otherOwner != nil else { return }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink > 1,
      status.st_uid == 0
    else { return }
    throw FileFault(
      action: action, path: path, code: EMLINK,
      detail: "a file of root with a second name in a folder of another user; remove this name")
  }

  /// The walk along a path.
  private struct Walk {
    let (path, action): (String, String)
    var folder: Int32
    var waiting: [Substring]
    var links = 0
    /// Whether the last name is a link of the kernel's.
    private(set) var isKernelLink = false

    init(_ path: String, _ action: String) throws(FileFault) {
      (self.path, self.action) = (path, action)
      waiting = path.split(separator: "/").reversed()
      folder = open(path.hasPrefix("/") ? "/" : ".", FilePlace.pathOnly | O_DIRECTORY | O_CLOEXEC)
      guard folder >= 0 else { throw fault() }
    }

    mutating func toLast(followsLast: Bool) throws(FileFault) -> String {
      while let part = waiting.popLast() {
        let name = String(part)
        if waiting.isEmpty, !followsLast { return name }
        let next = openat(folder, name, FilePlace.pathOnly | O_NOFOLLOW | O_CLOEXEC)
        guard next >= 0 else {
          // The caller's own call tells that the file does not exist.
          if waiting.isEmpty, errno == ENOENT { return name }
          throw fault()
        }
        var status = stat()
        let isKnown = fstat(next, &status) == 0
        if isKnown, status.st_mode & S_IFMT == S_IFLNK {
          defer { close(next) }
          try checkOwner(status.st_uid)
          if Self.isOfKernel(status) {
            if waiting.isEmpty {
              isKernelLink = true
              return name
            }
            try enter(openat(folder, name, FilePlace.pathOnly | O_DIRECTORY | O_CLOEXEC))
          } else {
            try follow(next)
          }
        } else if waiting.isEmpty {
          close(next)
          return name
        } else {
          try enter(next)
        }
      }
      return "."
    }

    private mutating func enter(_ next: Int32) throws(FileFault) {
      guard next >= 0 else { throw fault() }
      close(folder)
      folder = next
    }

    /// Whether a file is one of procfs, whose links have texts that are no paths.
    private static func isOfKernel(_ file: stat) -> Bool {
      var processes = stat()
      return stat("/proc", &processes) == 0 && processes.st_dev == file.st_dev
    }

    private mutating func checkOwner(_ owner: uid_t) throws(FileFault) {
      links += 1
      guard links <= FilePlace.mostLinks else { throw fault(ELOOP) }
      guard owner != 0 else { return }
      throw fault(
        ELOOP, "a symbolic link of another user is in the path, which root does not follow")
    }

    private mutating func follow(_ link: Int32) throws(FileFault) {
      var target = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlinkat(link, "", &target, target.count)
      guard count > 0 else { throw fault() }
      let text = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix("/") {
        try enter(open("/", FilePlace.pathOnly | O_DIRECTORY | O_CLOEXEC))
      }
      waiting += text.split(separator: "/").reversed()
    }

    private func fault(_ code: Int32 = errno, _ detail: String? = nil) -> FileFault {
      FileFault(action: action, path: path, code: code, detail: detail)
    }
  }
}
