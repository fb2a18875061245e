import Configuration
import EarthModel
import Quantities

/// What a caster offers.
/// - Source: NTRIP 1.0 and 2.0, source table records STR, CAS and NET, as printed in the ProFlex 800
///   Reference Manual, "Decoding an NTRIP Source Table".
package struct SourceTable: Equatable, Sendable {
  /// A stream: a base station, or a network's virtual one.
  package struct Stream: Equatable, Sendable {
    /// Its name in a request.
    package var mountPoint: String
    /// Such as the nearest town.
    package var identifier: String?
    /// Such as `RTCM 3.2`.
    package var format: String?
    /// Message types, each with its interval in seconds in parentheses.
    package var formatDetails: String?
    /// Carrier phases: 0 none, 1 of one frequency, 2 of two.
    package var carrier: Int?
    /// Such as `GPS`, `GLO`, `GAL`, `BDS`.
    package var systems: [String]
    /// The network it belongs to.
    package var network: String?
    /// ISO 3166, three letters.
    package var country: String?
    /// The station's place, to a hundredth of a degree; nil where it is not known.
    package var position: GeodeticPosition?
    /// Whether the client must send its position.
    package var needsPosition: Bool
    /// Whether a network of stations computes it.
    package var isOfNetwork: Bool
    /// The device or program that makes it.
    package var generator: String?
    /// `N` none, `B` user and password, `D` digest.
    package var authentication: String?
    /// Whether it costs money.
    package var hasFee: Bool
    /// Bits per second.
    package var bitRate: Int?

    /// Whether it has RTCM 3.
    package var isRTCM3: Bool {
      let name = (format ?? "").uppercased().filter { $0 != " " && $0 != "_" && $0 != "-" }
      return name.hasPrefix("RTCM3")
    }

    /// The length of the geodesic from a place, metres; nil where its own place is not known.
    package func distanceMetres(from place: GeodeticPosition) -> Double? {
      position.map { Geodesic.inverse(from: place, to: $0).distanceMetres }
    }
  }

  /// The streams in the caster's order.
  package var streams: [Stream] = []
  /// Other casters, as `host:port`.
  package var casters: [String] = []
  /// The names of networks.
  package var networks: [String] = []
  /// Whether its last line was received.
  package var isComplete = false
  /// Whether it has more entries than are read.
  package private(set) var isTooLong = false

  /// The most bytes of a table: ten times that of the largest public caster.
  static let longest = 4 << 20
  /// The most entries of a table: several times those of the largest public caster.
  private static let mostEntries = 20_000
  /// The last line.
  private static let end = Array("ENDSOURCETABLE".utf8)

  /// Whether bytes contain the begin of the last line.
  static func hasEnd(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.indices.contains { bytes[$0] == end[0] && bytes[$0...].starts(with: end) }
  }

  /// The most bytes of the last line's begin that an earlier piece may have.
  static var endLength: Int { end.count }

  /// Reads a table; lines of other kinds, such as those of a header, are skipped.
  package init(_ bytes: some Collection<UInt8>) {
    var rest = bytes[bytes.startIndex...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest[line.endIndex...].dropFirst()
      if line.isEmpty { continue }
      guard streams.count + casters.count + networks.count < Self.mostEntries else {
        isTooLong = true
        return
      }
      let text = String(decoding: line, as: UTF8.self)
      let fields = Self.fields(text.last == "\r" ? text.dropLast() : text[...])
      switch fields.first {
      case "STR":
        if let stream = Stream(fields) { streams.append(stream) }
      case "CAS" where fields.count > 2: casters.append("\(fields[1]):\(fields[2])")
      case "NET" where fields.count > 1: networks.append(fields[1])
      case "ENDSOURCETABLE":
        isComplete = true
        return
      default: continue
      }
    }
  }

  /// The stream whose station is nearest to a place. Streams that need the client's position, and
  /// those in another format than RTCM 3, or with a name that cannot be requested, are left out.
  package func nearest(to place: GeodeticPosition) -> Stream? {
    streams.filter {
      $0.isRTCM3 && !$0.needsPosition && NTRIPSource.MountPoint($0.mountPoint) != nil
    }
    .compactMap { stream in stream.distanceMetres(from: place).map { (stream, $0) } }
    .min { $0.1 < $1.1 }?.0
  }

  /// The fields of a line: a semicolon within double quotes does not separate.
  private static func fields(_ line: Substring) -> [String] {
    let plain = line.split(separator: ";", omittingEmptySubsequences: false).map { field in
      String(printable: field, atMost: longestField)
    }
    // A quotation mark without its partner is a character.
    guard line.contains("\""), line.count(where: "\"") % 2 == 0 else { return plain }
    var fields: [String] = []
    var field = ""
    var isQuoted = false
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case ";" where !isQuoted:
        fields.append(String(printable: field, atMost: longestField))
        field = ""
      default: field.append(character)
      }
    }
    return fields + [String(printable: field, atMost: longestField)]
  }

  /// The longest text of a field.
  private static let longestField = 200
}

extension Substring {
  fileprivate func count(where wanted: Character) -> Int {
    reduce(0) { $1 == wanted ? $0 + 1 : $0 }
  }
}

extension SourceTable.Stream {
  /// More satellite systems than there are.
  private static let mostSystems = 16

  /// Reads the fields of a line; nil without a name. Fields at the end may be missing.
  fileprivate init?(_ fields: [String]) {
    func text(_ index: Int) -> String? {
      guard fields.indices.contains(index) else { return nil }
      let text = fields[index].drop { $0 == " " }
      return text.isEmpty ? nil : String(text)
    }
    guard let name = text(1) else { return nil }
    mountPoint = name
    (identifier, format, formatDetails) = (text(2), text(3), text(4))
    carrier = text(5).flatMap { Int($0) }
    systems = (text(6) ?? "").split { $0 == "+" || $0 == " " }.prefix(Self.mostSystems)
      .map(String.init)
    (network, country) = (text(7), text(8))
    if let latitude = text(9).flatMap({ Double($0) }), (-90...90).contains(latitude),
      let longitude = text(10).flatMap({ Double($0) }), (-360...360).contains(longitude),
      // Stations without a place have zeros.
      latitude != 0 || longitude != 0
    {
      position = GeodeticPosition(
        latitudeDegrees: latitude,
        longitudeDegrees: longitude > 180
          ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude)
    } else {
      position = nil
    }
    needsPosition = text(11) == "1"
    isOfNetwork = text(12) == "1"
    generator = text(13)
    authentication = text(15)
    hasFee = text(16) == "Y"
    bitRate = text(17).flatMap { Int($0) }
  }
}
