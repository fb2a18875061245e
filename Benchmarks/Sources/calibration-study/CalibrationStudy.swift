import ArgumentParser

/// What the magnetometer's calibration was tuned by and is judged by: recorded trials whose field
/// is distorted by iron that is drawn by chance.
@main
struct CalibrationStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibration-study",
    abstract: "Judges CalibrationFit on recorded trials with drawn distortions.",
    subcommands: [
      TrialsCommand.self, PredictionCommand.self, LimitedCommand.self, LevelCommand.self,
      MountCommand.self, OnlineCommand.self, StepCommand.self, GyroscopeCommand.self,
      NoiseCommand.self, AblationCommand.self, ObservationsCommand.self, ScoreCommand.self,
      PromiseCommand.self, SaturationCommand.self,
    ])
}
