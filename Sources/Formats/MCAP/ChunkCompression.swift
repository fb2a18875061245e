import CCompression

/// The compression of a chunk.
package enum ChunkCompression: Equatable, Sendable {
  /// None.
  case none
  /// Zstandard with a level: 1 fast, 3 usual, 19 small and slow.
  case zstandard(level: Int)

  /// Zstandard's library, of Debian's package libzstd1.
  static let zstandardLibrary = "libzstd.so.1"
  /// LZ4's library, of Debian's package liblz4-1.
  static let lz4Library = "liblz4.so.1"

  /// Zstandard where its library can be loaded, else no compression.
  package static var usual: ChunkCompression {
    ccompression_has_zstd(zstandardLibrary) ? .zstandard(level: 3) : .none
  }

  /// The name in a file.
  var name: String {
    switch self {
    case .none: ""
    case .zstandard: "zstd"
    }
  }

  /// The compressed bytes, or the same where there is no compression or it fails, with the name of
  /// what was done.
  func compressed(_ bytes: [UInt8]) -> (bytes: [UInt8], name: String) {
    guard case .zstandard(let level) = self else { return (bytes, "") }
    var written = 0
    let bound = ccompression_zstd_bound(bytes.count)
    let frame = [UInt8](unsafeUninitializedCapacity: bound) { target, count in
      let outcome = ccompression_zstd_compress(
        Self.zstandardLibrary, Int32(level), bytes, bytes.count, target.baseAddress, bound,
        &written)
      count = outcome == CCOMPRESSION_DONE ? written : 0
    }
    return frame.isEmpty ? (bytes, "") : (frame, name)
  }
}

/// Why compressed bytes cannot be read.
package enum CompressionFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The library is not installed.
  case noLibrary(package: String)
  /// The format is unknown.
  case unknown(String)
  /// The bytes are damaged.
  case damaged(String)
  /// The result has more bytes than the file states, or than is allowed.
  case tooLarge(Int)

  /// What is wrong and what to do.
  package var description: String {
    switch self {
    case .noLibrary(let package):
      "it is compressed, and the library for that is missing: sudo apt install \(package)"
    case .unknown(let name): "unknown compression '\(name)'; known are zstd and lz4"
    case .damaged(let name): "its \(name) frame is damaged"
    case .tooLarge(let limit): "it has more than \(limit) bytes uncompressed"
    }
  }

  /// Decompresses a block.
  /// - Parameters:
  ///   - bytes: The compressed bytes.
  ///   - name: `zstd`, `lz4`, or empty for none.
  ///   - size: The greatest number of bytes of the result.
  /// - Returns: The bytes.
  /// - Throws: The fault.
  static func decompressed(
    _ bytes: ArraySlice<UInt8>, _ name: String, size: Int
  ) throws(CompressionFault) -> [UInt8] {
    if name.isEmpty { return Array(bytes) }
    guard name == "zstd" || name == "lz4" else { throw .unknown(name) }
    var outcome = CCOMPRESSION_DONE
    let result = [UInt8](unsafeUninitializedCapacity: size) { target, count in
      bytes.withUnsafeBytes { source in
        outcome =
          name == "zstd"
          ? ccompression_zstd_decompress(
            ChunkCompression.zstandardLibrary, source.baseAddress, source.count,
            target.baseAddress, size, &count)
          : ccompression_lz4_decompress(
            ChunkCompression.lz4Library, source.baseAddress, source.count, target.baseAddress,
            size, &count)
      }
    }
    switch outcome {
    case CCOMPRESSION_DONE: return result
    case CCOMPRESSION_NO_LIBRARY:
      throw .noLibrary(package: name == "zstd" ? "libzstd1" : "liblz4-1")
    case CCOMPRESSION_TOO_LARGE: throw .tooLarge(size)
    default: throw .damaged(name)
    }
  }

  /// Decompresses zstd frames whose size is not known.
  /// - Parameters:
  ///   - bytes: The frames.
  ///   - limit: The greatest number of bytes of the result.
  /// - Returns: The bytes.
  /// - Throws: The fault.
  static func frame(_ bytes: ArraySlice<UInt8>, limit: Int) throws(CompressionFault) -> [UInt8] {
    var size = min(limit, max(4096, 8 * bytes.count))
    while true {
      do throws(CompressionFault) {
        return try decompressed(bytes, "zstd", size: size)
      } catch .tooLarge where size < limit {
        size = min(limit, 4 * size)
      }
    }
  }
}
