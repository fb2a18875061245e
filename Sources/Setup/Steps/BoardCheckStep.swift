import Configuration
import LinuxIO
import Quantities
import Terminal

/// Waits for the first heading of the daemon.
struct BoardCheckStep: SetupStep {
  let purpose =
    "Waits for the first heading of the daemon, \(Int(bounded: timeout)) s at most."

  /// Timeout of the first heading, seconds: a daemon that starts searches buses and ports first.
  private static let timeout = 30.0

  let figures: Figures

  init(isASCII: Bool = TerminalCapability.current.glyphs == .ascii) {
    figures = Figures(isASCII: isASCII)
  }

  func run(_ session: SetupSession) throws(SetupFault) {
    guard session.manner != .show else {
      return session.say("(only shown, not done)")
    }
    if session.answers?.isYes(.check) == false {
      return session.say("The answers ask for no check.")
    }
    let daemon = try DaemonFile(session)
    var isServed = true
    switch session.machine.heading(Self.timeout) {
    case .none(let reason) where session.machine.host.isRunBySystemd: throw .noHeading(reason)
    case .none:
      isServed = false
      session.say("No daemon runs yet: start it as step service says, then: lodestar heading")
    case .waiting(let source):
      if let fault = source.fault { return try offerSimulation(fault, daemon, session) }
      guard source.isOpen, !source.hasMagnetometer, source.hasCompass != true else {
        throw .noHeading(
          "the daemon runs and has given no heading for \(Int(bounded: Self.timeout)) s; see 'lodestar doctor'"
        )
      }
      session.say("The daemon runs. This board has no magnetometer: positions only.")
    case .heading(let estimate): show(estimate, session)
    }
    next(daemon, session, isServed: isServed)
  }

  /// Reports that there is no sensor; a user may try the simulated board.
  private func offerSimulation(
    _ fault: String, _ daemon: DaemonFile, _ session: SetupSession
  ) throws(SetupFault) {
    if session.manner == .ask {
      session.say("The daemon runs and waits for a sensor: \(fault).")
      let isWanted = try session.confirm(
        "Try the simulated board instead, labelled SIMULATED?", usual: false)
      if isWanted {
        try SensorsStep().simulate(daemon, session)
        guard session.hasNewConfiguration else { return }
        try ServiceStep().run(session)
        return try run(session)
      }
    }
    throw .noHeading(
      "the daemon runs and uses a sensor as soon as one is connected; now there is none: \(fault); to try it without a "
        + "sensor: sudo lodestar setup --simulate")
  }

  private func show(_ estimate: Estimate, _ session: SetupSession) {
    if estimate.isSimulated { session.say("SIMULATED: the values come from no sensor.") }
    func degrees(_ angle: Angle?) -> String {
      figures.direction(angle, padded: true).map { $0 + figures.degree } ?? figures.unknown
    }
    var lines = [
      "magnetic heading  \(degrees(estimate.magneticHeading?.angle))  "
        + figures.headingAccuracy(estimate)
    ]
    if let heading = estimate.trueHeading {
      lines.append("true heading      \(degrees(heading.angle))")
    }
    lines.append("calibration       \(figures.words(estimate.calibration))")
    if let place = estimate.position, let latitude = figures.latitude(place.latitude),
      let longitude = figures.longitude(place.longitude)
    {
      let accuracy = figures.accuracy(metres: estimate.horizontalAccuracyMetres) ?? ""
      lines.append("position          \(latitude)  \(longitude)  \(accuracy)")
    } else {
      lines.append("position          none yet; outdoors a receiver needs about a minute")
    }
    session.show(lines)
  }

  /// What to do next.
  private func next(_ daemon: DaemonFile, _ session: SetupSession, isServed: Bool) {
    session.say("Next:")
    func row(_ name: String, _ text: String) -> String {
      name + String(repeating: " ", count: max(2, 18 - name.count)) + text
    }
    var lines = [row("a compass here", "lodestar heading")]
    let port = daemon["gpsd-port"] ?? "\(GPSDAddress.usualPort)"
    if port != "0" { lines.append(row("gpsd's clients", "cgps localhost:\(port)")) }
    if let port = daemon["nmea-port"], port != "0" {
      lines.append(row("OpenCPN", "Options, Connections, Add, Network, TCP:"))
      lines.append(row("", "address \(place(daemon["nmea-address"])), port \(port)"))
    }
    if let port = daemon["signalk-port"], port != "0" {
      lines.append(row("Signal K", "\(place(daemon["signalk-address"])), port \(port)"))
    }
    if let interface = daemon["nmea2000-interface"] {
      lines.append(row("NMEA 2000", "\(interface), see Documentation/NMEA2000.md"))
    }
    for output in RareOutput.all {
      guard let value = daemon[output.key] else { continue }
      lines.append(row(output.word, value))
    }
    if let broker = daemon["mqtt-broker"] { lines.append(row("MQTT", broker)) }
    let page = daemon["http-port"] ?? "8090"
    if page != "0" { lines.append(row("a browser here", "http://localhost:\(page)")) }
    if page != "0", !daemon.isOpen(.http) {
      lines.append(row("a phone", "sudo lodestar setup --step servers (other devices may connect)"))
    }
    session.show(lines)
    guard page != "0", daemon.isOpen(.http) else { return }
    // A log has more readers than the terminal of the person who is shown the link.
    guard session.hasTerminal, isServed else {
      return session.show([row("a phone", "sudo lodestar token (a one-time link and its QR code)")])
    }
    session.say("The phone's link to the web page, with the permission to calibrate:")
    do throws(SetupFault) {
      try session.run([session.machine.program, "token"])
    } catch {
      // The heading is there: the set-up has succeeded without a link.
      session.say("\(error)")
    }
  }

  /// The address at which clients connect.
  private func place(_ address: String?) -> String {
    guard let address, address != "localhost" else { return "127.0.0.1" }
    return address == "0.0.0.0" ? MachineAddress.ofNetworks().first ?? "of this machine" : address
  }
}
