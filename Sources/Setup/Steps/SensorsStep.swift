import Board
import Configuration
import LinuxIO

/// Finds the chips, and writes the board file that names them.
struct SensorsStep: SetupStep {
  let purpose =
    "Searches the I2C buses for chips and chooses the board file. It writes to no chip, except that a motion unit with a chip "
    + "behind it is woken."

  /// An answer to which board it is.
  private enum Choice {
    case keep
    case match(BoardMatch)
    case found(Board)
    case named
    case search
    case simulated
    case again
  }

  func run(_ session: SetupSession) throws(SetupFault) {
    let daemon = try DaemonFile(session)
    if session.answers?[.board] == "simulate" || session.request.simulates {
      return try simulate(daemon, session)
    }
    let present: BoardFile?
    do throws(SetupFault) { present = try BoardFile(daemon, session) } catch {
      session.say("The board file in use cannot be read: \(error). Another one is chosen now.")
      present = nil
    }
    if let answers = session.answers { return try use(answers, present, daemon, session) }
    if let name = session.request.board { return try use(named: name, present, daemon, session) }
    while true {
      let inventory = session.machine.inventory()
      show(inventory, session)
      switch try choice(inventory, present, daemon, session) {
      case .keep: return session.say("No change.")
      case .match(let match):
        let board = inventory.board(of: match)
        return try write(board, copying: match.path, present, daemon, session)
      case .found(let board): return try write(board, copying: nil, present, daemon, session)
      case .named: return try use(named: nil, present, daemon, session)
      case .search: return try search(daemon, session)
      case .simulated: return try simulate(daemon, session)
      case .again: continue
      }
    }
  }

  // MARK: What was found

  private func show(_ inventory: BoardFinder.Inventory, _ session: SetupSession) {
    session.show(inventory.deviceLines)
    for fault in inventory.refusedFiles { session.say("Board file ignored: \(fault)") }
    guard !inventory.findings.contains(where: { $0.model != nil }) else { return }
    if inventory.buses.isEmpty, inventory.faults.isEmpty {
      session.say(
        "No sensor was found: this machine has no I2C bus. On a Raspberry Pi: sudo raspi-config nonint do_i2c 0, then "
          + "restart.")
    } else {
      session.say(
        "No sensor was found: no supported chip answers. Check the wires: 3.3 V to VCC, ground to GND, SDA to SDA and SCL to "
          + "SCL (pins 1, 6, 3 and 5 of a Raspberry Pi).")
    }
    session.say(
      "Without a sensor there is no heading. Connect one and repeat this step by 'sudo lodestar setup --step sensors', or choose "
        + "the simulated board for trials.")
  }

  // MARK: The question

  private func choice(
    _ inventory: BoardFinder.Inventory, _ present: BoardFile?, _ daemon: DaemonFile,
    _ session: SetupSession
  ) throws(SetupFault) -> Choice {
    let chips = Board(findings: inventory.findings, port: nil)
    var options: [(choice: Choice, text: String)] = []
    if let unreal = daemon.unreal {
      options.append(
        (
          .keep,
          unreal == "simulate" ? "the simulated board, as now (SIMULATED)" : "the recording, as now"
        ))
    } else if let present {
      options.append((.keep, "\(present.board.name), as now (\(present.path))"))
    }
    let (boards, perhaps) = (
      inventory.matches.filter { !$0.isAmbiguous }, inventory.matches.filter(\.isAmbiguous)
    )
    func add(_ matches: [BoardMatch]) {
      // The file of the simulated board has the chips of a real one.
      for match in matches
      where match.path != present?.path && match.board.name != Board.simulated.name {
        options.append((.match(match), "\(match.board.name) (\(match.path))"))
      }
    }
    add(boards)
    if !chips.sensors.isEmpty {
      let names = chips.sensors.map(\.chip.rawValue).joined(separator: ", ")
      options.append((.found(chips), "the chips that were found, on a board of your own: \(names)"))
    }
    add(perhaps)
    options.append((.named, "another board, by the name or the path of its file"))
    let isSearching = daemon["board"] == nil && daemon.unreal == nil
    options.append(
      (
        isSearching ? .keep : .search,
        "no board file: the daemon searches until it finds a chip or a receiver"
          + (isSearching ? ", as now" : "")
      ))
    if daemon["simulate"] != "true" {
      options.append(
        (.simulated, "the simulated board, for trials: everything is labelled SIMULATED"))
    }
    if session.manner == .ask { options.append((.again, "search again")) }
    let isReal = present != nil && daemon.unreal == nil
    let best = options.firstIndex { option in
      switch option.choice {
      case .match, .found: !isReal
      case .keep: isReal || chips.sensors.isEmpty
      default: false
      }
    }
    let answer = try session.choose("Which board is it?", options.map(\.text), usual: best ?? 0)
    return options[answer].choice
  }

  // MARK: The answers of a file

  /// Uses the board of the answers, whose chips must be there.
  private func use(
    _ answers: SetupAnswers, _ present: BoardFile?, _ daemon: DaemonFile, _ session: SetupSession
  ) throws(SetupFault) {
    let answer = answers[.board] ?? ""
    if answer == "search" { return try search(daemon, session) }
    let inventory = session.machine.inventory()
    show(inventory, session)
    let (board, path) =
      try answer == "found" ? found(in: inventory, answers) : named(answer, answers)
    if answer != "found" { try check(board, inventory, answers, session) }
    if let present, daemon.unreal == nil, Self.isUsed(present.board, for: board, answers) {
      return session.say("No change.")
    }
    try write(board, copying: path, nil, daemon, session)
  }

  /// Whether the board in use is that of the answers. The mount and the receivers of an installed
  /// board may have been changed since; those of a board file are the file's, unless other answers
  /// decide them.
  private static func isUsed(_ used: Board, for board: Board, _ answers: SetupAnswers) -> Bool {
    guard isFile(answers[.board] ?? "") else { return used.isSame(as: board) }
    let (mount, receiver) = (answers[.mount] ?? "keep", answers[.receiver] ?? "keep")
    return board.decided(like: used, mount: mount, receiver: receiver) == used
  }

  /// The best matching board of the chips that were found, else these chips.
  private func found(
    in inventory: BoardFinder.Inventory, _ answers: SetupAnswers
  ) throws(SetupFault) -> (Board, String?) {
    let board = Board(findings: inventory.findings, port: nil)
    guard !board.sensors.isEmpty else {
      throw answers.fault(
        .board, "no supported chip answers; check the wires and 'lodestar doctor'")
    }
    let match = inventory.matches.first {
      !$0.isAmbiguous && $0.board.name != Board.simulated.name
    }
    guard let match else { return (board, nil) }
    return (inventory.board(of: match), match.path)
  }

  /// Refuses a board with a chip that was not found on its bus.
  private func check(
    _ board: Board, _ inventory: BoardFinder.Inventory, _ answers: SetupAnswers,
    _ session: SetupSession
  ) throws(SetupFault) {
    var (absent, elsewhere): ([String], [String]) = ([], [])
    for sensor in board.sensors where !sensor.isSerial {
      let buses = inventory.buses(with: sensor)
      let bus = Self.device(of: sensor.bus, session)
      guard buses.isEmpty || sensor.bus != Board.anyPlace && !buses.contains(bus) else { continue }
      if buses.isEmpty {
        absent.append(sensor.label)
      } else {
        elsewhere.append("\(sensor.label), but on \(buses.joined(separator: " and "))")
      }
    }
    guard absent.isEmpty else {
      throw answers.fault(
        .board,
        "not found on this machine: \((absent + elsewhere).joined(separator: "; ")); check the wires"
      )
    }
    guard elsewhere.isEmpty else {
      throw answers.fault(
        .board,
        "not found on this bus: \(elsewhere.joined(separator: "; ")); set 'bus' in a board file of your own, or answer "
          + "'board: found'")
    }
  }

  /// The device of a bus, which a link of udev may name.
  private static func device(of bus: String, _ session: SetupSession) -> String {
    guard let target = SystemFiles.linkTarget(of: session.machine.host.root + bus) else {
      return bus
    }
    return target.hasPrefix("/") ? target : bus.folderPrefix + target
  }

  /// The board of an answer: a file, also beside the answers, or an installed one.
  private func named(
    _ name: String, _ answers: SetupAnswers
  ) throws(SetupFault) -> (Board, String?) {
    let name = Self.isFile(name) ? answers.file(.board) ?? name : name
    do throws(BoardFileError) {
      return (try BoardLibrary.board(named: name), BoardLibrary.path(of: name))
    } catch {
      throw answers.fault(.board, "\(error)")
    }
  }

  /// Whether an answer is a board file, not an installed board.
  private static func isFile(_ name: String) -> Bool {
    name.contains("/") || name.hasSuffix(".yaml")
  }

  // MARK: The changes

  private func write(
    _ board: Board, copying path: String?, _ present: BoardFile?, _ daemon: DaemonFile,
    _ session: SetupSession
  ) throws(SetupFault) {
    var board = board
    // A new set of chips does not change the receivers.
    if let present, !present.board.receivers.isEmpty {
      board.receivers = present.board.receivers
    }
    var text = "# Written by 'lodestar setup'.\n" + board.yaml
    if let path, let original = try original(path, of: board) {
      let isInPlace = path == BoardFile.usualPath
      text = isInPlace ? original : "# Copied from \(path) by 'lodestar setup'.\n" + original
    }
    try use(
      BoardFile.changes(
        to: text, at: BoardFile.usualPath, daemon, session,
        removing: ["simulate", "replay", "mount"]),
      session)
  }

  /// The text of a board's file, with its comments; nil where the board differs from it.
  private func original(_ path: String, of board: Board) throws(SetupFault) -> String? {
    let text: String
    do throws(FileFault) { text = try LinuxFiles().text(of: path) } catch { throw .file(error) }
    do throws(BoardFileError) {
      return try Board(yaml: text, path: path) == board ? text : nil
    } catch {
      throw .refused("\(error)")
    }
  }

  private func use(
    named name: String?, _ present: BoardFile?, _ daemon: DaemonFile, _ session: SetupSession
  ) throws(SetupFault) {
    let known = BoardLibrary.names
    var name = name ?? ""
    if name.isEmpty {
      session.say("Installed boards: \(known.joined(separator: ", ")).")
      name = try session.enter("Name or path", usual: present.map(\.path) ?? known.first ?? "") {
        Self.fault(ofBoard: $0)
      }
    }
    let board: Board
    do throws(BoardFileError) { board = try BoardLibrary.board(named: name) } catch {
      throw .refused("\(error)")
    }
    try write(board, copying: BoardLibrary.path(of: name), nil, daemon, session)
  }

  private static func fault(ofBoard name: String) -> String? {
    do throws(BoardFileError) {
      _ = try BoardLibrary.board(named: name)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func search(_ daemon: DaemonFile, _ session: SetupSession) throws(SetupFault) {
    let keys = ["board", "simulate", "replay"]
    try use(daemon.change(keys.map { ($0, nil) }).map { [$0] } ?? [], session)
  }

  /// Makes the daemon use the simulated board.
  func simulate(_ daemon: DaemonFile, _ session: SetupSession) throws(SetupFault) {
    session.say(
      "The simulated board is for trials. Its headings and positions come from no sensor; all are labelled "
        + "SIMULATED.")
    let values = [
      ("simulate", String?.some("true")), ("replay", nil), ("gpsd", nil), ("board", nil),
    ]
    try use(daemon.change(values).map { [$0] } ?? [], session)
  }

  private func use(_ changes: [SetupChange], _ session: SetupSession) throws(SetupFault) {
    guard !changes.isEmpty else { return session.say("No change.") }
    guard try session.apply(changes, "Write this?") else { return }
    session.hasNewConfiguration = true
    session.hasNewBoard = true
  }
}

extension BoardFinder.Inventory {
  /// The buses on which a chip of a board was found.
  fileprivate func buses(with sensor: Board.Sensor) -> [String] {
    findings.filter {
      $0.model == sensor.chip && (sensor.address == 0 || $0.address == sensor.address)
    }
    .reduce(into: []) { if !$0.contains($1.bus) { $0.append($1.bus) } }
  }
}
