import Chips
import Quantities
import ReceiverProtocols

extension Board {
  /// The text of the board file; it reads back as this board.
  public var yaml: String {
    var lines = ["board: \(Self.quoted(name))", mountLine]
    let turned: [(String, Angle)] = [
      ("heading", trim.heading), ("pitch", trim.pitch), ("roll", trim.roll),
    ].filter { $0.1.radians != 0 }
    if !turned.isEmpty {
      lines.append(
        "trim: {" + turned.map { "\($0.0): \($0.1.degrees)" }.joined(separator: ", ") + "}")
    }
    if axes != .stated { lines.append("axes: \(axes.rawValue)") }
    if !sensors.isEmpty { lines.append("sensors:") }
    for sensor in sensors { lines += Self.lines(sensor) }
    lines += receiverLines
    lines += Self.entry(
      "compass:",
      compasses.map { compass in
        var lines = ["  accuracy: \(compass.accuracy.degrees)"]
        lines += Self.lines(name: compass.name, priority: compass.priority)
        if let port = compass.port {
          lines += ["  port: \(Self.quoted(port))", "  baud: \(compass.baud)"]
        }
        return lines
      })
    return lines.joined(separator: "\n") + "\n"
  }

  /// The line of the mount.
  package var mountLine: String { "mount: \(Self.text(mount))" }

  /// The lines of the receivers; none without one.
  package var receiverLines: [String] {
    Self.entry(
      "receiver:",
      receivers.map { receiver in
        var lines = ["  port: \(Self.quoted(receiver.port))"]
        lines += Self.lines(name: receiver.name, priority: receiver.priority)
        if let baud = receiver.baud { lines.append("  baud: \(baud)") }
        lines += Self.lines(receiver)
        if let pulse = receiver.pulse { lines.append("  pps: \(pulse.yaml)") }
        return lines
      })
  }

  /// A key with one mapping, or with a list of several; nothing without one.
  private static func entry(_ key: String, _ mappings: [[String]]) -> [String] {
    guard mappings.count > 1 else { return mappings.first.map { [key] + $0 } ?? [] }
    return [key]
      + mappings.flatMap { lines in
        lines.enumerated().map { $0 == 0 ? "  - " + $1.dropFirst(2) : "  " + $1 }
      }
  }

  private static func lines(name: String?, priority: Int?) -> [String] {
    [name.map { "  name: \(quoted($0))" }, priority.map { "  priority: \($0)" }].compactMap { $0 }
  }

  private static func lines(_ sensor: Sensor) -> [String] {
    var lines =
      sensor.chip.isOfKernel
      ? [
        "  - kernel: \(quoted(sensor.chip.rawValue))",
        "    measures: \(sensor.chip.quantity.rawValue)",
      ] : ["  - chip: \(sensor.chip.rawValue)"]
    if sensor.bus != Board.anyPlace { lines.append("    bus: \(plain(sensor.bus))") }
    if sensor.address != 0 { lines.append("    address: \(Hexadecimal.text(sensor.address))") }
    if let hertz = sensor.spiHertz { lines.append("    spi-clock: \(hertz)") }
    lines.append("    mount: \(text(sensor.mount))")
    for (quantity, key) in Sensor.mountKeys {
      if let mount = sensor.mounts[quantity] { lines.append("    \(key): \(text(mount))") }
    }
    if let baud = sensor.baud { lines.append("    baud: \(baud)") }
    if sensor.settings.usesOwnAttitude { lines.append("    attitude: module") }
    if let path = sensor.imagePath { lines.append("    image: \(quoted(path))") }
    let settings = sensor.settings
    if let rate = settings.rateHertz { lines.append("    rate: \(rate)") }
    if let latency = sensor.latencySeconds { lines.append("    latency: \(latency)") }
    if let line = sensor.dataReadyLine { lines.append("    data-ready: \(quoted(line))") }
    if let range = settings.fieldMicrotesla { lines.append("    field-range: \(range)") }
    if let range = settings.angularRateRadiansPerSecond {
      lines.append("    rotation-range: \(range * 180 / .pi)")
    }
    if let range = settings.specificForceMetresPerSecondSquared {
      lines.append("    force-range: \(range / 9.806_65)")
    }
    return lines
  }

  private static func lines(_ receiver: Receiver) -> [String] {
    var lines: [String] = []
    if let manner = receiver.setUp.manner { lines.append("  set-up: \(manner.rawValue)") }
    if let rate = receiver.setUp.rateHertz { lines.append("  rate: \(rate)") }
    if let model = receiver.setUp.model { lines.append("  model: \(model.word)") }
    if let messages = receiver.setUp.messages { lines.append("  messages: \(messages.rawValue)") }
    if let sentences = receiver.setUp.sentences {
      lines.append("  sentences: [\(sentences.map(\.rawValue).joined(separator: ", "))]")
    }
    if let systems = receiver.setUp.systems {
      lines.append("  systems: [\(systems.map(\.word).joined(separator: ", "))]")
    }
    if let degrees = receiver.setUp.maskDegrees { lines.append("  elevation-mask: \(degrees)") }
    if let base = receiver.setUp.base { lines.append("  base: \(text(base))") }
    if let isSent = receiver.setUp.sendsHeading { lines.append("  two-antennas: \(isSent)") }
    if let baud = receiver.setUp.baud { lines.append("  set-baud: \(baud)") }
    if let assists = receiver.assists { lines.append("  assist: \(assists ? "yes" : "no")") }
    if let a = receiver.antenna {
      lines.append("  antenna: {forward: \(a.forward), right: \(a.right), up: \(a.up)}")
    }
    if let text = text(receiver.baseline) { lines.append("  baseline: \(text)") }
    if !receiver.talkers.isEmpty {
      lines.append("  talkers: [\(receiver.talkers.joined(separator: ", "))]")
    }
    if let source = receiver.corrections { lines.append("  corrections: \(text(source))") }
    if let stream = receiver.correctionsOutput { lines.append("  rtcm-output: \(text(stream))") }
    return lines
  }

  /// The direction alone where that is all; nil for a baseline that no file states.
  private static func text(_ baseline: Baseline) -> String? {
    guard baseline.isStated else { return nil }
    let direction =
      switch baseline.direction {
      case .stated(let angle): "\(angle.degrees)"
      case .learnt: "learn"
      }
    var parts: [String] = []
    if let length = baseline.lengthMetres { parts.append("length: \(length)") }
    if baseline.accuracy != Baseline.usualAccuracy {
      parts.append("accuracy: \(2 * baseline.accuracy.degrees)")
    }
    guard !parts.isEmpty else { return direction }
    return "{\((["direction: \(direction)"] + parts).joined(separator: ", "))}"
  }

  private static func text(_ base: BaseStation) -> String {
    switch base {
    case .rover: "no"
    case .moving: "moving"
    case .survey(let seconds, let metres):
      "{survey: \(seconds)\(metres.map { ", accuracy: \($0)" } ?? "")}"
    case .fixed(let latitude, let longitude, let height):
      "{latitude: \(latitude), longitude: \(longitude), height: \(height)}"
    }
  }

  private static func text(_ stream: Stream) -> String {
    switch stream {
    case .file(let path): quoted(path)
    // An IPv6 address is written in brackets.
    case .tcp(let host, let port):
      quoted("tcp://\(host.contains(":") ? "[\(host)]" : host):\(port)")
    }
  }

  private static func text(_ source: CorrectionSource) -> String {
    var pairs: [String] = []
    switch source.origin {
    case .file(let path): return quoted(path)
    case .tcp(let host, let port):
      pairs.append("source: \(text(Stream.tcp(host: host, port: port)))")
    case .serial(let path, let baud):
      pairs += ["source: \(quoted(path))", "baud: \(baud)"]
    case .ntrip(let ntrip):
      pairs.append("source: \(quoted("\(ntrip)"))")
      if ntrip.mountPoint == .nearest { pairs.append("mount-point: nearest") }
      if let path = ntrip.credentialsPath { pairs.append("credentials: \(quoted(path))") }
      if let path = ntrip.certificatesPath { pairs.append("certificates: \(quoted(path))") }
      if let version = ntrip.version { pairs.append("version: \(version.rawValue)") }
      if let seconds = ntrip.positionIntervalSeconds { pairs.append("send-position: \(seconds)") }
    }
    if source.timeoutSeconds != CorrectionSource.usualTimeoutSeconds {
      pairs.append("timeout: \(source.timeoutSeconds)")
    }
    return "{\(pairs.joined(separator: ", "))}"
  }

  private static func text(_ mount: Mounting) -> String {
    switch mount {
    case .axes(let axes): "{x: \(axes.x), y: \(axes.y), z: \(axes.z)}"
    case .rotation(let angles):
      "{rotation: {heading: \(signed(angles.heading)), pitch: \(signed(angles.pitch)), "
        + "roll: \(signed(angles.roll))}}"
    case .automatic: "auto"
    }
  }

  private static func signed(_ angle: Angle) -> Double { angle.wrappedToHalfTurn.degrees }

  /// The path of a bus, quoted where it has other characters than usual.
  private static func plain(_ bus: String) -> String {
    bus.wholeMatch(of: /\/dev\/(i2c-|spidev)[0-9A-Za-z_.-]+/) == nil ? quoted(bus) : bus
  }

  /// A quoted text, which YAML reads as a string in every case.
  ///
  /// Single quotes where every character may stand between them; else double quotes, in which line
  /// ends and control characters are escaped.
  package static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.contains(where: { !isPrinted($0) }) else {
      return "'" + text.replacing("'", with: "''") + "'"
    }
    var quoted = "\""
    for scalar in scalars {
      if isPrinted(scalar), scalar != "\"", scalar != "\\" {
        quoted.unicodeScalars.append(scalar)
      } else {
        let digits = String(scalar.value, radix: 16)
        quoted += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      }
    }
    return quoted + "\""
  }

  /// False for the characters that YAML changes or refuses in a text.
  private static func isPrinted(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}
