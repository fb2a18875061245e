import Foundation

/// Reference measurements that lie beside the repository; absent on a machine that has only the code.
public enum SharedData {
  /// The folder with `data` in it: `LODESTAR_SHARED` where it is set, else `../shared`.
  public static var directory: String? {
    let manager = FileManager.default
    var candidates: [String] = []
    if let named = ProcessInfo.processInfo.environment["LODESTAR_SHARED"] {
      candidates.append(named)
    }
    // This file is Tests/TestSupport/SharedData.swift below the package's root.
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    candidates.append(root.deletingLastPathComponent().appendingPathComponent("shared").path)
    return candidates.first { manager.fileExists(atPath: $0 + "/data") }
  }

  /// The bytes of a file below the folder; nil where it is not there.
  public static func bytes(_ path: String) -> [UInt8]? {
    guard let directory else { return nil }
    return FileManager.default.contents(atPath: directory + "/" + path).map { Array($0) }
  }
}

/// A small deterministic generator: a test with a seed fails the same way everywhere.
/// - Source: S. Vigna, SplitMix64 (public domain).
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Starts at a seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
