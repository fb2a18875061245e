import Formats
import Foundation

/// A bag of ROS 2 in an SQLite file: whole messages, or one error with a text; always an end.
final class RosbagBody: FuzzBody {
  /// SQLite opens a file by its name.
  private let path: String

  /// SQLite's own memory.
  var mostHeldBytes: Int { 8 << 20 }

  init() {
    let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    path = "\(folder)/lodestar-fuzz-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).db3"
  }

  deinit { unlink(path) }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Violation("the scratch file cannot be made") }
    let isWritten = write(file, input.baseAddress, input.count) == input.count
    close(file)
    try expect(isWritten, "the scratch file cannot be written")
    var (count, longest) = (0, 0)
    do throws(RecordingError) {
      let bag = try RosbagDatabase(path: path, types: ["sensor_msgs/msg/Imu", "x"])
      while let message = try bag.next() {
        (count, longest) = (count + 1, max(longest, message.data.count))
      }
    } catch {
      let text = "\(error)"
      try expect(!text.isEmpty && text.utf8.count < 1000, "an error of \(text.utf8.count) bytes")
    }
    try expect(longest <= 1 << 20, "a message of \(longest) bytes")
    // The pages of a damaged file may be named by several others.
    try expect(count <= 10_000_000 + input.count, "\(count) messages")
  }
}
