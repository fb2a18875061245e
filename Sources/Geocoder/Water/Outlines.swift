import CGazetteer
import Quantities

/// What is at a position: a country's land, a lake or a sea.
enum Ground: Equatable, Sendable {
  /// Land of the country of this ISO code; nil where the state is disputed or none.
  case land(String?)
  /// A lake of this name.
  case lake(String)
  /// A sea or ocean of this name.
  case sea(String)
}

/// The outlines of land, lakes and seas in the program.
///
/// Land and lakes differ from the map by 3 km at most; seas end at land, and at the lines between
/// them by a degree at most. `Scripts/build-outlines` makes the file.
struct Outlines: Sendable {
  /// The greatest distance of an outline from the true one, metres.
  static let errorMetres = 3_000.0
  /// Those of the program.
  static let builtIn = Outlines(
    UnsafeRawBufferPointer(start: lodestar_outlines_bytes(), count: lodestar_outlines_size()))

  /// The steps of the file's coordinates in a degree.
  private static let steps = 100.0
  private static let ringHead = 10

  private enum Kind: UInt8, CaseIterable {
    case land, lake, sea
    /// A lake that the map counts as sea: what is on no land.
    case basin
  }

  private struct Bounds: Sendable {
    var west: Int16, east: Int16, south: Int16, north: Int16

    func contains(_ x: Double, _ y: Double) -> Bool {
      x >= Double(west) && x <= Double(east) && y >= Double(south) && y <= Double(north)
    }

    mutating func include(_ other: Bounds) {
      (west, east) = (min(west, other.west), max(east, other.east))
      (south, north) = (min(south, other.south), max(north, other.north))
    }
  }

  private struct Ring: Sendable {
    let bounds: Bounds
    /// Where the vertices begin in the file.
    let start: Int
    let count: Int
  }

  private struct Outline: Sendable {
    let name: String
    let bounds: Bounds
    let rings: Range<Int>
  }

  // The program's constant data, as bytes and as words.
  private nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  private nonisolated(unsafe) let words: UnsafeBufferPointer<Int16>
  private var outlines: [Kind: [Outline]] = [:]
  private var rings: [Ring] = []

  /// Reads the directory of a file that outlives the value. A file of another format has no
  /// outline.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    words = bytes.bindMemory(to: Int16.self)
    guard bytes.count > 8, bytes.prefix(4).elementsEqual("LSOL".utf8), word(4) == 1 else { return }
    var at = 8
    for _ in 0..<word(6) {
      guard let outline = readOutline(&at) else { return }
      outlines[outline.kind, default: []].append(outline.outline)
    }
  }

  /// The number of outlines.
  var count: Int { outlines.values.reduce(0) { $0 + $1.count } }

  /// The land at a position; nil on water.
  func land(at position: GeodeticPosition) -> Ground? {
    let (x, y) = Self.stepped(position)
    return name(of: .land, x, y).map { .land($0.isEmpty ? nil : $0) }
  }

  /// What is at a position.
  func ground(at position: GeodeticPosition) -> Ground? {
    let (x, y) = Self.stepped(position)
    if let lake = name(of: .lake, x, y) { return .lake(lake) }
    if let code = name(of: .land, x, y) { return .land(code.isEmpty ? nil : code) }
    if let basin = name(of: .basin, x, y) { return .lake(basin) }
    return name(of: .sea, x, y).map { .sea($0) }
  }

  private static func stepped(_ position: GeodeticPosition) -> (x: Double, y: Double) {
    // At the pole no edge is north of the position.
    (
      position.longitude.wrappedToHalfTurn.degrees * steps,
      min(position.latitude.degrees, 89.999) * steps
    )
  }

  private func name(of kind: Kind, _ x: Double, _ y: Double) -> String? {
    outlines[kind]?.first { outline in
      guard outline.bounds.contains(x, y) else { return false }
      // Even and odd: a ring within another is an island or a hole.
      return outline.rings.reduce(false) { $0 != contains(rings[$1], x, y) }
    }?.name
  }

  private func contains(_ ring: Ring, _ x: Double, _ y: Double) -> Bool {
    guard ring.bounds.contains(x, y) else { return false }
    // Whole steps: an edge is crossed where one end is above the position and the other is not.
    let row = Int16(clamping: Int(bounded: y.rounded(.down)))
    var isInside = false
    let end = ring.start / 2 + 2 * ring.count
    var (ax, ay) = (word(at: end - 2), word(at: end - 1))
    var index = ring.start / 2
    while index < end {
      let (bx, by) = (word(at: index), word(at: index + 1))
      if (ay > row) != (by > row) {
        let (west, south) = (Double(ax), Double(ay))
        if x < west + (y - south) * (Double(bx) - west) / (Double(by) - south) {
          isInside.toggle()
        }
      }
      (ax, ay) = (bx, by)
      index += 2
    }
    return isInside
  }

  private func word(at index: Int) -> Int16 { Int16(littleEndian: words[index]) }

  private func signed(_ at: Int) -> Int16 {
    Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: Int16.self))
  }

  private func word(_ at: Int) -> Int {
    Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt16.self)))
  }

  private mutating func readOutline(_ at: inout Int) -> (kind: Kind, outline: Outline)? {
    guard at + 4 <= bytes.count, let kind = Kind(rawValue: bytes[at]) else { return nil }
    let (length, count) = (Int(bytes[at + 1]), word(at + 2))
    at += 4
    guard at + length < bytes.count else { return nil }
    let name = String(decoding: bytes[at..<(at + length)], as: UTF8.self)
    at += length + length % 2
    let first = rings.count
    var all: Bounds?
    for _ in 0..<count {
      guard at + Self.ringHead <= bytes.count else { return nil }
      let bounds = Bounds(
        west: signed(at), east: signed(at + 2), south: signed(at + 4), north: signed(at + 6))
      let ring = Ring(bounds: bounds, start: at + Self.ringHead, count: word(at + 8))
      at = ring.start + 4 * ring.count
      guard at <= bytes.count, ring.count > 2 else { return nil }
      rings.append(ring)
      all?.include(bounds)
      all = all ?? bounds
    }
    guard let all else { return nil }
    return (kind, Outline(name: name, bounds: all, rings: first..<rings.count))
  }
}
