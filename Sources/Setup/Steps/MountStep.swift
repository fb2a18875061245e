import Configuration
import Quantities

/// Sets the directions of the board's axes on the vehicle.
struct MountStep: SetupStep {
  let purpose =
    "Sets how the board is mounted: which way its x, y and z axes point. A wrong mount makes a wrong heading."

  func run(_ session: SetupSession) throws(SetupFault) {
    let daemon = try DaemonFile(session)
    guard daemon.unreal == nil else {
      return session.say(
        "The source is \(daemon.unreal == "replay" ? "a recording" : "simulated"): nothing to do.")
    }
    guard let file = try BoardFile(daemon, session) else {
      return session.say(
        "Without a board file no mount can be set. The step sensors writes a board file.")
    }
    guard !file.board.sensors.isEmpty else {
      return session.say("The board has no chip: nothing to do.")
    }
    if let answers = session.answers { return try mount(as: answers, file, daemon, session) }
    let measuresGravity = file.board.sensors.contains { $0.measures(.inertia) }
    // The key of the daemon's file has priority over the board file.
    let present = daemon["mount"] ?? String(file.board.mountLine.dropFirst("mount: ".count))
    let isAutomatic = present == "auto"
    var options = [
      isAutomatic && !measuresGravity
        ? "not known, as now: counts as x forward, y left, z up; the heading's accuracy is not known"
        : "as now: \(present)"
    ]
    if !isAutomatic, measuresGravity {
      options.append(
        "auto: gravity shows which axis is up; forward is taken to be along x until a calibration finds it"
      )
    }
    options.append("by two questions")
    let isQuestions = options.count - 1
    let usual = session.hasNewBoard && options.count == 3 ? 1 : 0
    let answer = try session.choose("How is the board mounted?", options, usual: usual)
    guard answer != 0 else { return session.say("No change.") }
    let mount: Mounting = answer == isQuestions ? .axes(try axes(session)) : .automatic
    try use(mount, file, daemon, session)
  }

  private func use(
    _ mount: Mounting, _ file: BoardFile, _ daemon: DaemonFile, _ session: SetupSession
  ) throws(SetupFault) {
    var board = file.board
    board.mount = mount
    let changes = try file.changes(to: board, daemon, session, removing: ["mount"])
    guard !changes.isEmpty else { return session.say("No change.") }
    if try session.apply(changes, "Write this?") { session.hasNewConfiguration = true }
  }

  /// The mount of the answers.
  private func mount(
    as answers: SetupAnswers, _ file: BoardFile, _ daemon: DaemonFile, _ session: SetupSession
  ) throws(SetupFault) {
    let answer = answers[.mount] ?? "keep"
    if answer == "keep" { return session.say("No change.") }
    if let axes = SetupAnswers.axes(answer) { return try use(.axes(axes), file, daemon, session) }
    guard file.board.sensors.contains(where: { $0.measures(.inertia) }) else {
      throw answers.fault(
        .mount, "the board has no inertial unit that finds the vertical; state the directions")
    }
    try use(.automatic, file, daemon, session)
  }

  /// The directions of x and y; z follows.
  private func axes(_ session: SetupSession) throws(SetupFault) -> AxisMount {
    session.say(
      "The axes are printed on most boards. Forward is the bow of the vehicle, the top edge of a hand-held device."
    )
    let x = try direction("The x axis points", AxisDirection.allCases, session)
    let perpendicular = AxisDirection.allCases.filter { y in
      AxisDirection.allCases.contains { AxisMount(x: x, y: y, z: $0) != nil }
    }
    let y = try direction("The y axis points", perpendicular, session)
    let mounts = AxisDirection.allCases.compactMap { AxisMount(x: x, y: y, z: $0) }
    // Of perpendicular x and y exactly one z is right-handed.
    let mount = mounts.first ?? .standard
    session.say("Then the z axis points \(mount.z.rawValue).")
    return mount
  }

  private func direction(
    _ text: String, _ allowed: [AxisDirection], _ session: SetupSession
  ) throws(SetupFault) -> AxisDirection {
    let words = allowed.map(\.rawValue)
    let usual = allowed.first ?? .forward
    let answer = try session.enter(
      "\(text) (\(words.joined(separator: ", ")))", usual: usual.rawValue
    ) {
      words.contains($0) ? nil : "answer with one of: \(words.joined(separator: ", "))"
    }
    return AxisDirection(rawValue: answer) ?? usual
  }
}
