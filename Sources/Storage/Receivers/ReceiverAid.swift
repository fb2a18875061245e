import LinuxIO
import Quantities
import RealModule

/// What a receiver is given at its next start: its last place, and its navigation database.
package struct ReceiverAid: Equatable, Sendable {
  /// A place of the past.
  package struct Place: Equatable, Sendable {
    package var position: GeodeticPosition
    /// Above the WGS 84 ellipsoid.
    package var heightMetres: Double
    /// One sigma at `utc`.
    package var accuracyMetres: Double
    package var utc: UTCTime

    package init(
      _ position: GeodeticPosition, heightMetres: Double, accuracyMetres: Double, utc: UTCTime
    ) {
      (self.position, self.heightMetres) = (position, heightMetres)
      (self.accuracyMetres, self.utc) = (accuracyMetres, utc)
    }
  }

  /// A navigation database, which only the receiver that sent it may be given.
  package struct Orbits: Equatable, Sendable {
    /// The number of the receiver's chip and its firmware.
    package var receiver: String
    package var utc: UTCTime
    /// The payloads of its messages.
    package var entries: [[UInt8]]

    package init(receiver: String, utc: UTCTime, entries: [[UInt8]]) {
      (self.receiver, self.utc, self.entries) = (receiver, utc, entries)
    }
  }

  package var place: Place?
  package var orbits: Orbits?

  package init() {}

  /// Speed by which the place becomes uncertain while nothing is known of it, metres per second: a
  /// vehicle that travels half of the time. Larger: the place is of use for a shorter time.
  private static let wander = 10.0
  /// A less accurate place does not help: satellites in view change over some hundred kilometres.
  private static let leastAccuracyMetres = 300_000.0
  /// Time for which a receiver's predicted orbits are valid, s: up to six days.
  /// - Source: u-blox NEO-M9N integration manual UBX-19014286, 3.9.4.3.
  private static let orbitLifetime = 6 * 86_400.0

  /// What may be given now, to this receiver: older than its lifetime, of another receiver, or
  /// later than now (the clock is wrong) is left out. The place's accuracy becomes that of the
  /// present.
  /// - Parameters:
  ///   - now: The present time.
  ///   - receiver: The receiver; nil where its number is not known.
  /// - Returns: What is left.
  package func usable(at now: UTCTime, by receiver: String?) -> ReceiverAid {
    var aid = ReceiverAid()
    if var place, case let age = now.seconds(since: place.utc), age >= 0 {
      place.accuracyMetres = Double.hypot(place.accuracyMetres, Self.wander * age)
      if place.accuracyMetres <= Self.leastAccuracyMetres { aid.place = place }
    }
    if let orbits, orbits.receiver == receiver,
      (0...Self.orbitLifetime).contains(now.seconds(since: orbits.utc))
    {
      aid.orbits = orbits
    }
    return aid
  }

  /// True where it has nothing.
  package var isEmpty: Bool { self == ReceiverAid() }
}

/// The aid of the receiver at one port on disk: lines of text with a checksum, replaced atomically.
package struct ReceiverAidFile: Sendable {
  /// The first line begins so; the version of the format follows.
  private static let mark = "lodestar receiver aid "
  private static let version = 1
  private static let title = mark + "\(version)"
  /// Largest file that is read, bytes: several times a navigation database.
  private static let mostBytes = 1 << 20
  /// Bytes that are read for the version: more than the first line has.
  private static let headBytes = 64

  package let path: String

  /// Makes the file of a port in a state folder.
  package init(port: String, in folder: String) {
    let name = port.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: Character(Unicode.Scalar(byte))
      default: Character("-")
      }
    }
    // The checksum keeps the names of ports apart that differ only in replaced or cut characters.
    path = "\(folder)/receiver\(String(name.suffix(80)))-\(CRC32C.text(port.utf8)).aid"
  }

  /// The stored aid; nil without a file. A damaged file is renamed, and `report` called.
  package func read(_ report: (String) -> Void) throws(FileFault) -> ReceiverAid? {
    try checkVersion()
    return try LinuxFiles(largestBytes: Self.mostBytes).stored(at: path, report) { Self.aid($0) }
  }

  /// The version of a newer program's file; nil for others.
  private static func newerVersion(of text: String) -> Int? {
    guard let line = text.split(separator: "\n").first, line.hasPrefix(mark),
      let found = Int(line.dropFirst(mark.count)), found > version
    else { return nil }
    return found
  }

  /// Throws where the file is of a newer program, which stays as it is.
  private func checkVersion() throws(FileFault) {
    let head: [UInt8]
    // A file that cannot be read has no known version and is accepted, so that a damaged medium
    // does not stop the storing.
    do throws(FileFault) {
      head = try LinuxFiles().content(of: path, first: Self.headBytes)
    } catch {
      return
    }
    guard let found = Self.newerVersion(of: String(decoding: head, as: UTF8.self)) else { return }
    throw FileFault(
      action: "use", path: path, code: 0, detail: StateVersion.reason(found, known: Self.version))
  }

  /// Replaces the stored aid; one of a newer program is not replaced.
  package func write(_ aid: ReceiverAid) throws(FileFault) {
    try checkVersion()
    try LinuxFiles().writePrivate(Array(Self.text(aid).utf8), to: path)
  }

  // MARK: The text

  /// The file's content.
  package static func text(_ aid: ReceiverAid) -> String {
    var text = title + "\n"
    if let place = aid.place {
      text +=
        "place \(place.utc.nanosecondsSince1970) \(place.position.latitude.degrees) "
        + "\(place.position.longitude.degrees) \(place.heightMetres) \(place.accuracyMetres)\n"
    }
    if let orbits = aid.orbits {
      text += "orbits \(orbits.utc.nanosecondsSince1970) \(orbits.receiver)\n"
      for entry in orbits.entries {
        text += entry.hexadecimalText + "\n"
      }
    }
    return text + "crc \(CRC32C.text(text.utf8))\n"
  }

  /// The aid of a file's content; nil for a damaged or foreign one.
  package static func aid(_ text: String) -> ReceiverAid? {
    guard text.utf8.count <= mostBytes, let end = text.range(ofLast: "crc "),
      text[end...] == "crc \(CRC32C.text(text[..<end].utf8))\n"
    else { return nil }
    var lines = text[..<end].split(separator: "\n", omittingEmptySubsequences: false).dropLast()[
      ...]
    guard lines.popFirst() == title[...] else { return nil }
    var aid = ReceiverAid()
    if let line = lines.first, line.hasPrefix("place ") {
      lines.removeFirst()
      guard let place = place(line) else { return nil }
      aid.place = place
    }
    if let line = lines.first {
      lines.removeFirst()
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count == 3, words[0] == "orbits", let utc = Int64(words[1]) else { return nil }
      var entries: [[UInt8]] = []
      for line in lines {
        guard let entry = bytes(line) else { return nil }
        entries.append(entry)
      }
      aid.orbits = ReceiverAid.Orbits(
        receiver: String(words[2]), utc: UTCTime(nanosecondsSince1970: utc), entries: entries)
    }
    return aid
  }

  private static func place(_ line: Substring) -> ReceiverAid.Place? {
    let words = line.split(separator: " ").dropFirst()
    let numbers = words.dropFirst().compactMap { Double($0) }
    guard words.count == 5, numbers.count == 4, let utc = words.first.flatMap({ Int64($0) }),
      (-90...90).contains(numbers[0]), (-180...180).contains(numbers[1]),
      (-1e5...1e6).contains(numbers[2]), (0...1e7).contains(numbers[3])
    else { return nil }
    return ReceiverAid.Place(
      GeodeticPosition(latitudeDegrees: numbers[0], longitudeDegrees: numbers[1]),
      heightMetres: numbers[2], accuracyMetres: numbers[3],
      utc: UTCTime(nanosecondsSince1970: utc))
  }

  private static func bytes(_ line: Substring) -> [UInt8]? {
    let digits = line.utf8.map { byte -> UInt8? in
      switch byte {
      case 0x30...0x39: byte - 0x30
      case 0x61...0x66: byte - 0x61 + 10
      default: nil
      }
    }
    guard !digits.isEmpty, digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

extension String {
  /// The place of the last line that begins with a text.
  fileprivate func range(ofLast prefix: String) -> Index? {
    guard let end = dropLast().lastIndex(of: "\n") else { return nil }
    let start = index(after: end)
    return self[start...].hasPrefix(prefix) ? start : nil
  }
}
