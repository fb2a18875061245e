import Quantities
import ReceiverProtocols

/// The satellites of a receiver as NMEA 0183 sentences, by the talker of their system: GP, GL, GA,
/// GB, GQ, GI.
///
/// A number alone identifies a GPS, SBAS, GLONASS or QZSS satellite; one of another system needs
/// the talker.
/// - Source: NMEA 0183 4.11, GSA and GSV; u-blox M8 description UBX-13003221, appendix A.
extension NMEAReport {
  /// Satellites in one GSA, and in one GSV.
  private static let (mostUsed, mostInView) = (12, 4)

  /// GSA: the satellites in use and the dilutions; one sentence for each system and twelve
  /// satellites.
  /// - Parameters:
  ///   - sky: The satellites.
  ///   - estimate: The fix, for the kind of solution and for dilutions that the sky does not have.
  /// - Returns: The sentences, each with checksum, CR and LF.
  public static func gsa(_ sky: SkyReport, of estimate: Estimate) -> [UInt8] {
    let isFix = estimate.fixKind.map { $0 != .none } ?? false && estimate.position != nil
    let hasAltitude = estimate.altitudeMetres != nil || estimate.ellipsoidalAltitudeMetres != nil
    let dimension = !isFix ? 1 : hasAltitude ? 3 : 2
    let used = groups(sky.satellites.filter { $0.isUsed })
    var bytes: [UInt8] = []
    func add(_ talker: Talking, _ satellites: ArraySlice<SkyView.Satellite>) {
      var line = SentenceLine(talker.gsa)
      line.field("A")
      line.field(integer: dimension)
      for index in 0..<mostUsed {
        let place = satellites.startIndex + index
        if place < satellites.endIndex {
          line.field(integer: number(satellites[place].id), width: 2)
        } else {
          line.field()
        }
      }
      line.field(sky.positionDilution, decimals: 2)
      line.field(sky.horizontalDilution ?? estimate.horizontalDilution, decimals: 2)
      line.field(sky.verticalDilution ?? estimate.verticalDilution, decimals: 2)
      line.field(integer: talker.system)
      bytes += line.closed()
    }
    for (talker, satellites) in used {
      for start in stride(from: 0, to: satellites.count, by: mostUsed) {
        add(talker, satellites[start..<min(start + mostUsed, satellites.count)])
      }
    }
    if used.isEmpty { add(.gps, []) }
    return bytes
  }

  /// GSV: the satellites in view, four in a sentence, each system on its own.
  public static func gsv(_ sky: SkyReport) -> [UInt8] {
    var bytes: [UInt8] = []
    for (talker, all) in groups(sky.satellites) {
      // The standard has one digit for the parts.
      let satellites = all.prefix(9 * mostInView)
      let parts = (satellites.count + mostInView - 1) / mostInView
      for part in 0..<parts {
        var line = SentenceLine(talker.gsv)
        line.field(integer: parts)
        line.field(integer: part + 1)
        line.field(integer: satellites.count, width: 2)
        for satellite in satellites.dropFirst(part * mostInView).prefix(mostInView) {
          line.field(integer: number(satellite.id), width: 2)
          line.field(whole: satellite.elevationDegrees, 0...90, width: 2)
          // 359.6 is north.
          let azimuth = satellite.azimuthDegrees.map { $0 >= 359.5 ? $0 - 360 : $0 }
          line.field(whole: azimuth.map { max(0, $0) }, 0...359, width: 3)
          line.field(whole: satellite.signalDecibelHertz, 0...99, width: 2)
        }
        bytes += line.closed()
      }
    }
    return bytes
  }

  /// The systems that have a talker and an NMEA system identifier of their own; SBAS is part of
  /// GPS.
  private enum Talking: CaseIterable {
    case gps, glonass, galileo, beidou, qzss, navic

    init(_ constellation: Constellation) {
      self =
        switch constellation {
        case .gps, .sbas: .gps
        case .glonass: .glonass
        case .galileo: .galileo
        case .beidou: .beidou
        case .qzss: .qzss
        case .navic: .navic
        }
    }

    var gsa: StaticString {
      switch self {
      case .gps: "GPGSA"
      case .glonass: "GLGSA"
      case .galileo: "GAGSA"
      case .beidou: "GBGSA"
      case .qzss: "GQGSA"
      case .navic: "GIGSA"
      }
    }

    var gsv: StaticString {
      switch self {
      case .gps: "GPGSV"
      case .glonass: "GLGSV"
      case .galileo: "GAGSV"
      case .beidou: "GBGSV"
      case .qzss: "GQGSV"
      case .navic: "GIGSV"
      }
    }

    var system: Int {
      switch self {
      case .gps: 1
      case .glonass: 2
      case .galileo: 3
      case .beidou: 4
      case .qzss: 5
      case .navic: 6
      }
    }
  }

  /// The satellites of each system; systems without satellites are left out.
  private static func groups(
    _ satellites: [SkyView.Satellite]
  ) -> [(Talking, [SkyView.Satellite])] {
    Talking.allCases.compactMap { talker in
      let own = satellites.filter { Talking($0.id.constellation) == talker }
      return own.isEmpty ? nil : (talker, own)
    }
  }

  private static func number(_ id: SatelliteID) -> Int {
    let number = Int(id.number)
    return switch id.constellation {
    case .gps, .galileo, .beidou, .navic: number
    // 33 to 64 for 120 to 151; newer ones have their own number.
    case .sbas: number <= 151 ? number - 87 : number
    case .glonass: number + 64
    case .qzss: number + 192
    }
  }
}

extension SentenceLine {
  /// Adds a whole number, or an empty field where it is nil or out of range.
  fileprivate mutating func field(whole value: Double?, _ range: ClosedRange<Int>, width: Int) {
    guard let value, value.isFinite else { return field() }
    let rounded = Int(bounded: value.rounded())
    if range.contains(rounded) { field(integer: rounded, width: width) } else { field() }
  }
}
