import JSON
import Quantities
import ReceiverProtocols

/// An estimate as one JSON object, without a line end; unknown values are absent.
///
/// Angles in degrees, lengths in metres, speeds in metres per second; `t` in seconds with nine
/// decimals. The same estimate gives the same bytes on every machine.
public enum EstimateJSON {
  /// The object's bytes with all values: degrees with four decimals (place: nine, 0.1 mm), metres
  /// with three.
  public static func object(_ estimate: Estimate) -> [UInt8] {
    // The size of a typical object, so that it is allocated once.
    bytes(reserving: 1024) { json in
      json.add("t", nanoseconds: estimate.timestamp.nanoseconds)
      json.add(time: estimate.utc)
      for value in PublishedValue.all {
        if let decimals = value.decimals { add(value, of: estimate, decimals, to: &json) }
      }
    }
  }

  /// The object's bytes for a broker with many subscribers: half the size, without `t`. As many
  /// decimals as the accuracy of a good sensor needs: degrees with one (place: seven, 11 mm),
  /// metres with two.
  /// - Parameters:
  ///   - estimate: The estimate.
  ///   - hectopascal: The newest static pressure; nil if none is known.
  ///   - receiver: The receiver's condition; nil without a receiver.
  /// - Returns: The object, without a line end.
  public static func state(
    _ estimate: Estimate, hectopascal: Double? = nil, receiver: ReceiverCondition? = nil
  ) -> [UInt8] {
    bytes(reserving: 512) { json in
      json.add(time: estimate.utc)
      for value in PublishedValue.all {
        guard let decimals = value.stateDecimals else { continue }
        add(value, of: estimate, decimals, hectopascal, to: &json)
      }
      if let receiver { ReceiverJSON.add(receiver, to: &json) }
    }
  }

  private static func bytes(
    reserving capacity: Int, _ fill: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(capacity)
    var json = JSONWriter(appendingTo: &text)
    fill(&json)
    json.close(into: &text)
    return text
  }

  private static func add(
    _ published: PublishedValue, of estimate: Estimate, _ decimals: Int,
    _ hectopascal: Double? = nil, to json: inout JSONWriter
  ) {
    let key = published.key
    switch published.content {
    case .number(let value): json.add(key, value(estimate), decimals: decimals)
    case .direction(let value):
      json.add(key, value(estimate)?.degreesBelowTurn(decimals: decimals), decimals: decimals)
    case .count(let value): json.add(key, value(estimate))
    case .instant(let value):
      if let instant = value(estimate) { json.add(key, nanoseconds: instant.nanoseconds) }
    case .word(_, let value): json.add(key, value(estimate))
    case .flag(let value): if value(estimate) { json.add(key, true) }
    case .pressure: json.add(key, hectopascal, decimals: decimals)
    }
  }
}
