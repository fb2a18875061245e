import Quantities

/// lodestar_msgs/msg/Estimate: a published estimate with the names and units of the estimate JSON.
/// NaN and an empty text are unknown. Two estimates of one clock have equal bytes exactly where all
/// these values are equal to their last bit.
package struct EstimateMessage: ROSMessage, Equatable, Sendable {
  package var header: ROSHeader
  /// The instant on the recording's monotonic clock, nanoseconds.
  package var clock: UInt64
  /// The numbers in the order of `numbers`.
  package var values: [Double]
  /// fix, calibration, disturbance, attitude mode.
  package var words: [String]
  package var isSimulated: Bool

  package static let name = "lodestar_msgs/msg/Estimate"
  package static let parts: [ROSPart] = [.header, .time]
  package static let fields: String =
    "std_msgs/Header header\nuint64 clock_ns\n"
    + numbers.map { "float64 \($0.snakeCase)  # \($0.definition ?? "")\n" }.joined()
    + words.map { "string \($0)\n" }.joined() + "bool simulated\n"

  private static let words = ["fix", "calibration", "disturbance", "attitude_mode"]

  /// The numbers, in the order of the recordings made so far: the deviation before the
  /// acceleration.
  private static let numbers: [PublishedValue] = {
    var numbers = PublishedValue.all.filter { $0.definition != nil }
    if let deviation = numbers.firstIndex(where: { $0.snakeCase == "deviation" }),
      let acceleration = numbers.firstIndex(where: { $0.snakeCase == "acceleration_north" })
    {
      numbers.insert(numbers.remove(at: deviation), at: acceleration)
    }
    return numbers
  }()
  private static let names = numbers.map(\.snakeCase)

  /// The names of `values` and `words`.
  static let columns = names + words

  /// Makes the message of an estimate.
  /// - Parameters:
  ///   - estimate: The estimate.
  ///   - nanoseconds: Its civil time, nanoseconds since 1970.
  package init(_ estimate: Estimate, nanoseconds: UInt64) {
    header = ROSHeader(nanoseconds: nanoseconds)
    clock = estimate.timestamp.nanoseconds
    values = Self.numbers.map { $0.number(estimate) ?? .nan }
    words = [
      estimate.fixKind?.rawValue ?? "", estimate.calibration?.rawValue ?? "",
      estimate.disturbance?.rawValue ?? "", estimate.attitudeMode?.rawValue ?? "",
    ]
    isSimulated = estimate.isSimulated
  }

  package init(from cdr: inout CDRReader) throws(CDRFault) {
    header = try ROSHeader(from: &cdr)
    clock = try cdr.number()
    values = try cdr.array(Self.numbers.count)
    words = []
    for _ in Self.words { words.append(try cdr.text()) }
    isSimulated = try cdr.number(UInt8.self) != 0
  }

  package func write(to cdr: inout CDRWriter) {
    header.write(to: &cdr)
    cdr.add(clock)
    cdr.add(array: values)
    for word in words { cdr.add(word) }
    cdr.add(isSimulated)
  }

  /// A number by its name; nil where it is unknown.
  package subscript(name: String) -> Double? {
    guard let index = Self.names.firstIndex(of: name), !values[index].isNaN
    else { return nil }
    return values[index]
  }

  /// The names of the values that differ in their last bit; the header's time is not compared.
  package func differences(from other: EstimateMessage) -> [String] {
    var names: [String] = clock == other.clock ? [] : ["clock_ns"]
    for (index, name) in Self.names.enumerated()
    where values[index].bitPattern != other.values[index].bitPattern {
      names.append(name)
    }
    for (index, name) in Self.words.enumerated() where words[index] != other.words[index] {
      names.append(name)
    }
    return isSimulated == other.isSimulated ? names : names + ["simulated"]
  }
}

extension Estimate {
  /// Removes the place, and what depends on it or leads to it: altitude, course and speed, true
  /// north, the magnetic model.
  package mutating func removePlace() {
    (position, horizontalAccuracyMetres, ellipsoidalAltitudeMetres) = (nil, nil, nil)
    (altitudeMetres, verticalAccuracyMetres) = (nil, nil)
    (course, speedMetresPerSecond) = (nil, nil)
    (modelField, trueHeading, trueHeadingAccuracy) = (nil, nil, nil)
  }
}
