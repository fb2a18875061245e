import Configuration
import LinuxIO
import Servers

/// Chooses what the daemon serves to other programs and machines.
struct ServersStep: SetupStep {
  let purpose =
    "Chooses for which programs the daemon serves. Other keys and comments of \(DaemonFile.path) stay."

  /// The drop-in of the unit for connections beyond this machine.
  static let dropInPath = "/etc/systemd/system/lodestar.service.d/network.conf"
  /// The setting of `Packaging/systemd/network.conf`, where that file is not installed.
  static let dropIn = """
    # Removes the unit's limit to addresses of this machine; written by 'lodestar setup'.
    [Service]
    IPAddressDeny=

    """
  /// The usual ports of NMEA 0183 and of Signal K.
  private static let (nmeaPort, signalKPort) = (10_110, 3000)
  private static let passwordPath = "/etc/lodestar/mqtt-password"

  /// The answers, by key; nil removes the key.
  private typealias Values = [(key: String, value: String?)]

  func run(_ session: SetupSession) throws(SetupFault) {
    let daemon = try DaemonFile(session)
    var values: Values = []
    var changes: [SetupChange] = []
    try askGPSD(&values, daemon, session)
    try askPort(
      "nmea-port", Self.nmeaPort, "NMEA 0183 by TCP for OpenCPN and other plotters", &values,
      daemon, session)
    try askPort(
      "signalk-port", Self.signalKPort, "Signal K for plotters and apps", &values, daemon, session)
    try askBus(&values, daemon, session)
    try askRareOutputs(&values, daemon, session)
    let isRemoteBroker = try askBroker(&values, &changes, daemon, session)
    let isOpen = try askNetwork(&values, daemon, session)
    if let change = try daemon.change(values) { changes.append(change) }
    let isOutputRemote = RareOutput.all.contains { output in
      value(of: output.key.rawValue, values, daemon).map(RareOutput.isRemote) ?? false
    }
    if isOpen || isRemoteBroker || isOutputRemote { changes += try dropInChanges(session) }
    guard !changes.isEmpty else { return session.say("No change.") }
    if try session.apply(changes, "Write this?") { session.hasNewConfiguration = true }
  }

  /// gpsd's port, which another daemon may have.
  private func askGPSD(
    _ values: inout Values, _ daemon: DaemonFile, _ session: SetupSession
  ) throws(SetupFault) {
    if let answers = session.answers {
      return try addPort(.gpsdPort, off: "0", answers, &values, daemon, session)
    }
    let port = Int(daemon["gpsd-port"] ?? "") ?? Int(GPSDAddress.usualPort)
    guard port != 0 else {
      return session.show(["gpsd's protocol: off"])
    }
    guard let owner = owner(of: port, session) else {
      return session.show([
        "gpsd's protocol: port \(port), for cgps, gpspipe and many other programs"
      ])
    }
    session.say(
      "Port \(port) of gpsd's protocol is used by \(owner): gpsd's clients receive its fixes, not Lodestar's."
    )
    if try session.confirm("Switch this port of Lodestar off?", usual: true) {
      values.append(("gpsd-port", "0"))
    }
  }

  /// A port that is off by default.
  private func askPort(
    _ key: String, _ usual: Int, _ text: String, _ values: inout Values, _ daemon: DaemonFile,
    _ session: SetupSession
  ) throws(SetupFault) {
    if let answers = session.answers, let question = SetupAnswers.Key(rawValue: key) {
      try addPort(question, off: nil, answers, &values, daemon, session)
      if answers.port(question) == nil { removeAddress(of: key, &values, daemon) }
      return
    }
    let present = Int(daemon[key] ?? "") ?? 0
    let port = present == 0 ? usual : present
    var owner: String?
    if present == 0, let other = self.owner(of: port, session) {
      session.say("Port \(port) is used by \(other).")
      owner = other
    }
    guard try session.confirm("\(text) (port \(port))?", usual: present != 0) else {
      if present != 0 { values.append((key, nil)) }
      return removeAddress(of: key, &values, daemon)
    }
    var chosen = "\(port)"
    if owner != nil {
      chosen = try session.enter("Another port", usual: "\(port + 1)") {
        ServeKey.fault(of: $0, for: key)
      }
    }
    values.append((key, chosen))
  }

  /// The CAN interface of NMEA 2000, where the machine has one.
  private func askBus(
    _ values: inout Values, _ daemon: DaemonFile, _ session: SetupSession
  ) throws(SetupFault) {
    guard session.answers == nil else { return add(.nmea2000, &values, daemon, session) }
    let key = SetupAnswers.Key.nmea2000.rawValue
    let present = daemon[key]
    let found = CANInterface.names(in: session.machine.host.root + "/sys/class/net").first
    guard let interface = present ?? found else { return }
    let isWanted = try session.confirm(
      "NMEA 2000 at the CAN interface \(interface), whose devices then read the position?",
      usual: present != nil)
    if isWanted != (present != nil) { values.append((key, isWanted ? interface : nil)) }
  }

  /// The outputs that few boards have.
  private func askRareOutputs(
    _ values: inout Values, _ daemon: DaemonFile, _ session: SetupSession
  ) throws(SetupFault) {
    guard session.answers == nil else {
      for output in RareOutput.all { add(output.key, &values, daemon, session) }
      return
    }
    func list(_ outputs: [RareOutput]) -> String {
      outputs.map(\.word).joined(separator: ", ")
    }
    let old = list(RareOutput.all.filter { daemon[$0.key] != nil })
    let expected = "some of \(list(RareOutput.all)), or none"
    let text = try session.enter(
      "Further outputs: \(expected)", usual: old.isEmpty ? SetupAnswers.none : old
    ) { RareOutput.named(in: $0) == nil ? "expected \(expected)" : nil }
    let wanted = RareOutput.named(in: text) ?? []
    for output in RareOutput.all {
      let key = output.key.rawValue
      switch (wanted.contains { $0.key == output.key }, daemon[output.key]) {
      case (true, nil):
        let value = try session.enter(output.question, usual: output.usual) {
          ServeKey.fault(of: $0, for: key).map { "expected \($0)" }
        }
        // An empty line, where there is no usual value, is a change of mind.
        guard !value.isEmpty else { continue }
        values.append((key, value))
      case (false, _?): values.append((key, nil))
      case (true, _?), (false, nil): break
      }
    }
  }

  /// Adds what the answers say about an output that few boards have.
  private func add(
    _ key: SetupAnswers.Key, _ values: inout Values, _ daemon: DaemonFile, _ session: SetupSession
  ) {
    guard let answer = session.answers?[key] else { return }
    let value = answer == SetupAnswers.off ? nil : answer
    if value != daemon[key.rawValue] { values.append((key.rawValue, value)) }
  }

  /// An address without a port has no effect.
  private func removeAddress(of port: String, _ values: inout Values, _ daemon: DaemonFile) {
    let address = port.replacing("-port", with: "-address")
    if daemon[address] != nil { values.append((address, nil)) }
  }

  /// Adds a port of the answers; `off` is the value of a port that is off, nil where that is the
  /// default.
  private func addPort(
    _ question: SetupAnswers.Key, off: String?, _ answers: SetupAnswers, _ values: inout Values,
    _ daemon: DaemonFile, _ session: SetupSession
  ) throws(SetupFault) {
    let (key, port) = (question.rawValue, answers.port(question))
    if let port, let owner = Int(port).flatMap({ owner(of: $0, session) }) {
      throw answers.fault(
        question, "the port is used by \(owner); stop that program, or choose another")
    }
    let isDefault = question == .gpsdPort && port == "\(GPSDAddress.usualPort)"
    // A default that the file does not state stays unstated.
    if isDefault, daemon[key] == nil { return }
    values.append((key, port ?? off))
  }

  /// The broker with its user, from the answers.
  private func addBroker(
    _ answers: SetupAnswers, _ values: inout Values, _ changes: inout [SetupChange],
    _ daemon: DaemonFile, _ session: SetupSession
  ) throws(SetupFault) -> Bool {
    let text = answers[.broker] ?? SetupAnswers.none
    guard text != SetupAnswers.none else {
      values += ["mqtt-broker", "mqtt-username", "mqtt-password-file"].filter {
        daemon[$0] != nil
      }.map { ($0, nil) }
      return false
    }
    let user = answers[.username].flatMap { $0 == SetupAnswers.none ? nil : $0 }
    values += [("mqtt-broker", text), ("mqtt-username", user)]
    let file = user == nil ? nil : answers.file(.passwordFile)
    values.append(("mqtt-password-file", file.map { _ in Self.passwordPath }))
    if let file {
      let isInPlace = file == Self.passwordPath
      let password: String
      do throws(FileFault) {
        password = try LinuxFiles().secret(of: isInPlace ? session.machine.host.root + file : file)
      } catch {
        throw answers.fault(.passwordFile, error.reason)
      }
      if !isInPlace, try session.text(of: Self.passwordPath) != password {
        changes += passwordChanges(password, session)
      }
    }
    return MQTTBroker(text).map { !$0.isLocal } ?? false
  }

  private func passwordChanges(_ content: String, _ session: SetupSession) -> [SetupChange] {
    var changes = [SetupChange.secret(path: Self.passwordPath, content: content)]
    // The daemon reads it as its own user, who exists once the service is installed.
    if session.machine.host.accounts.user("lodestar") != nil {
      changes.append(.command(["chown", "lodestar:lodestar", Self.passwordPath]))
    }
    return changes
  }

  /// The broker with its user.
  /// - Returns: True where it is another machine.
  private func askBroker(
    _ values: inout Values, _ changes: inout [SetupChange], _ daemon: DaemonFile,
    _ session: SetupSession
  ) throws(SetupFault) -> Bool {
    if let answers = session.answers {
      return try addBroker(answers, &values, &changes, daemon, session)
    }
    let key = "mqtt-broker"
    let present = daemon[key]
    let text = try session.enter(
      "MQTT broker for Home Assistant, such as mqtts://HOST", usual: present ?? "none"
    ) {
      $0 == "none" ? nil : ServeKey.fault(of: $0, for: key).map { "expected \($0), or none" }
    }
    guard text != "none" else {
      values += [key, "mqtt-username", "mqtt-password-file"].filter { daemon[$0] != nil }
        .map { ($0, nil) }
      return false
    }
    values.append((key, text))
    if text != present { try askUser(&values, &changes, daemon, session) }
    return MQTTBroker(text).map { !$0.isLocal } ?? false
  }

  private func askUser(
    _ values: inout Values, _ changes: inout [SetupChange], _ daemon: DaemonFile,
    _ session: SetupSession
  ) throws(SetupFault) {
    let user = try session.enter(
      "User name at the broker, or none", usual: daemon["mqtt-username"] ?? "none")
    guard user != "none" else {
      return values += [("mqtt-username", nil), ("mqtt-password-file", nil)]
    }
    values.append(("mqtt-username", user))
    let password = try session.enter(
      "Password (not displayed), or none", usual: "none", isSecret: true)
    guard password != "none" else { return }
    values.append(("mqtt-password-file", Self.passwordPath))
    changes += passwordChanges(password + "\n", session)
  }

  /// Whether a server has a port after the answers.
  private func hasPort(_ server: NetworkServer, _ values: Values, _ daemon: DaemonFile) -> Bool {
    (value(of: server.portKey, values, daemon) ?? server.usualPort) != "0"
  }

  /// The value of a key after the answers.
  private func value(of key: String, _ values: Values, _ daemon: DaemonFile) -> String? {
    values.last { $0.key == key }.map(\.value) ?? daemon[key]
  }

  /// The addresses of the servers.
  /// - Returns: True where the network reaches one.
  private func askNetwork(
    _ values: inout Values, _ daemon: DaemonFile, _ session: SetupSession
  ) throws(SetupFault) -> Bool {
    if let answers = session.answers { return try open(answers, &values, daemon, session) }
    let servers = [NetworkServer.http, .nmea, .signalK].filter { hasPort($0, values, daemon) }
    guard !servers.isEmpty else { return false }
    let isPresent = servers.contains(where: daemon.isOpen)
    let isWanted = try session.confirm(
      "May other devices of the network connect (phone, tablet, plotter)?", usual: isPresent)
    var open: [NetworkServer] = []
    for server in servers {
      let isOpen = daemon.isOpen(server)
      if !isWanted, isOpen { values.append((server.addressKey, nil)) }
      guard isWanted else { continue }
      // A server at localhost while another one was open was left so on purpose.
      let wasClosed = isPresent && !isOpen && daemon.port(of: server) != "0"
      if wasClosed {
        let question = "Also to \(server.title), which only this machine can reach now?"
        guard try session.confirm(question, usual: false) else { continue }
      }
      open.append(server)
      if !isOpen { values.append((server.addressKey, NetworkServer.everywhere)) }
    }
    warn(of: open, session)
    if open.contains(.http), !isPresent || daemon["http-read"] == nil {
      let answer = try session.choose(
        "Who may see the position on the web page?",
        ["browsers that were given a link by 'lodestar token'", "everyone in the network"],
        usual: daemon["http-read"] == "anyone" ? 1 : 0)
      values.append(("http-read", answer == 0 ? "token" : "anyone"))
    }
    return !open.isEmpty
  }

  /// Permits the network to reach the servers of the answers, and no other one.
  /// - Returns: True where the network reaches one.
  private func open(
    _ answers: SetupAnswers, _ values: inout Values, _ daemon: DaemonFile, _ session: SetupSession
  ) throws(SetupFault) -> Bool {
    let open = answers.openServers
    for server in NetworkServer.allCases {
      let isOpen = daemon.isOpen(server)
      guard open.contains(server) else {
        if isOpen { values.append((server.addressKey, nil)) }
        continue
      }
      guard hasPort(server, values, daemon) else {
        throw answers.fault(
          .network, "\(server.portKey) is 0 in \(DaemonFile.path); set a port there")
      }
      if !isOpen { values.append((server.addressKey, NetworkServer.everywhere)) }
    }
    warn(of: open, session)
    if open.contains(.http), let readers = answers[.readers] {
      values.append(("http-read", readers))
    }
    return !open.isEmpty
  }

  /// Warns of servers that everyone in the network can read.
  private func warn(of open: [NetworkServer], _ session: SetupSession) {
    let titles = open.filter { !$0.hasTokens }.map(\.title)
    guard !titles.isEmpty else { return }
    session.say(
      "Without a password: everyone in the network receives the position there: "
        + titles.joined(separator: ", ") + ".")
  }

  /// The unit's limit to addresses of this machine is removed.
  private func dropInChanges(_ session: SetupSession) throws(SetupFault) -> [SetupChange] {
    let old = try session.text(of: Self.dropInPath)
    let isRemoved = old?.split(separator: "\n").contains { $0.hasPrefix("IPAddressDeny=") } ?? false
    guard !isRemoved else { return [] }
    let installed = try session.machine.installedText("network.conf")
    let new = (old ?? "") + (installed ?? Self.dropIn)
    let file = SetupChange.file(path: Self.dropInPath, old: old, new: new)
    guard session.machine.host.isRunBySystemd else { return [file] }
    return [file, .command(["systemctl", "daemon-reload"])]
  }

  /// The program that uses a port; nil for none and for Lodestar itself.
  private func owner(of port: Int, _ session: SetupSession) -> String? {
    session.machine.portOwner(port).flatMap { $0.hasPrefix("lodestar (") ? nil : $0 }
  }
}
