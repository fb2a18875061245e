import Formats
import Foundation
import Quantities
import Recording
import TestSupport
import Testing

@Suite("A recording of ROS 2 by another program", .timeLimit(.minutes(30)))
struct ROSRecordingTests {
  /// A bag of rosbags 0.11.9, version 9, compressed as a file: four times /imu/data, /imu/mag and
  /// /chatter, 10 ms apart.
  private static let bag = """
    KLUv/WAAby00AJpItA9I0BZxDoCtSOg0k6irmIKIL9SDaMLt4C2zTIJOEiugJpVrIt7l204il6d0F3TSGA0PYqrUvkvP
    NkgJPlAKB3JDCPJDvv1vayID7QDXAOMAmMdu3Aq+Hyf83A4gxeXGn9TjuWkhP1GE+feP43l1NHn1fv7lNUH8tuAIEGgZ
    fT4zfmchTW/Mw/wyU+cTm38zAnZjn2brIW6eumtTj59DmRbc97WMQAF4GlToQFPB3n4zDQ2IGnvToSbEmnZ2ByRgGywJ
    mxgOMzYerA1MBnaTta0MYDQVYm5ET4q3u3g4F5eWUei7NbAQi7EMrK3pYO0I2IWaGQu7iYHZWBjxl12ek3VIK2/nX+qe
    89nUNs5lQYtIJILFRMSkBACTFZ6O+lABwOEHlEQ5kGhEopRaS4FyHA1AP9tvuc/Rftc0H2IB+AO/7++3RBXoAlHfr1LP
    wg9elqvltTzUhxpHz7uuzApRXizDjI191Vo5AwPDZbwM98nNrztj+6onTNhXhamVGsZWVTjrOkVYv++aRMHta78edTc/
    613tKwwfR/dL/gY9lGrFQuGT9uFjU/PwS91D2b6dW/vgE/MDm6m7fc36paVQZu3E1r7UF6/eZ188myd+fprXtLa+di1X
    kqyZ9nX7zWF5dl7D1b4+n2XNnevYF+e/aeWJSyw1OBriZmKoVKhKhcuuyM99oh9QjdLRKB137s513im3/Fk1sdqXTIxD
    jVAfm1fvi3Pi8ITLhGrV70mOY1jab58dfwjb7l+eL6szuz/fz3C6Eeg5ybiwKX7u0y3B6aOjTx9LSkojTHQsfQcoiaPJ
    pNhOmNgZn24CWD4XSvqcO1ZYOhod3bHycdlXbYkr17vA1OeBn4qFSnmtVgolZheYRVUes8e6K1Z2feLYUmVRTKlYuLVa
    jVlm6t1jue/v/c7wOGbVe94/+N1R/ETwrkZRxB8rJYoiyxMz6qLw2Eq5XHjVUnmpuwLH1Dd6rc/kawxY9zdll4PsliIo
    qlggijXeEQQx6HKNXz2xCzk5RKgYUBJ9VFI+oJBoRCpVFRMn+ph2x6KT0eHoeHQ9OiBdkS5J16SL0tHvTJWjn5Se2IUP
    EBs7IHojxyxEeqIkR2TkhY5QnhNSz07NVipAAcHOkglIJhiZAEXIDuiFqERFVQPPDwlLJEABcUSGzLSCkY6UfhOpfG70
    JMmfiSjlKKllRSeHCBUDPgxEHA2ZCkAglSAtIb3UDfVINWCCYApi6lZeVnqsUAgkU4r95GN839SkrWt8ko8T7kvWZObt
    5ut9WvPU5v5+ax9Ot9CM00dJXAIYVceWY2sVP7epr2Ydfnn3WO2X+gaGP77j/m7q0NSd1AGBFKBRrTNmSoREpCBJkmEM
    ARkxzCmKKJAPypcE1AMeh/LfBfrBx0l5uQR98OMA8DloKGHQYZ+QAXDAd9EUnvyafgMj5nI7CpPl46Gn7w+RwVNUvbS8
    gOMmT8l++KjLQ7XxFFUvrRdEOGwSlc5j/Mz9iEq/LRSgb8Q6M0UzAy6ZbdG2r1BEEBcouQhLtjkSYAvsce4WAdEBnwzU
    Hwfgo0KsjlSP8KJpdoktIkVWF0uETmdNATAyxzfCYgIHr1DIYS6NGwtqtbqoTphGMXvC1EzRVk+vfC3EvvgkhWd2R7RZ
    rhrw8NqlS8+qlZmk5duSzukehlGp0cldbJUwB99x162P3gJ+uVhybFZnE7OEXMYpQG7YtNpXJqYq9gxABOEgj67vxSJL
    y0mS8SUugVB+3mvB7334ZyvoAAQKuaD8vKes8BKttQJGdo8DkDLqgHIjZAGFa4C6L1D9DamgTaFFdTviCQ/8F3JgigBI
    jt8T079PJpgp6HN7VrV9LjgGIClQXh/x5D3gVv0hsSvMgzJKlm0naf4RFN04tZjWQ+p2HLPAqwJlyJxDTB5STklOGN6N
    R7bcxjeybs3z3hZh4fwCGLs5DfLSr74BK0LQsXsBHIgd8Lhik3AmGK3LZn6L5HJ9Nruhk9HjA/DCpdi/flb57j4vNgJO
    x6mAKFnyxkdNvg6YxXNx7C5Q0RqZzsArrizhYHCEUB8JwuM5SX2koOUpjQ83JkCyUeWbNSLzZa8uGy69pXARzm/nPKZ0
    B+0WxbNTjQQB0qCVgAllCcS7g8Jy64zamgi4PSVBLMmZKzOadrVLVw0qAhGpA4YUNJvMQIXvRaIgs9kJGVjijrIUEE2j
    jkkfwGfAD6BBgILrggABCSRxgA8A/Ac=
    """
  private static let start: UInt64 = 1_764_100_000_000_000_000

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: some Sequence<UInt8>, _ name: String) throws -> String {
    let path = folder.path + "/" + name
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func bag(_ name: String) throws -> String {
    let lines = Self.bag.split(separator: "\n").joined()
    return try write(try #require(Data(base64Encoded: lines)), name)
  }

  private static func rows(_ path: String, topics: [String] = []) throws -> (
    rows: [SensorSamples], notes: String
  ) {
    var recording = try OpenedRecording(path: path, topics: topics)
    var rows: [SensorSamples] = []
    while let row = try recording.next() { rows.append(row) }
    return (rows, recording.notes ?? "")
  }

  private static func check(_ rows: [SensorSamples]) throws {
    #expect(rows.count == 8)
    let units = rows.compactMap(\.inertial)
    #expect(units.count == 4)
    for (index, unit) in units.enumerated() {
      #expect(unit.timestamp.nanoseconds == start + UInt64(index) * 10_000_000)
      let rate = SIMD3(0.25, -0.5, Double(index) * 0.125)
      #expect(unit.angularRate?.radiansPerSecond == rate)
    }
    #expect(units.first?.specificForce?.metresPerSecondSquared == SIMD3(0, 0.5, 9.75))
    let field = try #require(rows.compactMap(\.field).first)
    #expect(field.field.microtesla == SIMD3(1e6 / 65536, 1e6 / 131072, -1e6 / 32768))
    #expect(field.timestamp.nanoseconds == start + 1000)
  }

  @Test("a bag is read from its file and from its folder")
  func bag() throws {
    try Self.check(try Self.rows(try bag("a.db3.zstd")).rows)
    _ = try bag("bag/a.db3.zstd")
    let text =
      "rosbag2_bagfile_information:\n  version: 9\n  storage_identifier: sqlite3\n"
      + "  relative_file_paths:\n    - a.db3.zstd\n  compression_format: zstd\n  compression_mode: FILE\n"
    let description = try write(text.utf8, "bag/metadata.yaml")
    try Self.check(try Self.rows(folder.path + "/bag").rows)
    try Self.check(try Self.rows(description).rows)
    let recording = try OpenedRecording(path: description)
    #expect(recording.startTime?.nanosecondsSince1970 == Int64(Self.start))
  }

  @Test("a damaged bag, another database and a wrong description are refused by name")
  func refused() throws {
    for (name, text) in [
      ("a.db3", "no database"), ("b.db3.zstd", "no frame"),
      ("bag/metadata.yaml", "rosbag2_bagfile_information: 7\n"), ("c/metadata.yaml", "a: [\n"),
    ] {
      let path = try write(text.utf8, name)
      let error = thrownError(RecordingError.self) { try OpenedRecording(path: path) }
      #expect(error.map { "\($0)".hasPrefix(path) } == true, "\(String(describing: error))")
    }
    let whole = try Data(contentsOf: URL(fileURLWithPath: try bag("whole.db3.zstd")))
    let cut = try write(whole.prefix(whole.count / 2), "cut.db3.zstd")
    #expect(throws: RecordingError.self) { try OpenedRecording(path: cut) }
  }

  // MARK: MCAP

  private struct Message {
    var topic: String
    var type: String
    var data: [UInt8]
    var time: UInt64
  }

  private func mcap(_ messages: [Message], encoding: String = "cdr") throws -> String {
    var writer = MCAPWriter(library: "test")
    var channels: [String: UInt16] = [:]
    for message in messages {
      if channels[message.topic] == nil {
        let schema = writer.addSchema(name: message.type, encoding: "ros2msg", data: [])
        channels[message.topic] = writer.addChannel(
          topic: message.topic, schema: schema, encoding: encoding)
      }
      writer.add(message.data, to: channels[message.topic] ?? 0, at: message.time)
    }
    writer.finish()
    return try write(writer.removeBytes(), "\(UUID()).mcap")
  }

  private static func field(
    _ topic: String, _ field: SIMD3<Double>, stamp: UInt64, time: UInt64
  ) -> Message {
    let message = ROSMagneticField(header: ROSHeader(nanoseconds: stamp), field: field)
    return Message(topic: topic, type: ROSMagneticField.name, data: message.bytes, time: time)
  }

  @Test("the first topic of each type is read, or the ones that are named")
  func topics() throws {
    let path = try mcap(
      (0..<3).flatMap { index -> [Message] in
        let time = Self.start + UInt64(index) * 1000
        return ["/a", "/b"].map { topic in
          Self.field(topic, SIMD3(topic == "/a" ? 2e-5 : 3e-5, 0, 0), stamp: time, time: time)
        }
      })
    let (first, notes) = try Self.rows(path)
    #expect(first.map { $0.field?.field.microtesla.x.rounded() } == [20, 20, 20])
    #expect(notes.contains("not read: /b (choose by --topic)"))
    let (second, none) = try Self.rows(path, topics: ["/b"])
    #expect(second.map { $0.field?.field.microtesla.x.rounded() } == [30, 30, 30] && none.isEmpty)
    let (absent, named) = try Self.rows(path, topics: ["/c"])
    #expect(absent.isEmpty && named.contains("/c; the topics are /a, /b"))
  }

  @Test(
    "a field in another unit than tesla is detected",
    arguments: [(4e-5, ""), (0.4, "gauss"), (40.0, "microtesla")])
  func units(_ size: Double, _ unit: String) throws {
    let path = try mcap([
      Self.field("/m", SIMD3(0, 0, size), stamp: Self.start, time: Self.start)
    ])
    let (rows, notes) = try Self.rows(path)
    let found = try #require(rows.first?.field?.field.microtesla.z)
    #expect(abs(found - 40) < 1e-9)
    #expect(unit.isEmpty ? notes.isEmpty : notes.contains("the field is in \(unit)"))
  }

  @Test("stamps of another clock are replaced, repeated and late ones skipped")
  func stamps() throws {
    let ages: [UInt64] = [0, 10, 10, 5, 20]
    let own = try mcap(
      ages.map {
        Self.field("/m", SIMD3(0, 0, 4e-5), stamp: Self.start + $0, time: Self.start + 50)
      })
    let (rows, notes) = try Self.rows(own)
    #expect(rows.map { $0.timestamp.nanoseconds - Self.start } == [0, 10, 20])
    #expect(notes.contains("2 messages"))
    let other = try mcap(
      (0..<3).map { Self.field("/m", SIMD3(0, 0, 4e-5), stamp: 7 + $0, time: Self.start + 50 + $0) }
    )
    let (replaced, remark) = try Self.rows(other)
    #expect(replaced.map { $0.timestamp.nanoseconds - Self.start } == [50, 51, 52])
    #expect(remark.contains("the times of the recording are used"))
  }

  @Test("messages without a value are skipped, and another encoding is named")
  func invalid() throws {
    let path = try mcap(
      [Double.nan, 4e-5].enumerated().map { index, value in
        Self.field("/m", SIMD3(0, 0, value), stamp: Self.start + UInt64(index), time: Self.start)
      })
    let (rows, notes) = try Self.rows(path)
    #expect(rows.count == 1 && notes.contains("1 messages without a valid value"))
    let message = Self.field("/m", .one, stamp: 1, time: 1)
    #expect(
      try Self.rows(try mcap([message], encoding: "ros1")).notes.contains("in 'ros1'; expected cdr")
    )
    #expect(throws: RecordingError.self) {
      try Self.rows(
        try mcap([
          Message(topic: "/m", type: ROSMagneticField.name, data: [0, 1, 0, 0, 1], time: 1)
        ]))
    }
  }

  @Test("a fix has its place, its kind and the 68 % radius of its covariance")
  func fix() throws {
    var message = ROSNavSatFix(header: ROSHeader(nanoseconds: Self.start))
    (message.latitude, message.longitude, message.altitude) = (54, -10, 45)
    message.status = 0
    (message.covariance, message.covarianceType) = ([4, 0, 0, 0, 4, 0, 0, 0, 9], 2)
    let path = try mcap([
      Message(topic: "/fix", type: ROSNavSatFix.name, data: message.bytes, time: Self.start)
    ])
    let fix = try #require(try Self.rows(path).rows.first?.fix)
    #expect(fix.kind == .threeDimensional && fix.ellipsoidalAltitudeMetres == 45)
    #expect(fix.position == GeodeticPosition(latitudeDegrees: 54, longitudeDegrees: -10))
    // The 68 % radius of a circular distribution of the deviation 2 m.
    let radius = try #require(fix.horizontalAccuracyMetres)
    #expect(
      abs(radius - 2 * (-2 * log(0.32)).squareRoot()) < 0.01 && fix.verticalAccuracyMetres == 3)
    #expect(fix.utc?.nanosecondsSince1970 == Int64(Self.start))
  }
}
