import CalibrationFit
import Configuration
import Formats
import Pipeline
import Quantities
import Storage

/// What a recording holds, in the order in which the pipeline took or made it.
package enum RecordedItem: Sendable {
  case row(SensorSamples)
  case estimate(Estimate)
  case receiver([UInt8])
  case fit(ForwardSolution)
  case given(GivenCalibration)
  case change(OnlineCalibrationEvent)
  case event(kind: RecordedEvent, text: String)
}

/// The kinds of events of a recording.
package enum RecordedEvent: String, Sendable {
  case start, stop
  /// The machine's clock was set.
  case clock
  /// Samples are missing because the recorder's queue was full.
  case lost
  /// A notice about the board.
  case notice
}

/// What a recording says about itself.
package struct RecordingDescription: Sendable {
  /// The program with its version.
  package var program: String
  /// The board's file, or what it would be.
  package var board: Board
  /// From the axes of the samples to the body's.
  package var mounting: Rotation<SensorFrame, BodyFrame>
  /// The state of the pipeline at its start; nil where it had started before.
  package var start: StartState?
  /// False to leave out places and the receiver's bytes.
  package var hasPosition: Bool
  /// The number of the file in a series, from 1 on.
  package var part = 1
  /// Civil time less the rows' clock, nanoseconds.
  package var offset: Int64
  /// The name of the first file of the series.
  package var series: String
  /// When the series began, nanoseconds since 1970: distinguishes files of an earlier series of the
  /// same name in the folder.
  package var seriesStart: Int64 = 0

  /// Makes the description of a file that is the first of its series.
  package init(
    program: String, board: Board, mounting: Rotation<SensorFrame, BodyFrame>, start: StartState?,
    hasPosition: Bool, offset: Int64, series: String
  ) {
    (self.program, self.board, self.mounting) = (program, board, mounting)
    (self.start, self.hasPosition) = (start, hasPosition)
    (self.offset, self.series) = (offset, series)
  }
}

/// Encodes a recording as MCAP with messages of ROS 2.
package struct RecordingEncoder: Sendable {
  /// In the order of the channels.
  private enum Topic: CaseIterable, Equatable {
    case input, receiver, calibration, event
    case standard(ROSTopic)

    static let allCases: [Topic] =
      [.input, .standard(.estimate), .receiver, .calibration, .event]
      + ROSTopic.allCases.filter { $0 != .estimate }.map(Topic.standard)

    var name: String {
      switch self {
      case .input: RecordingTopic.input
      case .receiver: RecordingTopic.receiver
      case .calibration: RecordingTopic.calibration
      case .event: RecordingTopic.event
      case .standard(let topic): topic.name
      }
    }

    var type: any ROSMessage.Type {
      switch self {
      case .input: InputMessage.self
      case .receiver: ReceiverBytesMessage.self
      case .calibration: CalibrationMessage.self
      case .event: EventMessage.self
      case .standard(let topic): topic.type
      }
    }

    /// What the type does not say.
    var note: String {
      switch self {
      case .input: "samples in the sensor's axes, in the order of the filter"
      case .standard(let topic): topic.note
      default: ""
      }
    }
  }

  private let description: RecordingDescription
  private var writer: MCAPWriter
  private var channels: [UInt16] = []
  private var lastTime: UInt64 = 0
  private var standard: ROSTopicEncoder
  /// Rows that are not written yet. They are written as one message before the next item that must
  /// keep its order.
  private var rows: [SensorSamples] = []
  /// Number of rows of a message.
  private static let mostRows = 16

  /// Begins a recording.
  /// - Parameters:
  ///   - description: What it says about itself.
  ///   - compression: That of its chunks.
  ///   - time: The time of its attachments, nanoseconds since 1970.
  package init(
    _ description: RecordingDescription, compression: ChunkCompression = .usual, at time: UInt64
  ) {
    self.description = description
    standard = ROSTopicEncoder(mounting: description.mounting, offset: description.offset)
    writer = MCAPWriter(library: description.program, compression: compression)
    var schemas: [String: UInt16] = [:]
    for topic in Topic.allCases {
      let type = topic.type
      let schema =
        schemas[type.name]
        ?? writer.addSchema(
          name: type.name, encoding: "ros2msg", data: Array(type.definition.utf8))
      schemas[type.name] = schema
      channels.append(
        writer.addChannel(
          topic: topic.name, schema: schema, encoding: "cdr",
          metadata: topic.note.isEmpty ? [] : [("note", topic.note)]))
    }
    writer.addMetadata(
      name: "lodestar",
      [
        ("program", description.program), ("part", String(description.part)),
        ("series", description.series),
        ("series_start_ns", String(description.seriesStart)),
        ("start", description.start == nil ? "joined" : "complete"),
        ("position", description.hasPosition ? "yes" : "no"),
        ("clock_offset_ns", String(description.offset)),
      ])
    if !description.board.sensors.isEmpty {
      writer.addAttachment(
        name: "board.yaml", mediaType: "application/yaml",
        data: Array(description.board.yaml.utf8), at: time)
    }
    if let start = description.start {
      writer.addAttachment(
        name: "start.json", mediaType: "application/json", data: start.json, at: time)
    }
  }

  /// Adds an item.
  /// - Parameters:
  ///   - item: The item.
  ///   - time: When it was recorded, nanoseconds since 1970. The written times are strictly
  ///     increasing, so that sorting by time keeps the order of the messages.
  package mutating func add(_ item: RecordedItem, at time: UInt64) {
    switch item {
    case .row(let row): add(row, at: time)
    case .estimate(let estimate): add(estimate, at: time)
    case .receiver(let bytes):
      guard description.hasPosition else { return }
      write(.receiver, ReceiverBytesMessage(header: header(time), data: bytes), time)
    case .fit(let fit): calibration(.fit, fit.exactJSON, time)
    case .given(let given): calibration(.given, given.exactJSON, time)
    case .change(let change): calibration(.change, change.exactJSON, time)
    case .event(let kind, let text):
      write(.event, EventMessage(header: header(time), kind: kind.rawValue, text: text), time)
    }
  }

  /// Ends the open chunk; its bytes are then in `removeBytes`.
  package mutating func endChunk() {
    endRows(at: lastTime)
    writer.endChunk()
  }

  /// Ends the recording with its index.
  package mutating func finish() {
    endRows(at: lastTime)
    writer.finish()
  }

  /// Moves the bytes that are ready to the caller.
  package mutating func removeBytes() -> [UInt8] { writer.removeBytes() }

  // MARK: Messages

  private mutating func add(_ row: SensorSamples, at time: UInt64) {
    var row = row
    if !description.hasPosition { row.fix = nil }
    rows.append(row)
    if rows.count >= Self.mostRows { endRows(at: time) }
    for (topic, message) in standard.messages(of: row) { write(.standard(topic), message, time) }
  }

  private mutating func endRows(at time: UInt64) {
    guard !rows.isEmpty else { return }
    write(.input, InputMessage(rows), time)
    rows.removeAll(keepingCapacity: true)
  }

  private mutating func add(_ estimate: Estimate, at time: UInt64) {
    endRows(at: time)
    var estimate = estimate
    if !description.hasPosition { estimate.removePlace() }
    for (topic, message) in standard.messages(of: estimate) {
      write(.standard(topic), message, time)
    }
  }

  private mutating func calibration(
    _ kind: CalibrationMessage.Kind, _ content: JSONValue, _ time: UInt64
  ) {
    endRows(at: time)
    write(
      .calibration,
      CalibrationMessage(
        header: header(time), kind: kind,
        content: String(decoding: content.canonicalText, as: UTF8.self)), time)
  }

  /// The place of a topic among the channels.
  private static func place(of topic: Topic) -> Int { places[topic.name] ?? 0 }
  private static let places = Dictionary(
    uniqueKeysWithValues: Topic.allCases.enumerated().map { ($1.name, $0) })

  private mutating func write(_ topic: Topic, _ message: any ROSMessage, _ time: UInt64) {
    lastTime = max(lastTime + 1, time)
    writer.add(message.bytes, to: channels[Self.place(of: topic)], at: lastTime)
  }

  // MARK: Time

  private func header(_ nanoseconds: UInt64) -> ROSHeader { ROSHeader(nanoseconds: nanoseconds) }
}

/// The topics of Lodestar's own messages.
package enum RecordingTopic {
  package static let input = "/lodestar/input"
  package static let estimate = ROSTopic.estimate.name
  package static let receiver = "/lodestar/receiver"
  package static let calibration = "/lodestar/calibration"
  package static let event = "/lodestar/event"
}

extension OnlineCalibrationEvent {
  var exactJSON: JSONValue {
    var object = JSONObject()
    switch self {
    case .committed: object["change"] = .text("committed")
    case .steppedTo(_, let change):
      object["change"] = .text("step")
      object["step_uT"] = .exact(change)
    case .rolledBack: object["change"] = .text("rolled back")
    case .refuted: object["change"] = .text("rejected")
    }
    if let calibration {
      object["predictedError_deg"] = calibration.seenError.map { .exact($0.degrees) }
      object["estimate"] = calibration.estimate.exactJSON
    }
    return .object(object)
  }
}
