import Corrections
import Quantities

/// The answers of an NTRIP caster: equal for every split of the bytes, and within their limits.
struct NTRIPBody: FuzzBody {
  private static let pieces = [1, 2, 7, 1000]

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    let bytes = Array(input)
    let head = Self.head(bytes, piece: bytes.count + 1)
    let body = Self.body(bytes, piece: bytes.count + 1)
    for piece in Self.pieces {
      try expect(Self.head(bytes, piece: piece) == head, "another head in pieces of \(piece)")
      try expect(Self.body(bytes, piece: piece) == body, "another body in pieces of \(piece)")
    }
    try expect(body.bytes.count <= bytes.count, "a body longer than its chunks")
    for fault in [head.fault, body.fault].compactMap({ $0 }) {
      try expect(!"\(fault)".isEmpty && !"\(fault)".contains("\n"), "the fault '\(fault)'")
    }
    if let head = head.head {
      for mountPoint in ["M", nil] {
        do throws(CorrectionFault) {
          _ = try NTRIPContent(head, for: mountPoint, hasCredentials: true)
        } catch {
          try expect(!"\(error)".contains("\n"), "the fault '\(error)'")
        }
      }
    }
    try Self.checkTable(bytes)
  }

  private struct Head: Equatable {
    var head: NTRIPHead?
    var rest: [UInt8] = []
    var fault: CorrectionFault?
  }

  private static func head(_ bytes: [UInt8], piece: Int) -> Head {
    var (reader, rest) = (NTRIPHeadReader(), bytes[...])
    do throws(CorrectionFault) {
      while !rest.isEmpty {
        let found = try reader.append(rest.prefix(piece))
        rest = rest.dropFirst(piece)
        if let found { return Head(head: found.head, rest: Array(found.rest) + rest) }
      }
      return Head()
    } catch {
      return Head(fault: error)
    }
  }

  private struct Body: Equatable {
    var bytes: [UInt8] = []
    var isAtEnd = false
    var fault: CorrectionFault?
  }

  private static func body(_ bytes: [UInt8], piece: Int) -> Body {
    var (chunks, body, rest) = (ChunkedBody(), Body(), bytes[...])
    do throws(CorrectionFault) {
      while !rest.isEmpty {
        try chunks.append(rest.prefix(piece), to: &body.bytes)
        rest = rest.dropFirst(piece)
      }
    } catch {
      body.fault = error
    }
    body.isAtEnd = chunks.isAtEnd
    return body
  }

  private static func checkTable(_ bytes: [UInt8]) throws(Violation) {
    let table = SourceTable(bytes)
    try expect(table.streams.count <= bytes.count / 5, "more mount points than lines")
    for stream in table.streams {
      for text in [stream.mountPoint, stream.identifier, stream.format].compactMap({ $0 }) {
        try expect(!text.unicodeScalars.contains { $0.value < 0x20 }, "a control character")
      }
      if let place = stream.position {
        try expect(
          abs(place.latitude.degrees) <= 90.001 && abs(place.longitude.degrees) <= 180.001,
          "a place of \(place)")
      }
    }
    let place = GeodeticPosition(latitudeDegrees: 50, longitudeDegrees: 8)
    if let nearest = table.nearest(to: place) {
      try expect(nearest.isRTCM3 && nearest.position != nil, "a station that cannot be used")
    }
  }
}
