import Configuration
import Formats
import LinuxIO

/// A folder of ROS 2's recorder: its files in their order, read as one.
/// - Source: rosbag2, `metadata.yaml`, versions 1 to 9.
struct RosbagFolder: MessageSource {
  private let folder: String
  private var waiting: ArraySlice<String>
  private let count: Int
  private let isEachCompressed: Bool
  private var open: (any MessageSource)?
  private(set) var isCut = false

  /// Reads the description of a bag.
  /// - Parameter path: The folder, or its `metadata.yaml`.
  /// - Throws: `RecordingError` where the description or the first file cannot be read.
  init(path: String) throws(RecordingError) {
    let file = path.hasSuffix(".yaml") ? path : path + "/metadata.yaml"
    folder = String(file.dropLast("metadata.yaml".count))
    let text: String
    do throws(FileFault) {
      text = try LinuxFiles().text(of: file)
    } catch {
      throw .unreadable(path: file, reason: error.reason)
    }
    let description: Description
    do throws(YAMLFault) {
      description = try Description(text)
    } catch {
      throw .malformed(
        path: file, line: error.line, column: nil, found: error.problem, expected: error.allowed)
    }
    guard ["", "none", "zstd"].contains(description.compression) else {
      throw .unsupported(path: file, format: "of the compression '\(description.compression)'")
    }
    waiting = description.files[...]
    count = description.files.count
    isEachCompressed =
      !description.compression.isEmpty && description.mode.lowercased() == "message"
    guard !description.files.isEmpty else {
      throw .unsupported(path: file, format: "of this description (it names no file of a bag)")
    }
    try openNext()
  }

  private struct Description {
    var files: [String] = []
    var (compression, mode) = ("", "")

    init(_ text: String) throws(YAMLFault) {
      let expected = "the metadata.yaml of a bag of ROS 2"
      let root = try YAMLNode.root(of: text)?.values(expected: expected) ?? []
      for value in try root.first?.values(expected: expected) ?? [] {
        switch value.name {
        case "relative_file_paths": files = (value.list ?? []).compactMap(\.text)
        case "compression_format": compression = value.text ?? ""
        case "compression_mode": mode = value.text ?? ""
        default: break
        }
      }
    }
  }

  var fractionRead: Double? {
    guard count > 0 else { return nil }
    let finished = Double(count - waiting.count - (open == nil ? 0 : 1))
    return (finished + (open?.fractionRead ?? 0)) / Double(count)
  }

  mutating func next() throws(RecordingError) -> RecordedMessage? {
    while open != nil {
      if let message = try open?.next() { return message }
      isCut = isCut || open?.isCut == true
      open = nil
      try openNext()
    }
    return nil
  }

  private mutating func openNext() throws(RecordingError) {
    guard let name = waiting.popFirst() else { return }
    // Version 1 to 3 have paths from the folder above.
    let own = folder + name
    let path = ByteReader.exists(path: own) ? own : folder + name.fileName
    open = try Self.file(path, isEachCompressed: isEachCompressed)
  }

  /// Opens a file of a bag by its name.
  static func file(
    _ path: String, isEachCompressed: Bool = false
  ) throws(RecordingError) -> any MessageSource {
    path.lowercased().hasSuffix(".mcap")
      ? try MCAPMessages(try ByteReader(path: path))
      : try RosbagDatabase(
        path: path, isEachCompressed: isEachCompressed, types: ROSRecording.types)
  }
}
