/// A satellite navigation system, with u-blox' `gnssId` as raw value.
public enum Constellation: UInt8, CaseIterable, Sendable {
  /// United States.
  case gps = 0
  /// Augmentation from geostationary orbit: WAAS, EGNOS, MSAS, GAGAN.
  case sbas = 1
  /// European Union.
  case galileo = 2
  /// China.
  case beidou = 3
  /// Japan.
  case qzss = 5
  /// Russia.
  case glonass = 6
  /// India.
  case navic = 7
}

/// A satellite, identified by its system and its number within the system.
public struct SatelliteID: Equatable, Hashable, Sendable {
  /// The system.
  public var constellation: Constellation
  /// The number within the system: GPS 1 to 32, GLONASS slot 1 to 24, SBAS PRN 120 to 158, ….
  public var number: UInt16

  /// Makes an identity.
  public init(constellation: Constellation, number: UInt16) {
    self.constellation = constellation
    self.number = number
  }

  /// Identifies the satellite of a number in GSA or GSV.
  ///
  /// Ranges that only one system uses have priority. Other numbers count within the system of the
  /// system identifier or of the talker, or within GPS where neither names a system.
  /// - Source: NMEA 0183 4.11, GSA notes; u-blox M8 description UBX-13003221 appendix A, "Satellite
  ///   numbering"; Quectel and SkyTraq manuals for 101 (BeiDou 201, 401), 301 (Galileo), 901
  ///   (NavIC).
  init?(nmea number: UInt16, talker: Talker, systemID: UInt8?) {
    let system = Self.constellation(systemID: systemID) ?? talker.constellation
    switch number {
    case 193...202 where system != .beidou: self.init(constellation: .qzss, number: number - 192)
    case 201...263: self.init(constellation: .beidou, number: number - 200)
    case 301...336: self.init(constellation: .galileo, number: number - 300)
    case 401...463: self.init(constellation: .beidou, number: number - 400)
    case 901...918: self.init(constellation: .navic, number: number - 900)
    case 120...158 where system != .galileo && system != .beidou:
      self.init(constellation: .sbas, number: number)
    case 101...136 where system == .galileo:
      self.init(constellation: .galileo, number: number - 100)
    case 101...163 where system == .beidou:
      self.init(constellation: .beidou, number: number - 100)
    case 1...64 where system != nil && system != .gps && system != .glonass:
      self.init(constellation: system ?? .gps, number: number)
    case 33...64: self.init(constellation: .sbas, number: number + 87)
    case 65...99: self.init(constellation: .glonass, number: number - 64)
    case 1...32: self.init(constellation: system == .glonass ? .glonass : .gps, number: number)
    default: return nil
    }
  }

  /// - Source: NMEA 0183 4.11, GNSS system identifier.
  private static func constellation(systemID: UInt8?) -> Constellation? {
    switch systemID {
    case 1: .gps
    case 2: .glonass
    case 3: .galileo
    case 4: .beidou
    case 5: .qzss
    case 6: .navic
    default: nil
    }
  }
}
