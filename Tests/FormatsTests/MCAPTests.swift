import Formats
import Foundation
import Quantities
import Testing

@Suite("MCAP", .timeLimit(.minutes(30)))
struct MCAPTests {
  /// A file with two channels and so many messages.
  private static func file(_ count: Int, _ compression: ChunkCompression) -> [UInt8] {
    var writer = MCAPWriter(library: "test", chunkLimit: 2000, compression: compression)
    let schema = writer.addSchema(name: "a/msg/B", encoding: "ros2msg", data: [1, 2, 3])
    let channels = ["/a", "/b"].map { writer.addChannel(topic: $0, schema: schema) }
    writer.addMetadata(name: "about", [("key", "value")])
    writer.addAttachment(name: "x.txt", mediaType: "text/plain", data: [9, 8, 7], at: 5)
    for index in 0..<count {
      writer.add(
        [UInt8](repeating: UInt8(index % 251), count: 20 + index % 7), to: channels[index % 2],
        at: UInt64(1000 + index))
    }
    writer.finish()
    return writer.removeBytes()
  }

  private struct Content: Equatable {
    var messages: [[UInt8]] = []
    var times: [UInt64] = []
    var topics: [String] = []
    var attachments: [MCAPAttachment] = []
    var metadata: [String: [String: String]] = [:]
    var isWhole = false
    var isCut = false
  }

  private static func read(_ bytes: [UInt8]) throws -> Content {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).mcap")
    try Data(bytes).write(to: url)
    defer { unlink(url.path) }
    // Small pieces, so that records span them.
    var reader = try MCAPReader(try ByteReader(path: url.path, chunkSize: 97))
    var content = Content()
    while let record = try reader.next() {
      switch record {
      case .message(let message):
        content.messages.append(Array(message.data))
        content.times.append(message.time)
      case .channel(let channel): content.topics.append(channel.topic)
      case .attachment(let attachment): content.attachments.append(attachment)
      case .metadata(let name, let entries): content.metadata[name] = entries
      case .dataEnd: content.isWhole = true
      case .header, .schema: break
      }
    }
    content.isCut = reader.isCut
    return content
  }

  @Test("what is written is read again", arguments: [ChunkCompression.none, .zstandard(level: 3)])
  func roundTrip(_ compression: ChunkCompression) throws {
    let content = try Self.read(Self.file(300, compression))
    #expect(content.isWhole && !content.isCut)
    #expect(content.topics == ["/a", "/b"])
    #expect(content.times == Array(UInt64(1000)..<1300))
    #expect(content.messages[250] == [UInt8](repeating: 250, count: 20 + 250 % 7))
    #expect(content.attachments.map(\.data) == [[9, 8, 7]])
    #expect(content.metadata == ["about": ["key": "value"]])
  }

  /// The end of each chunk, and the number of messages up to it: the head of a chunk has the time
  /// of its last message, which is 1000 and the message's number.
  private static func chunks(_ file: [UInt8]) -> [(end: Int, messages: Int)] {
    func number(_ place: Int) -> Int {
      file[place..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    var chunks: [(end: Int, messages: Int)] = []
    var place = MCAPFormat.magic.count
    while place + 9 <= file.count - MCAPFormat.magic.count {
      let end = place + 9 + number(place + 1)
      if file[place] == MCAPFormat.Opcode.chunk.rawValue {
        chunks.append((end, number(place + 17) - 999))
      }
      place = end
    }
    return chunks
  }

  @Test("a file that ends anywhere is read up to its last whole chunk")
  func cut() throws {
    let whole = Self.file(300, .none)
    let content = try Self.read(whole)
    let chunks = Self.chunks(whole)
    #expect(chunks.count > 5 && chunks.last?.messages == 300)
    for length in stride(from: MCAPFormat.magic.count, to: whole.count, by: 211) {
      let part = try Self.read(Array(whole[..<length]))
      let count = chunks.last { $0.end <= length }?.messages ?? 0
      #expect(part.messages == Array(content.messages.prefix(count)), "\(length)")
      #expect(part.isCut == !part.isWhole)
    }
  }

  @Test("the repair of a cut file has all that could be read, with an index")
  func repair() throws {
    let whole = Self.file(300, .zstandard(level: 3))
    let cut = Array(whole[..<(whole.count * 2 / 3)])
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).mcap")
    try Data(cut).write(to: url)
    defer { unlink(url.path) }
    var repair = try MCAPRepair(try ByteReader(path: url.path))
    var repaired: [UInt8] = []
    let outcome = try repair.copy { repaired += $0 }
    let (before, after) = (try Self.read(cut), try Self.read(repaired))
    #expect(!outcome.wasWhole && outcome.lostBytes > 0)
    #expect(after.messages == before.messages && after.times == before.times)
    #expect(Int(outcome.messages) == before.messages.count && after.isWhole)
  }

  @Test("a file without a whole summary is repaired, and one whose end is zeros")
  func summary() throws {
    let whole = Self.file(300, .none)
    let content = try Self.read(whole)
    func repaired(_ bytes: [UInt8]) throws -> (bytes: [UInt8], outcome: MCAPRepair.Outcome) {
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).mcap")
      try Data(bytes).write(to: url)
      defer { unlink(url.path) }
      var repair = try MCAPRepair(try ByteReader(path: url.path))
      var copy: [UInt8] = []
      let outcome = try repair.copy(compression: .none) { copy += $0 }
      return (copy, outcome)
    }
    #expect(try repaired(whole).outcome.wasWhole)
    // The summary begins behind the data end: 9 bytes of head, 4 of a checksum.
    let dataEnd = try #require(
      (0..<whole.count - 13).last { index in
        whole[index] == MCAPFormat.Opcode.dataEnd.rawValue
          && whole[index + 1..<index + 9].elementsEqual([4, 0, 0, 0, 0, 0, 0, 0])
      })
    for length in dataEnd + 13..<whole.count {
      let (copy, outcome) = try repaired(Array(whole[..<length]))
      #expect(!outcome.wasWhole && outcome.messages == 300, "\(length)")
      guard length % 37 == 0 else { continue }
      #expect(try repaired(copy).outcome.wasWhole)
      #expect(try Self.read(copy).messages == content.messages)
    }
    var changed = whole
    changed[dataEnd + 40] ^= 1
    #expect(try !repaired(changed).outcome.wasWhole)
    let zeros = whole[..<(dataEnd / 2)] + [UInt8](repeating: 0, count: 5000)
    let (copy, outcome) = try repaired(Array(zeros))
    #expect(outcome.messages > 50 && outcome.messages < 300)
    #expect(try Self.read(copy).messages == Array(content.messages.prefix(Int(outcome.messages))))
  }

  @Test("a damaged chunk is left out by the repair, and the others are kept")
  func damagedChunk() throws {
    var bytes = Self.file(300, .none)
    // Within the third chunk or so.
    bytes[bytes.count / 2] ^= 0xFF
    #expect(throws: RecordingError.self) { try Self.read(bytes) }
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).mcap")
    try Data(bytes).write(to: url)
    defer { unlink(url.path) }
    var repair = try MCAPRepair(try ByteReader(path: url.path))
    var copy: [UInt8] = []
    let outcome = try repair.copy(compression: .none) { copy += $0 }
    #expect(outcome.damagedChunks == 1 && !outcome.wasWhole)
    let read = try Self.read(copy)
    #expect(read.messages.count > 200 && read.messages.count < 300 && read.isWhole)
  }

  @Test("a changed byte in a chunk is detected, and no change stops the program")
  func damage() throws {
    let whole = Self.file(120, .none)
    let content = try Self.read(whole)
    var found = 0
    for offset in stride(from: 8, to: whole.count - 8, by: 13) {
      var bytes = whole
      bytes[offset] ^= 0x40
      do {
        let read = try Self.read(bytes)
        // A name or an index may differ; a message may not.
        #expect(read.messages.allSatisfy { content.messages.contains($0) })
      } catch is RecordingError {
        found += 1
      }
    }
    #expect(found > 50)
  }

  @Test("records and chunks beyond the limits are refused with their place")
  func limits() throws {
    var bytes = MCAPFormat.magic
    bytes.append(MCAPFormat.Opcode.chunk.rawValue)
    bytes.append(little: UInt64.max)
    #expect(throws: RecordingError.self) { try Self.read(bytes) }
    var chunk: [UInt8] = []
    for _ in 0..<2 { chunk.append(little: UInt64(0)) }
    chunk.append(little: UInt64(1 << 40))
    chunk.append(little: UInt32(0))
    chunk.append(text: "zstd")
    chunk.append(little: UInt64(0))
    bytes = MCAPFormat.magic
    bytes.append(record: .chunk, chunk)
    #expect(throws: RecordingError.self) { try Self.read(bytes) }
    #expect(throws: RecordingError.self) { try Self.read(Array("no MCAP at all".utf8)) }
  }

  @Test("the checksum is that of zlib")
  func checksum() {
    // The check value of the catalogue of parametrised CRC algorithms, CRC-32/ISO-HDLC.
    #expect(CRC32(Array("123456789".utf8)).value == 0xCBF4_3926)
  }
}
