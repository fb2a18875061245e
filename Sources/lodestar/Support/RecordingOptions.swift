import ArgumentParser
import Formats
import Quantities
import Recording

/// How a recording is read.
struct RecordingOptions: ParsableArguments {
  @Option(
    name: .customLong("topic"),
    help: ArgumentHelp(
      "Of a recording of ROS 2 read this topic, such as /imu/data; repeat it for each. By default the first topic of each type is read.",
      valueName: "topic"))
  var topics: [String] = []

  /// Opens a recording.
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - loadColumn: The name of a CSV's column with a load; nil for `load`.
  ///   - date: A date near the recording, for a receiver's dates; nil leaves them as they are.
  /// - Returns: The recording before its first row.
  /// - Throws: `Failure` where it cannot be read.
  func open(
    _ path: String, loadColumn: String? = nil, near date: DateArgument? = nil
  ) throws(Failure) -> OpenedRecording {
    do throws(RecordingError) {
      return try OpenedRecording(
        path: path, loadColumn: loadColumn, topics: topics, near: date?.utc.date)
    } catch {
      throw .input("\(error)")
    }
  }
}
