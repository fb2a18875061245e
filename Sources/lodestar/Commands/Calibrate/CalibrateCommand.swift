import ArgumentParser

/// `lodestar calibrate`: everything about calibrations.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Calibrate the magnetometer, and see, keep and change calibrations.",
    discussion: """
      Without a subcommand a guided session begins: turn the board as the screen says. Procedures for \
      people are in Calibration/Procedures.
      """,
    subcommands: [
      CalibrateGuideCommand.self, CalibrateFitCommand.self, CalibrateStatusCommand.self,
      CalibrateHistoryCommand.self, CalibrateRollbackCommand.self, CalibrateExportCommand.self,
      CalibrateImportCommand.self, CalibrateMountCommand.self, CalibrateDeviationCommand.self,
      CalibrateSwingCommand.self, CalibrateLoadCommand.self, CalibrateInertialCommand.self,
      CalibrateLevelCommand.self,
    ], defaultSubcommand: CalibrateGuideCommand.self)
}
