import ArgumentParser

/// Measures the position filter: on recorded drives and in simulation.
@main
struct PositionStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "position-study", abstract: "Measures the position filter.",
    subcommands: [
      SimulateCommand.self, DrivesCommand.self, AltitudeCommand.self, MotionCommand.self,
      StepsCommand.self,
    ])
}
