/// A step of the set-up. It can be repeated: where all is as chosen, it changes nothing.
protocol SetupStep: Sendable {
  /// What the step does, one sentence.
  var purpose: String { get }
  /// Finds out, asks, shows the changes and makes them.
  func run(_ session: SetupSession) throws(SetupFault)
}

/// The steps, in their order.
package enum SetupStepName: String, CaseIterable, Sendable {
  /// What the machine lacks.
  case machine
  /// The chips and the board file.
  case sensors
  /// The board's directions.
  case mount
  /// The GNSS receiver.
  case receiver
  /// What the daemon serves.
  case servers
  /// The daemon itself.
  case service
  /// The magnetometer's calibration.
  case calibration
  /// The first heading.
  case check

  var step: any SetupStep {
    switch self {
    case .machine: MachineStep()
    case .sensors: SensorsStep()
    case .mount: MountStep()
    case .receiver: ReceiverStep()
    case .servers: ServersStep()
    case .service: ServiceStep()
    case .calibration: CalibrationStep()
    case .check: BoardCheckStep()
    }
  }
}

/// What the command line has decided before the questions.
package struct SetupRequest: Equatable, Sendable {
  /// The simulated board, for trying out.
  package var simulates = false
  /// The name of an installed board, or a board file.
  package var board: String?
  /// The answers to all questions.
  package var answers: SetupAnswers?

  /// Makes a request that decides nothing.
  package init() {}
}

extension SetupSession {
  /// A step that has failed.
  package typealias StepFault = (step: SetupStepName, fault: SetupFault)

  /// Runs the steps in their order, or one of them; after a change of the configuration also the
  /// service's.
  /// - Returns: The faults, with the step of each. A fault does not end the later steps.
  package func run(only name: SetupStepName? = nil) -> [StepFault] {
    var faults: [StepFault] = []
    for step in SetupStepName.allCases where name == nil || name == step {
      if step == .check, hasNewConfiguration { perform(.service, &faults) }
      perform(step, &faults)
    }
    if hasNewConfiguration { perform(.service, &faults) }
    return faults
  }

  private func perform(_ name: SetupStepName, _ faults: inout [StepFault]) {
    guard !isOver else { return }
    let all = SetupStepName.allCases
    let number = all.firstIndex(of: name).map { $0 + 1 } ?? 0
    title("")
    title("\(number)/\(all.count) \(name.rawValue)")
    let step = name.step
    say(step.purpose)
    do throws(SetupFault) {
      try step.run(self)
    } catch {
      faults.append((name, error))
      isOver = error == .endOfInput
      say("failed: \(error)")
    }
  }
}
