import ArgumentParser

/// `lodestar calibrate`: the calibration commands.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Calibrate the magnetometer; show, store and change calibrations.",
    discussion: """
      Without a subcommand a guided session starts: turn the board as the screen shows. Step-by-step \
      procedures are in the folder Calibration/Procedures of Lodestar's sources.

      Where a daemon runs, its samples are used, and it stores the result and uses it at once, if its policy \
      permits. --simulate, a recording, --board and --store stay in this program; LODESTAR_SOCKET=none \
      ignores the daemon.
      """,
    subcommands: [
      CalibrateGuideCommand.self, CalibrateFitCommand.self, CalibrateStatusCommand.self,
      CalibrateHistoryCommand.self, CalibrateRollbackCommand.self, CalibrateExportCommand.self,
      CalibrateImportCommand.self, CalibrateMountCommand.self, CalibrateDeviationCommand.self,
      CalibrateSwingCommand.self, CalibrateLoadCommand.self, CalibrateInertialCommand.self,
      CalibrateLevelCommand.self,
    ], defaultSubcommand: CalibrateGuideCommand.self)
}
