extension SatelliteID {
  /// Identifies a satellite by its system and satellite number.
  /// - Returns: nil for an unknown system (including gnssId 4, indoor transmitters), and for a
  ///   GLONASS satellite of unknown slot (255).
  /// - Source: u-blox ZED-F9P interface description UBX-18010854-R04, appendix A "Satellite
  ///   Numbering", column "UBX gnssId:svId".
  init?(gnssID: UInt8, svID: UInt8) {
    guard let constellation = Constellation(rawValue: gnssID), svID != 0, svID != 255 else {
      return nil
    }
    self.init(constellation: constellation, number: UInt16(svID))
  }

  /// Identifies a satellite by the single number of messages before M8.
  /// - Returns: nil for indoor transmitters (173 to 182), for GLONASS of unknown slot (255), and
  ///   for unassigned numbers.
  /// - Source: u-blox ZED-F9P interface description UBX-18010854-R04, appendix A "Satellite
  ///   Numbering", column "UBX svId"; QZSS above 197 continues it.
  init?(ubxSingleNumber number: UInt8) {
    let number = UInt16(number)
    switch number {
    case 1...32: self.init(constellation: .gps, number: number)
    case 33...64: self.init(constellation: .beidou, number: number - 27)
    case 65...96: self.init(constellation: .glonass, number: number - 64)
    case 120...158: self.init(constellation: .sbas, number: number)
    case 159...163: self.init(constellation: .beidou, number: number - 158)
    case 193...202: self.init(constellation: .qzss, number: number - 192)
    case 211...246: self.init(constellation: .galileo, number: number - 210)
    default: return nil
    }
  }
}
