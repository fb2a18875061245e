import ArgumentParser

/// What `InputProof` finds and how often it is wrong, on recordings and in simulation.
@main
struct ProofStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "proof-study",
    abstract: "Judges InputProof with right and with wrong axes, units and scales.",
    subcommands: [RecordedCommand.self, SimulateCommand.self, HoursCommand.self])
}
