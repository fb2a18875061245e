import Board
import Formats
import Quantities

/// A recording of ROS 2 by another program, as rows: inertial units, magnetometers, barometers and
/// fixes by the types of their topics. Axes stay those of the messages, which REP 103 has x
/// forward, y left, z up: the standard mount.
package struct ROSRecording: SampleSource {
  private enum Kind: String, CaseIterable {
    case inertia = "sensor_msgs/msg/Imu"
    case field = "sensor_msgs/msg/MagneticField"
    case pressure = "sensor_msgs/msg/FluidPressure"
    case fix = "sensor_msgs/msg/NavSatFix"
  }

  /// A topic that is read.
  private struct Topic {
    var kind: Kind
    /// Whether its messages have the time at which they were recorded, as their own is of another
    /// clock.
    var isStampedByRecorder: Bool
    /// The factor from the message's unit to the definition's.
    var scale = 1.0
    var last: UInt64?
  }

  /// The types of messages that are read.
  static let types = Set(Kind.allCases.map(\.rawValue))
  /// Greatest difference between a message's own time and that of its recording for both to be of
  /// one clock, nanoseconds.
  private static let largestDelay: UInt64 = 60_000_000_000

  private let path: String
  private var messages: any MessageSource
  /// The topics that were asked for; empty: the first of each type.
  private let wanted: Set<String>
  private var topics: [String: Topic] = [:]
  private var newest: UInt64 = 0
  private var first: UInt64?
  /// Topics of a type that is read, and of other types, that are not read.
  private var (leftOut, others): (Set<String>, [String: String]) = ([], [:])
  /// Messages that were skipped: without a finite value, and not later than the one before.
  private var (invalid, late) = (0, 0)
  private var remarks: [String] = []
  private var foundUnknownEncoding: String?

  private var ahead: SensorSamples?

  /// Reads up to the first row.
  init(_ messages: any MessageSource, path: String, topics: [String]) throws(RecordingError) {
    (self.messages, self.path, wanted) = (messages, path, Set(topics))
    ahead = try read()
  }

  var fractionRead: Double? { messages.fractionRead }

  /// The civil time of the first row; nil where the times are not since 1970.
  private(set) var startTime: UTCTime?

  // MARK: Rows

  /// The next row; nil at the end.
  package mutating func next() throws(RecordingError) -> SensorSamples? {
    if let row = ahead {
      ahead = nil
      return row
    }
    return try read()
  }

  private mutating func read() throws(RecordingError) -> SensorSamples? {
    while let message = try messages.next() {
      guard let topic = topic(of: message) else { continue }
      do throws(CDRFault) {
        if let row = try row(message, topic) { return row }
      } catch {
        let topic = String(printable: message.topic)
        throw .damaged(path: path, offset: 0, reason: "a message of \(topic): \(error)")
      }
    }
    return nil
  }

  private mutating func topic(of message: RecordedMessage) -> Topic? {
    if let topic = topics[message.topic] { return topic }
    guard let kind = Kind(rawValue: message.type) else {
      others[message.topic] = message.type
      return nil
    }
    guard message.encoding == "cdr" else {
      foundUnknownEncoding = message.encoding
      others[message.topic] = message.type
      return nil
    }
    let isWanted = wanted.isEmpty || wanted.contains(message.topic)
    guard isWanted, !topics.values.contains(where: { $0.kind == kind }) else {
      leftOut.insert(message.topic)
      return nil
    }
    let topic = Topic(kind: kind, isStampedByRecorder: false)
    topics[message.topic] = topic
    return topic
  }

  private mutating func row(
    _ message: RecordedMessage, _ known: Topic
  ) throws(CDRFault) -> SensorSamples? {
    var topic = known
    var header = ROSHeader(nanoseconds: 0)
    var row = SensorSamples(timestamp: Timestamp(nanoseconds: 0))
    var isValid = false
    switch topic.kind {
    case .inertia:
      let imu = try ROSImu(message.data)
      header = imu.header
      isValid = add(imu, to: &row)
    case .field:
      let sample = try ROSMagneticField(message.data)
      header = sample.header
      if topic.last == nil { topic.scale = fieldScale(sample.field, message.topic) }
      let field = sample.field * (topic.scale * 1e6)
      isValid = field.isFinite
      row.field = FieldSample(timestamp: row.timestamp, field: MagneticField(components: field))
    case .pressure:
      let sample = try ROSFluidPressure(message.data)
      header = sample.header
      if topic.last == nil { topic.scale = pressureScale(sample.pascal, message.topic) }
      let pascal = sample.pascal * topic.scale
      isValid = pascal.isFinite && pascal > 0
      row.pressure = PressureSample(timestamp: row.timestamp, hectopascal: pascal / 100)
    case .fix:
      let sample = try ROSNavSatFix(message.data)
      header = sample.header
      isValid = sample.latitude.isFinite && sample.longitude.isFinite && abs(sample.latitude) <= 90
      row.fix = Fix(sample)
    }
    guard isValid else {
      invalid += 1
      return nil
    }
    if topic.last == nil {
      let (own, recorded) = (header.nanoseconds, message.time)
      let delay = own > recorded ? own - recorded : recorded - own
      topic.isStampedByRecorder = own == 0 || delay > Self.largestDelay
      if topic.isStampedByRecorder {
        remarks.append(
          "\(message.topic): its stamps are not those of the recording's clock; the times of the recording are used"
        )
      }
    }
    let time = topic.isStampedByRecorder ? message.time : header.nanoseconds
    if let last = topic.last, time <= last {
      late += 1
      return nil
    }
    topic.last = time
    topics[message.topic] = topic
    stamp(&row, time)
    return row
  }

  /// Gives a row its times. Rows of several topics may come late by the recorder's delay: the row's
  /// own time never falls.
  private mutating func stamp(_ row: inout SensorSamples, _ time: UInt64) {
    if first == nil {
      first = time
      // Later than 2001: since 1970, else since the start of a machine or a simulation.
      if time > 1_000_000_000_000_000_000, let nanoseconds = Int64(exactly: time) {
        startTime = UTCTime(nanosecondsSince1970: nanoseconds)
      }
    }
    newest = max(newest, time)
    row.timestamp = Timestamp(nanoseconds: newest)
    let own = Timestamp(nanoseconds: time)
    row.inertial?.timestamp = own
    row.field?.timestamp = own
    row.pressure?.timestamp = own
    row.fix?.timestamp = own
    if startTime != nil { row.fix?.utc = UTCTime(nanosecondsSince1970: Int64(bitPattern: time)) }
  }

  private func add(_ imu: ROSImu, to row: inout SensorSamples) -> Bool {
    // -1: the message has none.
    let hasRate = imu.angularVelocityCovariance.first != -1 && imu.angularVelocity.isFinite
    let hasForce = imu.linearAccelerationCovariance.first != -1 && imu.linearAcceleration.isFinite
    row.inertial = InertialSample(
      timestamp: row.timestamp,
      angularRate: hasRate ? AngularRate(components: imu.angularVelocity) : nil,
      specificForce: hasForce ? SpecificForce(components: imu.linearAcceleration) : nil)
    return hasRate || hasForce
  }

  // MARK: Units

  /// The field of the earth is 22 to 67 microtesla. Drivers that publish microtesla or gauss are
  /// common; a magnet beside the sensor does not reach a hundred times the earth's field.
  private mutating func fieldScale(_ field: SIMD3<Double>, _ topic: String) -> Double {
    let size = (field * field).sum().squareRoot()
    let (unit, scale) =
      switch size {
      case 5...: ("microtesla", 1e-6)
      case 2e-3..<5: ("gauss", 1e-4)
      default: ("tesla", 1.0)
      }
    if scale != 1 {
      remarks.append("\(topic): the field is in \(unit), not in tesla as its definition says")
    }
    return scale
  }

  private mutating func pressureScale(_ value: Double, _ topic: String) -> Double {
    // The air has 300 to 1100 hPa.
    guard (10...2000).contains(value) else { return 1 }
    remarks.append("\(topic): the pressure is in hPa, not in Pa as its definition says")
    return 100
  }

  // MARK: Remarks

  /// What the user should know of the topics so far; nil for nothing.
  var notes: String? {
    var parts = remarks
    if !leftOut.isEmpty, wanted.isEmpty {
      let used = topics.keys.sorted().joined(separator: ", ")
      parts.append(
        "read: \(used); not read: \(leftOut.sorted().joined(separator: ", ")) (choose by --topic)")
    }
    let absent = wanted.subtracting(topics.keys)
    if !absent.isEmpty {
      let known = (leftOut.union(topics.keys)).sorted() + others.keys.sorted()
      parts.append(
        "no messages that can be read of \(absent.sorted().joined(separator: ", ")); the topics are \(known.joined(separator: ", "))"
      )
    } else if topics.isEmpty {
      if let foundUnknownEncoding {
        parts.append("its messages are in '\(foundUnknownEncoding)'; expected cdr, that of ROS 2")
      } else {
        let listed = others.sorted { $0.key < $1.key }.prefix(8).map { "\($0.key) (\($0.value))" }
        parts.append(
          "no topic of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))"
            + (listed.isEmpty ? "" : "; its topics are \(listed.joined(separator: ", "))"))
      }
    }
    if invalid > 0 { parts.append("\(invalid) messages without a valid value were skipped") }
    if late > 0 {
      parts.append("\(late) messages that are not later than the one before were skipped")
    }
    if messages.isCut {
      parts.append("the file ends in the middle of a record; everything before was read")
    }
    // Names of topics may have any characters, and there may be any number of them.
    return parts.isEmpty
      ? nil : String(printable: parts.joined(separator: "; "), atMost: String.longestMessage)
  }
}

extension Fix {
  /// The fix of a message; its times are set by the reader.
  init(_ message: ROSNavSatFix) {
    let kind: FixKind =
      switch message.status {
      case ..<0: .none
      case 0: message.altitude.isFinite ? .threeDimensional : .twoDimensional
      default: .differential
      }
    self.init(timestamp: Timestamp(nanoseconds: 0), kind: kind)
    guard kind != .none else { return }
    position = GeodeticPosition(
      latitudeDegrees: message.latitude, longitudeDegrees: message.longitude)
    if message.altitude.isFinite { ellipsoidalAltitudeMetres = message.altitude }
    guard message.covarianceType > 0 else { return }
    let (east, north, up) = (message.covariance[0], message.covariance[4], message.covariance[8])
    guard east >= 0, north >= 0, up >= 0 else { return }
    horizontalAccuracyMetres = ((east + north) / 2).squareRoot() * Fix.sigmasIn68PercentRadius
    if message.altitude.isFinite, up > 0 { verticalAccuracyMetres = up.squareRoot() }
    if message.covarianceType == 3 {
      positionCovarianceSquareMetres = ROSAxes.covariance(fromEarth: message.covariance)
    }
  }
}
