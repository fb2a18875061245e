#if canImport(Glibc)
  import Glibc
#endif

/// One folder `iio:deviceK` of sysfs, with the device file of its buffer.
struct IIONode: Equatable, Sendable {
  /// The kernel's name, such as `hmc5883l`.
  let name: String
  /// `iio:deviceK`.
  let label: String
  /// The chip's folder, which contains it.
  let chip: String
  /// The device file.
  let device: String
  /// The folder used as `/sys`.
  let system: String

  /// The folder.
  var folder: String { "\(chip)/\(label)" }

  func path(_ attribute: String) -> String { "\(folder)/\(attribute)" }

  func has(_ attribute: String) -> Bool { access(path(attribute), F_OK) == 0 }

  /// An attribute's line; nil if it is missing or cannot be read now.
  func line(_ attribute: String) -> String? { SystemFiles.line(of: path(attribute)) }

  /// An attribute's number.
  func number(_ attribute: String) -> Double? {
    line(attribute).flatMap { IIODecimal($0) }?.value
  }

  /// Writes an attribute.
  /// - Returns: 0, or the error number.
  func store(_ text: String, in attribute: String) -> Int32 {
    Self.store(text, in: path(attribute))
  }

  /// Writes a sysfs file in one call, as the kernel requires.
  static func store(_ text: String, in path: String) -> Int32 {
    let file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    let bytes = Array("\(text)\n".utf8)
    return write(file, bytes, bytes.count) == bytes.count ? 0 : errno
  }
}

/// An attribute for repeated reads: its file stays open, and a read allocates nothing.
final class IIOAttribute {
  private let name: String
  private let label: String
  private let file: Int32

  /// Bytes of the longest number in sysfs, with its line's end.
  private static var capacity: Int { 48 }

  init(_ name: String, of node: IIONode) throws(IIOFault) {
    self.name = name
    label = node.label
    file = open(node.path(name), O_RDONLY | O_CLOEXEC)
    if file < 0 { throw IIOFault(code: errno, doing: "opening \(name) of \(node.label)") }
  }

  deinit { close(file) }

  /// Reads the value, which makes the driver measure or read the chip.
  func read() throws(IIOFault) -> IIODecimal {
    var code: Int32 = 0
    let decimal = withUnsafeTemporaryAllocation(byteCount: Self.capacity, alignment: 1) {
      bytes -> IIODecimal? in
      var count = pread(file, bytes.baseAddress, bytes.count, 0)
      while count < 0 && errno == EINTR {
        count = pread(file, bytes.baseAddress, bytes.count, 0)
      }
      guard count >= 0 else {
        code = errno
        return nil
      }
      return IIODecimal(bytes[..<count])
    }
    guard let decimal else {
      throw IIOFault(code: code, doing: "reading \(name) of \(label)")
    }
    return decimal
  }
}
