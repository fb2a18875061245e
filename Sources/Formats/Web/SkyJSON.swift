import JSON
import Quantities
import ReceiverProtocols

/// The satellites in view as one JSON object, for the web page and the HTTP server.
public enum SkyJSON {
  /// The object's bytes: `time` of the receiver, `satellites`, each with `system`, `number`,
  /// `elevation` and `azimuth` (degrees), `signal` (dB-Hz), `used`.
  /// - Parameters:
  ///   - sky: The satellites.
  ///   - type: The value of `type`; nil without that key.
  /// - Returns: The object, without a line end.
  public static func object(_ sky: SkyReport, type: String? = nil) -> [UInt8] {
    var text: [UInt8] = []
    var json = JSONWriter(appendingTo: &text)
    json.add(time: sky.utc)
    json.add("type", type)
    json.add("satellites", sky.satellites) { satellite, json in
      json.add("system", name(of: satellite.id.constellation))
      json.add("number", Int(satellite.id.number))
      json.add("elevation", satellite.elevationDegrees, decimals: 1)
      json.add("azimuth", satellite.azimuthDegrees, decimals: 1)
      json.add("signal", satellite.signalDecibelHertz, decimals: 1)
      json.add("used", satellite.isUsed)
    }
    json.close(into: &text)
    return text
  }

  package static func name(of system: Constellation) -> String {
    switch system {
    case .gps: "GPS"
    case .sbas: "SBAS"
    case .galileo: "Galileo"
    case .beidou: "BeiDou"
    case .qzss: "QZSS"
    case .glonass: "GLONASS"
    case .navic: "NavIC"
    }
  }
}
