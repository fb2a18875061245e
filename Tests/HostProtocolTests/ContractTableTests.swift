import Board
import Formats
import Foundation
import HostProtocol
import Monitoring
import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// `Documentation/Contract/values.json` has the tables of values, from which `Scripts/build-contract`
/// makes the contract. This test writes it: `LODESTAR_WRITE_PAGES=1 swift test --filter ContractTable`.
@Suite("The table of the contract", .timeLimit(.minutes(30))) struct ContractTableTests {
  /// A value, with its type and its words.
  private struct Value: Codable, Equatable {
    var key: String
    /// `number`, `direction`, `count`, `instant`, `civil`, `flag`, `word`, `text`, or `numbers N`.
    var type: String
    var words: [String]?
    /// True where each object has it.
    var isAlways: Bool?
    /// Decimals in the whole object and in the state of MQTT; nil where the value is not in it.
    var decimals: Int?
    var stateDecimals: Int?
    var metric: String?
    var help: String?
  }

  private struct Table: Codable, Equatable {
    /// Of `EstimateJSON`.
    var estimate: [Value]
    /// Of `HealthJSON`, and of one of its devices.
    var health: [Value]
    var device: [Value]
    /// Of `EstimateCoding`.
    var socketEstimate: [Value]
    /// The words of other values.
    var words: [String: [String]]
  }

  private static let file = SharedData.repository.appendingPathComponent(
    "Documentation/Contract/values.json")

  @Test("has the values as the sources have them")
  func values() throws {
    let table = Table(
      estimate: PublishedValue.all.map(Self.value), health: HealthValue.all.map(Self.value),
      device: DeviceHealthValue.all.map {
        Value(
          key: "\($0.key)", type: $0.metric.name.hasSuffix("_total") ? "count" : "number",
          metric: $0.metric.name, help: $0.metric.help)
      }, socketEstimate: EstimateCoding.fields.map(Self.value), words: Self.words)
    if ProcessInfo.processInfo.environment["LODESTAR_WRITE_PAGES"] != nil {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try (encoder.encode(table) + Data("\n".utf8)).write(to: Self.file)
    } else {
      let written = try JSONDecoder().decode(Table.self, from: Data(contentsOf: Self.file))
      #expect(
        written == table,
        "write it anew with LODESTAR_WRITE_PAGES=1, then run Scripts/build-contract")
    }
  }

  private static let words: [String: [String]] = [
    "accuracy": GrantedAccuracy.allCases.map(\.rawValue),
    "activity": Activity.allCases.map(\.rawValue),
    "antenna": SignalState.Antenna.allCases.map(\.word),
    "attitudeMode": AttitudeMode.allCases.map(\.rawValue),
    "authorization": GrantedAuthorization.allCases.map(\.rawValue),
    "calibration": CalibrationState.allCases.map(\.rawValue),
    "conditionState": ConditionState.allCases.map(\.rawValue),
    "deviceState": DeviceHealth.stateWords,
    "fault": HostFault.Code.allCases.map(\.rawValue),
    "firstFixSince": FirstFix.Begin.allCases.map(\.rawValue),
    "fix": FixKind.allCases.map(\.rawValue),
    "fixLoss": FixLoss.Cause.allCases.map(\.rawValue),
    "interference": SignalState.Interference.allCases.map(\.word),
    "monitoringFault": MonitoringFault.allCases.map(\.rawValue),
    "motion": MotionState.allCases.map(\.rawValue),
    "spoofing": SignalState.Spoofing.allCases.map(\.word),
    "system": Constellation.allCases.map(SkyJSON.name(of:)),
    "use": CalibrationUse.allCases.map(\.rawValue),
  ]

  private static func value(_ value: PublishedValue) -> Value {
    let (type, words): (String, [String]) =
      switch value.content {
      case .number, .pressure: ("number", [])
      case .direction: ("direction", [])
      case .count: ("count", [])
      case .instant: ("instant", [])
      case .flag: ("flag", [])
      case .word(let words, _): (words.isEmpty ? "text" : "word", words)
      }
    return Value(
      key: "\(value.key)", type: type, words: words.isEmpty ? nil : words, decimals: value.decimals,
      stateDecimals: value.stateDecimals, metric: value.metric?.name, help: value.metric?.help)
  }

  private static func value(_ value: HealthValue) -> Value {
    let (type, words): (String, [String]) =
      switch value.content {
      case .number: ("number", [])
      case .flag: ("flag", [])
      case .word(let words, _): ("word", words)
      case .text: ("text", [])
      }
    return Value(
      key: "\(value.key)", type: type, words: words.isEmpty ? nil : words,
      metric: value.metric?.name, help: value.metric?.help)
  }

  private static func value(_ field: EstimateField) -> Value {
    let (type, words): (String, [String]) =
      switch field.shape {
      case .instant: ("instant", [])
      case .civil: ("civil", [])
      case .number: ("number", [])
      case .count: ("count", [])
      case .flag: ("flag", [])
      case .numbers(let count): ("numbers \(count)", [])
      case .word(let words): (words.isEmpty ? "text" : "word", words)
      }
    return Value(
      key: field.name, type: type, words: words.isEmpty ? nil : words,
      isAlways: field.isAlways ? true : nil)
  }
}
