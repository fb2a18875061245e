/// A value as Home Assistant shows it: its key in a JSON object, and its presentation.
struct HomeAssistantEntity: Sendable {
  /// The longest state of Home Assistant, characters; a longer one would be unknown.
  private static let longestState = 255

  /// The key in `EstimateJSON.state`, or in `HealthJSON`.
  let key: StaticString
  let name: String
  var unit: String?
  var deviceClass: String?
  /// Nil for an angle: Home Assistant has a class for it since 2025.4 only, and would average it as
  /// a number.
  var stateClass: String?
  var decimals: Int?
  var icon: String?
  var isDiagnostic = false
  var options: [String] = []
  /// What an absent value means; nil: it is unknown.
  var absent: String?
  /// True for a value of `HealthJSON`.
  var isHealth = false
  /// True for a value that is true or false.
  var isFlag = false

  /// How the value is read.
  var template: String {
    if isFlag { return "{{ 'ON' if value_json.get('\(key)') else 'OFF' }}" }
    // `None` is Home Assistant's text for an unknown value.
    let value = "value_json.get('\(key)'\(absent.map { ", '\($0)'" } ?? ""))"
    let isText = isHealth && unit == nil && options.isEmpty
    return isText ? "{{ (\(value) or '')[:\(Self.longestState)] }}" : "{{ \(value) }}"
  }
}
