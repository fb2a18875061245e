import Foundation

/// Receiver logs behind one another, over and over, in memory.
struct ReceiverStream {
  /// Bytes of a stream.
  private static var longEnough: Int { 20_000_000 }
  /// A UBX log has the sync pair this often; fewer are a chance or a word at the receiver's start.
  private static var fewestPairs: Int { 3 }

  let bytes: [UInt8]

  /// Makes a stream of logs that lie in `folder`.
  static func nmea(in folder: String) throws -> ReceiverStream {
    try ReceiverStream(folder) { _, log in pairs(in: log) < fewestPairs }
  }

  /// Makes a stream of u-blox logs, which have sentences between the frames, as their receivers
  /// sent them.
  static func ubx(in folder: String) throws -> ReceiverStream {
    try ReceiverStream(folder) { name, log in
      name.hasPrefix("ublox") && pairs(in: log) >= fewestPairs
    }
  }

  private init(_ folder: String, takes: (String, Data) -> Bool) throws {
    var once: [UInt8] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    where name.hasSuffix(".log") {
      guard let log = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
        throw BenchmarkError("\(folder)/\(name): cannot be read")
      }
      if takes(name, log) { once += log }
    }
    guard !once.isEmpty else {
      throw BenchmarkError("\(folder): no such log in it; expected the folder data/gnss")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.longEnough + once.count)
    while bytes.count < Self.longEnough { bytes += once }
    self.bytes = bytes
  }

  private static func pairs(in log: Data) -> Int {
    zip(log, log.dropFirst()).count { $0 == 0xB5 && $1 == 0x62 }
  }
}
