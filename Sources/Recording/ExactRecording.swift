import Board
import CalibrationFit
import Formats
import LinuxIO
import Pipeline
import Quantities
import Storage

/// A recording of Lodestar: its rows in the order of the pipeline, with what else the pipeline
/// took, so that a replay with its start state gives the same estimates to the last bit. The files
/// of a series are read one after the other.
public struct ExactRecording: SampleSource {
  /// What the file says about itself.
  package let metadata: [String: String]
  /// The state of the pipeline at the start; nil where the recording began later.
  package let start: StartState?
  /// Why the start state cannot be used; nil where it can.
  package let startFault: String?
  /// The board's file; nil where it was not known.
  package let boardText: String?
  /// What the pipeline takes besides the rows; set for the newest row.
  package let calibrations = RecordedCalibrations()
  /// The estimate that was published after the newest row; nil where none was.
  package private(set) var estimate: EstimateMessage?
  /// Changes of the calibration that the recording has for the newest row, as JSON.
  package private(set) var changes: [String] = []
  /// Events so far: kind and text.
  package private(set) var events: [(kind: String, text: String)] = []

  /// The file that is read, of a series each one in its turn.
  private var path: String
  private let folder: String
  private var part = 1
  /// Why the later files of a series were not read.
  private var seriesNote: String?
  private var reader: MCAPReader
  private var channels: [UInt16: String]
  private var waiting: MCAPMessage?
  /// The rows of the newest message that were not returned yet.
  private var rows: ArraySlice<SensorSamples> = []
  private var bytes: [[UInt8]] = []
  private var isCollecting = false
  private var isAtEnd = false
  private var hasBegun = false

  /// True if the file has Lodestar's own topics.
  /// - Returns: The recording; nil for another program's MCAP.
  static func open(_ file: ByteReader) throws(RecordingError) -> ExactRecording? {
    let head = try MCAPHead(file)
    // Another program that has rewritten the file may declare its channels later.
    guard
      head.metadata["lodestar"] != nil
        || head.channels.values.contains(where: { $0.topic == RecordingTopic.input })
    else { return nil }
    return ExactRecording(head, path: file.path)
  }

  private init(_ head: MCAPHead, path: String) {
    self.path = path
    folder = path.folderPrefix
    metadata = head.metadata["lodestar"] ?? [:]
    part = metadata["part"].flatMap { Int($0) } ?? 1
    reader = head.reader
    channels = head.channels.mapValues(\.topic)
    waiting = head.first
    boardText = head.attachments.first { $0.name == "board.yaml" }.map {
      String(decoding: $0.data, as: UTF8.self)
    }
    let json = head.attachments.first { $0.name == "start.json" }?.data
    do throws(StartStateFault) {
      // The filter's state at the begin of a later file is that of the earlier ones.
      start =
        part == 1
        ? try json.map { data throws(StartStateFault) in try StartState(json: data) } : nil
      startFault = nil
    } catch {
      start = nil
      startFault = error.description
    }
  }

  /// Whether the fixes and the receiver's bytes were recorded.
  package var hasPosition: Bool { metadata["position"] != "no" }

  /// The configuration with which a replay gives the recorded estimates; nil where the recording
  /// has no start.
  package var configuration: PipelineConfiguration? {
    guard var configuration = start?.configuration else { return nil }
    if start?.hasBackgroundFits == true { configuration.refitRunner = calibrations }
    configuration.handOver = calibrations
    return configuration
  }

  /// The next row; nil at the end.
  public mutating func next() throws(RecordingError) -> SensorSamples? {
    var row = rows.popFirst()
    var (fit, given): (ForwardSolution?, GivenCalibration?) = (nil, nil)
    (estimate, changes) = (nil, [])
    // What follows a message of rows belongs to the last of them.
    while rows.isEmpty, let message = try nextMessage() {
      let topic = channels[message.channel]
      if topic == RecordingTopic.input, row != nil {
        waiting = message
        break
      }
      do throws(CDRFault) {
        switch topic {
        case RecordingTopic.input:
          rows = try InputMessage(message.data).rows[...]
          row = rows.popFirst()
        case RecordingTopic.estimate where row != nil:
          estimate = try EstimateMessage(message.data)
        case RecordingTopic.receiver:
          if isCollecting { bytes.append(try ReceiverBytesMessage(message.data).data) }
        case RecordingTopic.event:
          let event = try EventMessage(message.data)
          events.append((event.kind, event.text))
        case RecordingTopic.calibration:
          let calibration = try CalibrationMessage(message.data)
          switch CalibrationMessage.Kind(rawValue: calibration.kind) {
          case .fit:
            fit = try Self.read(calibration) { (object) throws(StartStateFault) in
              try ForwardSolution(exactly: object)
            }
          case .given:
            given = try Self.read(calibration) { (object) throws(StartStateFault) in
              try GivenCalibration(exactly: object)
            }
          case .change: changes.append(calibration.content)
          case nil: break
          }
        default: break
        }
      } catch {
        throw .damaged(
          path: path, offset: reader.lastWhole, reason: "a message of \(topic ?? "?"): \(error)")
      }
    }
    calibrations.set(fit: fit, given: given)
    return row
  }

  private static func read<Value>(
    _ message: CalibrationMessage, _ make: (JSONObject) throws(StartStateFault) -> Value
  ) throws(CDRFault) -> Value {
    do {
      guard case .object(let object) = try JSONValue(json: Array(message.content.utf8)) else {
        throw StartStateFault(description: "no object")
      }
      return try make(object)
    } catch {
      throw CDRFault(description: "\(error)")
    }
  }

  /// The next message of this file or of the next one of the series.
  private mutating func nextMessage() throws(RecordingError) -> MCAPMessage? {
    if let message = waiting {
      waiting = nil
      return message
    }
    while !isAtEnd {
      guard let record = try reader.next() else {
        guard try openNext() else { break }
        if let message = waiting {
          waiting = nil
          return message
        }
        continue
      }
      switch record {
      case .message(let message): return message
      case .channel(let channel): channels[channel.id] = channel.topic
      default: break
      }
    }
    isAtEnd = true
    return nil
  }

  /// Opens the next file of the series, where it lies beside this one.
  private mutating func openNext() throws(RecordingError) -> Bool {
    guard let series = metadata["series"] else { return false }
    let next = folder + RecordingSeries.path(series, part: part + 1)
    guard !reader.isCut, ByteReader.exists(path: next) else {
      recordUnreadFiles(of: series, because: reader.isCut ? "\(path) is cut" : "\(next) is missing")
      return false
    }
    let head: MCAPHead
    do throws(RecordingError) {
      head = try MCAPHead(try ByteReader(path: next))
    } catch {
      // An empty file is what a power cut leaves of the newest one.
      seriesNote = "the series ends before \(next), which cannot be read: \(error)"
      return false
    }
    let own = head.metadata["lodestar"]
    guard own?["series"] == series, own?["series_start_ns"] == metadata["series_start_ns"],
      own?["part"] == String(part + 1)
    else {
      recordUnreadFiles(of: series, because: "\(next) is of another recording", from: part + 2)
      return false
    }
    part += 1
    path = next
    (reader, waiting) = (head.reader, head.first)
    channels = head.channels.mapValues(\.topic)
    return true
  }

  /// Records how many later files of the series are not read.
  private mutating func recordUnreadFiles(
    of series: String, because reason: String, from first: Int? = nil
  ) {
    let from = first ?? part + 1
    do throws(FileFault) {
      let later = try RecordingSeries.furtherParts(of: folder + series).count { $0 >= from }
      guard later > 0 else { return }
      seriesNote = "\(reason): \(later) later files of the series were not read"
    } catch {
      seriesNote = "\(error)"
    }
  }

  /// Moves the receiver's bytes up to the newest row to the caller.
  public mutating func removeReceiverOutput(collecting: Bool) -> [ReceiverOutput] {
    isCollecting = collecting
    defer { bytes = [] }
    return bytes.map { .bytes($0) }
  }

  /// A note about the end of the file; nil for a complete one.
  var note: String? {
    let cut =
      "\(path) ends in the middle of a record, as after a power cut; everything before was read "
      + "(lodestar record --repair makes it whole)"
    let parts = (reader.isCut ? [cut] : []) + (seriesNote.map { [$0] } ?? [])
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}

/// The beginning of an MCAP file up to its first message.
struct MCAPHead {
  var reader: MCAPReader
  var schemas: [UInt16: MCAPSchema] = [:]
  var channels: [UInt16: MCAPChannel] = [:]
  var metadata: [String: [String: String]] = [:]
  var attachments: [MCAPAttachment] = []
  var first: MCAPMessage?

  init(_ file: ByteReader) throws(RecordingError) {
    reader = try MCAPReader(file)
    while first == nil, let record = try reader.next() {
      switch record {
      case .schema(let schema): schemas[schema.id] = schema
      case .channel(let channel): channels[channel.id] = channel
      case .message(let message): first = message
      case .attachment(let attachment): attachments.append(attachment)
      case .metadata(let name, let entries): metadata[name] = entries
      case .header, .dataEnd: break
      }
    }
  }
}
