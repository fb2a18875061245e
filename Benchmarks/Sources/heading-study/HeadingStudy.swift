import ArgumentParser

/// What `StrapdownFilter` was tuned and is judged by: all recorded trials in memory, the filter in
/// process.
@main
struct HeadingStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heading-study",
    abstract: "Judges StrapdownFilter on the recorded trials and on changed ones.",
    subcommands: [
      TrialsCommand.self, RobustnessCommand.self, PerturbationCommand.self, AblationCommand.self,
      TuneCommand.self, SetsCommand.self, SimulateCommand.self, LeaveOutCommand.self,
      SeaCommand.self,
    ])
}
