#if canImport(Glibc)
  import Glibc
#endif

/// Reads `/dev`, `/proc` and `/sys`. A missing file reads as nil, because the kernel omits files
/// that do not apply.
package enum SystemFiles {
  /// The names in a folder that consist of a prefix and a number, in the order of the numbers.
  package static func numbered(_ prefix: String, in folder: String) -> [String] {
    names(in: folder).compactMap { name -> (number: Int, name: String)? in
      guard name.hasPrefix(prefix), let number = number(name.dropFirst(prefix.count)) else {
        return nil
      }
      return (number, name)
    }
    .sorted { $0.number < $1.number }.map(\.name)
  }

  /// A number written in digits only.
  static func number(_ text: some StringProtocol) -> Int? {
    text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
  }

  /// The names in a folder, unordered; empty if it cannot be read.
  package static func names(in folder: String) -> [String] {
    do { return try LinuxFiles().names(in: folder) } catch { return [] }
  }

  /// A file's text, at most 64 KiB, or another number of bytes.
  package static func text(of path: String, atMost most: Int = 65_536) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < most {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A file's first line, without its end.
  package static func line(of path: String) -> String? {
    text(of: path).flatMap { $0.split(separator: "\n").first }.map(String.init)
  }

  /// The target of a symbolic link, as it stands in the link; nil for other files.
  package static func linkTarget(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let bytes = buffer[..<count].lazy.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The last component of a symbolic link's target.
  static func linkName(of path: String) -> String? { linkTarget(of: path)?.fileName }

  /// The path with all symbolic links resolved; the path itself for a missing file.
  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// The name of a file's group; `usual` for a group without a name, and for root's, which users
  /// must not join.
  static func group(of path: String, usual: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0, status.st_gid != 0,
      let group = getgrgid(status.st_gid), let name = group.pointee.gr_name
    else { return usual }
    return String(cString: name)
  }
}
