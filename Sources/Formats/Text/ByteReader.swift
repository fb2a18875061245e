#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Reads a file, or standard input as `-`, in chunks.
public final class ByteReader {
  /// The path as given, for messages.
  public let path: String
  /// The size of the file in bytes; nil for standard input, pipes and devices.
  public let size: Int?
  /// Bytes read so far.
  public private(set) var position = 0
  /// The share of the file that was read, 0 to 1; nil where its size is not known.
  public var fractionRead: Double? {
    guard let size, size > 0 else { return nil }
    return min(1, Double(position) / Double(size))
  }
  private let descriptor: Int32
  private var buffer: [UInt8]
  /// The place of the mark, and the bytes behind it of a pipe, which cannot be read again; nil
  /// without a mark.
  private var mark: (position: Int, bytes: [UInt8])?
  /// Bytes that are returned again after `returnToMark`.
  private var returned: [UInt8] = []

  /// Opens a file for reading.
  /// - Parameters:
  ///   - path: A path, or `-` for standard input.
  ///   - chunkSize: The largest number of bytes of a chunk.
  /// - Throws: `RecordingError.unreadable` with the system's reason.
  public init(path: String, chunkSize: Int = 65_536) throws(RecordingError) {
    self.path = path
    buffer = [UInt8](repeating: 0, count: chunkSize)
    if path == "-" {
      descriptor = 0
      size = nil
    } else {
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .unreadable(path: path, reason: Self.systemReason()) }
      var status = stat()
      // A folder can be opened but not read: report it at once.
      let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
      size = kind == S_IFREG ? Int(status.st_size) : nil
      // Every property has its value: `deinit` closes the descriptor.
      if kind == S_IFDIR { throw .unreadable(path: path, reason: "it is a folder") }
    }
  }

  deinit { if descriptor > 0 { close(descriptor) } }

  /// Returns the next bytes as soon as there are any; the slice is empty at the end.
  public func next() throws(RecordingError) -> ArraySlice<UInt8> {
    if !returned.isEmpty {
      defer { returned = [] }
      position += returned.count
      mark?.bytes += returned
      return returned[...]
    }
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        position += count
        if size == nil { mark?.bytes += buffer[0..<count] }
        return buffer[0..<count]
      }
      guard errno == EINTR else { throw .unreadable(path: path, reason: Self.systemReason()) }
    }
  }

  /// Marks this place. What is read of a pipe is stored until `returnToMark` or `removeMark`.
  package func setMark() { mark = (position, []) }

  /// Removes the mark and the bytes that were stored for it.
  package func removeMark() { mark = nil }

  /// Continues at the mark and removes it: an input is recognised by its beginning and read by
  /// another reader without being opened twice, which for a named pipe would wait for another
  /// writer.
  package func returnToMark() throws(RecordingError) {
    guard let mark else { return }
    if size == nil {
      returned = mark.bytes
    } else if lseek(descriptor, off_t(mark.position), SEEK_SET) < 0 {
      throw .unreadable(path: path, reason: Self.systemReason())
    }
    position = mark.position
    self.mark = nil
  }

  /// True for standard input, a named pipe and a terminal: their bytes can be read only once.
  public static func isReadOnce(path: String) -> Bool {
    var status = stat()
    guard path != "-" else { return true }
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }

  /// True where there is a file of this name.
  package static func exists(path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// True where the name is that of a folder.
  package static func isFolder(path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func systemReason() -> String { String(cString: strerror(errno)) }
}
