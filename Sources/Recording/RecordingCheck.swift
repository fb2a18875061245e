import Board
import Chips
import Formats
import Quantities

/// Checks a recording's samples as a board's runners check those of its chips; a recording has one
/// chip of each kind.
public struct RecordingCheck {
  private var magnetometer = SampleCheck()
  private var unit = SampleCheck()
  private var barometer = SampleCheck()
  /// What the chips reported in place of measurements, each once, in the recording's order.
  public private(set) var findings: [String] = []

  /// A check without samples.
  public init() {}

  /// Adds a row.
  public mutating func add(_ row: SensorSamples) {
    if let field = row.field {
      add(
        Self.finding("magnetometer", at: field.timestamp, &magnetometer) {
          $0.add(.value(field.field), at: field.timestamp)
        })
    }
    if let sample = row.inertial {
      add(
        Self.finding("inertial unit", at: sample.timestamp, &unit) {
          $0.add(
            InertialReading(
              angularRate: sample.angularRate.map { .value($0) },
              specificForce: sample.specificForce.map { .value($0) }), at: sample.timestamp)
        })
    }
    if let sample = row.pressure {
      add(
        Self.finding("barometer", at: sample.timestamp, &barometer) {
          $0.add(hectopascal: sample.hectopascal)
        })
    }
  }

  private mutating func add(_ finding: (text: String, instant: Timestamp)?) {
    guard let finding, !findings.contains(where: { $0.hasPrefix(finding.text) }) else { return }
    findings.append("\(finding.text), from \(Int(bounded: finding.instant.seconds)) s on")
  }

  private static func finding(
    _ name: String, at instant: Timestamp, _ check: inout SampleCheck,
    _ add: (inout SampleCheck) -> Void
  ) -> (text: String, instant: Timestamp)? {
    let before = check.fault
    add(&check)
    guard let fault = check.fault, before == nil else { return nil }
    return ("the \(name) does not measure: \(fault)", instant)
  }
}
