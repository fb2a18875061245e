import Pipeline
import Recording

extension PipelineOptions {
  /// The configuration for the replay of a recording: the recorded one with the given options, else
  /// that of the options. Says on standard error what makes the estimates others than the recorded
  /// ones.
  /// - Parameters:
  ///   - recording: The recording.
  ///   - input: Its name, for messages.
  ///   - onlineCalibration: The given choice; nil: as recorded, else off.
  /// - Returns: The configuration, and whether the estimates are those of the recording.
  /// - Throws: `Failure` for an invalid option.
  func configuration(
    of recording: OpenedRecording, named input: String,
    onlineCalibration: OnlineCalibrationArgument?
  ) throws(Failure) -> (PipelineConfiguration, isAsRecorded: Bool) {
    guard let exact = recording.exact, var configuration = exact.configuration else {
      if let exact = recording.exact {
        StandardError.say(
          exact.startFault.map { "\(input): the recorded start is not used: \($0)" }
            ?? "\(input): the recording began while the filter was running: the estimates of a replay differ"
        )
      }
      var configuration = try self.configuration()
      configuration.onlineCalibration = onlineCalibration == .on
      configuration.utcAtStart = configuration.utcAtStart ?? recording.startTime
      return (configuration, false)
    }
    try apply(to: &configuration)
    if let onlineCalibration {
      configuration.onlineCalibration = onlineCalibration == .on
      configuration.refitRunner = nil
    }
    let hasOptions = isGiven || onlineCalibration != nil
    if hasOptions {
      StandardError.say(
        "\(input): the options change the estimates: they are not those of the recording")
    } else if !exact.hasPosition {
      StandardError.say(
        "\(input): it was recorded without positions: the estimates of a replay differ")
    }
    return (configuration, !hasOptions && exact.hasPosition)
  }
}
