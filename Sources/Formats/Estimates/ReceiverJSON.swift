import JSON
import Quantities
import ReceiverProtocols

/// A receiver's condition as values of a JSON object; unknown values are absent.
public enum ReceiverJSON {
  /// The word of `fixLoss` while there is a fix.
  static let noLoss = "none"

  /// The condition as an object of its own.
  public static func object(_ condition: ReceiverCondition) -> [UInt8] {
    JSONWriter.object { json in
      add(condition, to: &json)
      if let loss = condition.fixLoss { json.add("fixLossText", loss.text) }
      if let corrections = condition.corrections {
        json.add("corrections", object: object(corrections))
      }
    }
  }

  private static func object(_ corrections: ReceiverCondition.Corrections) -> [UInt8] {
    JSONWriter.object { json in
      json.add("bytes", corrections.bytes)
      json.add("age", corrections.ageSeconds, decimals: 1)
      json.add("interruptions", corrections.interruptions)
      json.add("messages", corrections.messages.sorted { $0.key < $1.key }) { message, json in
        json.add("type", message.key)
        json.add("received", message.value)
      }
    }
  }

  /// Adds the values to an object.
  static func add(_ condition: ReceiverCondition, to json: inout JSONWriter) {
    json.add("antenna", condition.antenna?.word)
    json.add("interference", condition.interference?.word)
    json.add("interferenceLevel", condition.interferenceLevel.map { Int($0) })
    json.add("spoofing", condition.spoofing?.word)
    json.add("quality", condition.quality?.overall)
    json.add("qualitySignals", condition.quality?.signals)
    json.add("qualityAntennaPower", condition.quality?.antennaPower)
    json.add("qualityProcessor", condition.quality?.processor)
    json.add("fixLoss", condition.lossWord)
    json.add("satellitesReceived", condition.fixLoss?.satellites)
    guard let first = condition.firstFix else { return }
    json.add("timeToFirstFix", first.seconds, decimals: 1)
    json.add("firstFixSince", first.begin.rawValue)
    json.add("firstFixAssisted", first.isAssisted)
  }
}

extension ReceiverCondition {
  /// The cause of the lost fix, `none` while there is a fix; nil where nothing is known.
  var lossWord: String? {
    fixLoss?.cause.rawValue ?? (hasFix == true ? ReceiverJSON.noLoss : nil)
  }
}
