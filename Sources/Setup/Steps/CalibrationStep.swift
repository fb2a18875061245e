import Configuration

/// Chooses how the magnetometer is calibrated.
struct CalibrationStep: SetupStep {
  let purpose =
    "Removes the magnetic field of the vehicle from the heading. Without it a heading may be wrong by tens of degrees."

  private static let key = "online-calibration"

  func run(_ session: SetupSession) throws(SetupFault) {
    let daemon = try DaemonFile(session)
    if session.answers?[.calibration] == SetupAnswers.off {
      return try use(daemon.change([(Self.key, SetupAnswers.off)]), session)
    }
    guard daemon.unreal == nil else {
      return session.say(
        "The source is \(daemon.unreal == "replay" ? "a recording" : "simulated"): nothing to do.")
    }
    if let file = try BoardFile(daemon, session),
      !file.board.sensors.contains(where: { $0.measures(.field) })
    {
      return session.say("The board has no magnetometer: nothing to do.")
    }
    if session.answers?[.calibration] == "keep" { return session.say("No change.") }
    var options = [
      "it learns by itself: the heading gets better while the board is turned in use",
      "now, guided on this terminal: one to two minutes of turning the board",
    ]
    if daemon["http-port"] != "0" {
      let browser = daemon.isOpen(.http) ? "a phone" : "a browser of this machine"
      options.append("now, guided on the web page in \(browser): prints its one-time link")
    }
    let isOff = daemon[Self.key] == "off"
    if isOff {
      session.say(
        "\(Self.key) is off in \(DaemonFile.path): the first answer switches it on.")
    }
    switch try session.choose("How is it calibrated?", options, usual: 0) {
    case 1:
      guard session.manner == .ask else { return }
      // A vehicle stays level: its calibration is judged by the error while level.
      let isVehicle = ["automotiveNavigation", "otherNavigation"].contains(daemon["activity"])
      return try session.run(
        [session.machine.program, "calibrate"] + (isVehicle ? ["--level"] : []))
    case 2:
      guard session.manner == .ask else { return }
      try session.run([session.machine.program, "token"])
    default:
      guard isOff else { return }
      try use(daemon.change([(Self.key, nil)]), session)
    }
  }

  private func use(_ change: SetupChange?, _ session: SetupSession) throws(SetupFault) {
    guard let change else { return session.say("No change.") }
    if try session.apply([change], "Write this?") { session.hasNewConfiguration = true }
  }
}
