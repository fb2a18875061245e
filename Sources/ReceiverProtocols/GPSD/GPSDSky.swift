import JSON
import Quantities

/// The values of the last SKY and GST objects of one device.
struct GPSDSky: Equatable, Sendable {
  /// When the dilutions were received.
  var skyTimestamp: Timestamp?
  var horizontalDilution: Double?
  var verticalDilution: Double?
  var positionDilution: Double?
  var satellitesUsed: Int?
  /// The satellites in view.
  var view: SkyView?
  /// True until an epoch has reported `view`.
  var isViewNew = false

  /// When the errors were received.
  var errorTimestamp: Timestamp?
  /// One sigma, metres.
  var northError: Double?
  /// One sigma, metres.
  var eastError: Double?
  /// One sigma, metres.
  var verticalError: Double?

  /// How long dilutions are valid, s: receivers usually report the sky at least every five seconds.
  private static let skyLife = 10.0
  /// How long errors are valid, s: they are reported with every fix, before or after it.
  private static let errorLife = 2.0

  /// True while the dilutions are valid.
  func hasSky(at now: Timestamp) -> Bool {
    skyTimestamp.map { now.seconds(since: $0) <= Self.skyLife } ?? false
  }

  /// True while the errors are valid.
  func hasErrors(at now: Timestamp) -> Bool {
    errorTimestamp.map { now.seconds(since: $0) <= Self.errorLife } ?? false
  }

  /// Reads a SKY object. Daemons may send it in pieces: a value that one piece omits is kept.
  /// - Source: gpsd_json(5) of gpsd 3.22, tables "SKY object" and "Satellite object"; `nSat` and
  ///   `uSat` since 3.20.
  mutating func readSky(_ reader: inout JSONReader, at timestamp: Timestamp) {
    guard reader.beginObject() else { return }
    if !hasSky(at: timestamp) {
      (horizontalDilution, verticalDilution, positionDilution) = (nil, nil, nil)
      satellitesUsed = nil
    }
    skyTimestamp = timestamp
    let any = 0.0...Double.greatestFiniteMagnitude
    var usedCount: Int?
    while let key = reader.nextKey() {
      if key.is("hdop") {
        horizontalDilution = reader.number(in: any) ?? horizontalDilution
      } else if key.is("vdop") {
        verticalDilution = reader.number(in: any) ?? verticalDilution
      } else if key.is("pdop") {
        positionDilution = reader.number(in: any) ?? positionDilution
      } else if key.is("uSat") {
        usedCount = reader.integer()
      } else if key.is("satellites") {
        readSatellites(&reader)
      } else {
        reader.skip()
      }
    }
    if let usedCount {
      satellitesUsed = usedCount
    } else if let view {
      satellitesUsed = view.satellites.reduce(0) { $0 + ($1.isUsed ? 1 : 0) }
    }
  }

  private mutating func readSatellites(_ reader: inout JSONReader) {
    guard reader.beginArray() else { return }
    // Reuses the memory of the old array where no report refers to it.
    var satellites = view?.satellites ?? []
    view = nil
    satellites.removeAll(keepingCapacity: true)
    while reader.nextElement() {
      guard let satellite = SkyView.Satellite(&reader),
        !satellites.contains(where: { $0.id == satellite.id })
      else { continue }
      satellites.append(satellite)
    }
    view = SkyView(satellites: satellites)
    isViewNew = true
  }

  /// Reads a GST object.
  /// - Source: gpsd_json(5) of gpsd 3.22, table "GST object": standard deviations, metres.
  mutating func readErrors(_ reader: inout JSONReader, at timestamp: Timestamp) {
    guard reader.beginObject() else { return }
    errorTimestamp = timestamp
    (northError, eastError, verticalError) = (nil, nil, nil)
    let any = 0.0...Double.greatestFiniteMagnitude
    while let key = reader.nextKey() {
      if key.is("lat") {
        northError = reader.number(in: any)
      } else if key.is("lon") {
        eastError = reader.number(in: any)
      } else if key.is("alt") {
        verticalError = reader.number(in: any)
      } else {
        reader.skip()
      }
    }
  }
}

extension SkyView.Satellite {
  /// Reads an element of `satellites`; nil where it does not identify the satellite.
  fileprivate init?(_ reader: inout JSONReader) {
    var (number, system, inSystem): (Int?, Int?, Int?)
    var (elevation, azimuth, signal): (Double?, Double?, Double?)
    var (used, health): (Bool, Int?) = (false, nil)
    guard reader.beginObject() else { return nil }
    while let key = reader.nextKey() {
      if key.is("PRN") {
        number = reader.integer()
      } else if key.is("gnssid") {
        system = reader.integer()
      } else if key.is("svid") {
        inSystem = reader.integer()
      } else if key.is("el") {
        elevation = reader.number(in: -90...90)
      } else if key.is("az") {
        azimuth = reader.number(in: 0...360)
      } else if key.is("ss") {
        signal = reader.number()
      } else if key.is("used") {
        used = reader.flag() ?? false
      } else if key.is("health") {
        health = reader.integer()
      } else {
        reader.skip()
      }
    }
    guard let id = SatelliteID(gpsd: number, system: system, inSystem: inSystem) else {
      return nil
    }
    self.init(
      id: id, elevationDegrees: elevation, azimuthDegrees: azimuth,
      // 0 means that the satellite is not received.
      signalDecibelHertz: signal.flatMap { $0 > 0 ? $0 : nil }, isUsed: used,
      // 0 means that it is not known.
      isHealthy: health == 1 ? true : health == 2 ? false : nil)
  }
}

extension SatelliteID {
  /// Identifies a satellite by u-blox' numbers, which newer daemons add, else by the single number,
  /// whose ranges are those of NMEA receivers.
  /// - Source: gpsd_json(5) of gpsd 3.22, table "Satellite object".
  init?(gpsd number: Int?, system: Int?, inSystem: Int?) {
    if let system, let inSystem, inSystem > 0,
      let constellation = UInt8(exactly: system).flatMap({ Constellation(rawValue: $0) })
    {
      self.init(constellation: constellation, number: UInt16(inSystem))
      return
    }
    guard let number, let prn = UInt16(exactly: number) else { return nil }
    self.init(nmea: prn, talker: Talker(UInt8(ascii: "G"), UInt8(ascii: "N")), systemID: nil)
  }
}
