import Formats
import HostProtocol
import JSON
import LinuxIO
import Quantities
import ReceiverProtocols

/// The lines of gpsd's protocol that belong to the server, and those of an estimate.
enum GPSDObjects {
  /// gpsd's release whose protocol this is; clients compare the first number of the protocol with
  /// their own.
  private static let (release, major, minor) = ("3.22", 3, 14)
  /// The bit of the data of a receiver, in the flags of a device.
  /// - Source: gpsd_json(5), DEVICE: flags, SEEN_GPS 0x01.
  private static let seenReceiver = 1

  /// One line with CR and LF; empty where `fill` returns false.
  static func line(_ fill: (inout [UInt8]) -> Bool) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(512)
    guard fill(&text) else { return [] }
    return text + [13, 10]
  }

  private static func object(_ name: String, _ fill: (inout JSONWriter) -> Void) -> [UInt8] {
    line { text in
      var json = JSONWriter(appendingTo: &text)
      json.add("class", name)
      fill(&json)
      json.close(into: &text)
      return true
    }
  }

  static let version = object("VERSION") { json in
    json.add("release", release)
    json.add("rev", "\(release) (Lodestar)")
    json.add("proto_major", major)
    json.add("proto_minor", minor)
  }

  static func error(_ message: String) -> [UInt8] {
    object("ERROR") { $0.add("message", message) }
  }

  /// The path of the device: the receiver's, else a name for what the data come from.
  static func path(of source: SourceDescription) -> String {
    switch source.position {
    case .receiver(let port): port
    case .recording(let path): path
    case .simulation: "lodestar:simulated"
    case nil: "lodestar"
    }
  }

  static func devices(_ source: SourceDescription) -> [UInt8] {
    object("DEVICES") { json in
      json.add("devices", source.isOpen ? [source] : []) { source, json in
        json.add("class", "DEVICE")
        describe(source, &json)
      }
    }
  }

  static func device(_ source: SourceDescription) -> [UInt8] {
    object("DEVICE") { json in
      json.add("path", path(of: source))
      if source.isOpen { describe(source, &json, hasPath: true) } else { json.add("activated", 0) }
    }
  }

  private static func describe(
    _ source: SourceDescription, _ json: inout JSONWriter, hasPath: Bool = false
  ) {
    if !hasPath { json.add("path", path(of: source)) }
    json.add("driver", source.isSimulated ? "Lodestar, SIMULATED" : "Lodestar")
    json.add("activated", SystemClock.reading.utc)
    json.add("flags", seenReceiver)
    json.add("native", 0)
    // Clients read the speed of the line, which is not known here.
    json.add("bps", 0)
    json.add("parity", "N")
    json.add("stopbits", 1)
    json.add("cycle", 1, decimals: 2)
  }

  static func watch(_ watch: GPSDWatch) -> [UInt8] {
    object("WATCH") { json in
      json.add("enable", watch.isEnabled)
      json.add("json", watch.json)
      json.add("nmea", watch.nmea)
      json.add("raw", watch.raw)
      json.add("scaled", watch.scaled)
      json.add("timing", false)
      json.add("split24", watch.split24)
      json.add("pps", watch.pps)
      json.add("device", watch.device)
    }
  }

  /// TPV, and with a fix GST, and SKY where the receiver reports no satellites.
  static func position(_ estimate: Estimate, withSky: Bool, _ device: String) -> [UInt8] {
    let epoch = ReceiverEpoch(estimate)
    let fix = line {
      GPSDReport.append(tpv: epoch, device: device, to: &$0)
      return true
    }
    let sky = line {
      withSky && GPSDReport.append(skyOf: estimate, device: device, to: &$0)
    }
    let errors = line { GPSDReport.append(gstOf: epoch, device: device, to: &$0) }
    return fix + sky + errors
  }

  /// SKY with the receiver's satellites.
  static func sky(_ sky: SkyReport, _ device: String) -> [UInt8] {
    line {
      GPSDReport.append(sky: sky, device: device, to: &$0)
      return true
    }
  }

  /// The newest reports at once.
  static func poll(_ state: StreamState, _ watch: GPSDWatch) -> [UInt8] {
    let (estimate, source) = (state.latest, state.source)
    let device = path(of: source)
    return line { text in
      var head: [UInt8] = []
      var json = JSONWriter(appendingTo: &head)
      json.add("class", "POLL")
      json.add("time", SystemClock.reading.utc)
      json.add("active", watch.isEnabled && source.isOpen ? 1 : 0)
      json.close(into: &head)
      text += head.dropLast()
      // Clients read the first element of each list.
      let epoch =
        estimate.map { ReceiverEpoch($0) } ?? ReceiverEpoch(timestamp: Timestamp(nanoseconds: 0))
      func list(_ key: String, _ fill: (inout [UInt8]) -> Bool) {
        text += Array(",\"\(key)\":[".utf8)
        _ = fill(&text)
        text.append(UInt8(ascii: "]"))
      }
      list("tpv") { text in
        GPSDReport.append(tpv: epoch, device: device, to: &text)
        return true
      }
      list("gst") { text in
        GPSDReport.append(gstOf: epoch, device: device, to: &text)
      }
      list("sky") { text in
        if let sky = state.sky {
          GPSDReport.append(sky: sky, device: device, to: &text)
          return true
        }
        if let estimate, GPSDReport.append(skyOf: estimate, device: device, to: &text) {
          return true
        }
        var sky = JSONWriter(appendingTo: &text)
        sky.add("class", "SKY")
        sky.add("device", device)
        sky.close(into: &text)
        return true
      }
      text.append(UInt8(ascii: "}"))
      return true
    }
  }
}
