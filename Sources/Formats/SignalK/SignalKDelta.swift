import JSON
import Quantities

/// Values of the model as messages: an update for each source and time.
public enum SignalKDelta {
  /// One message.
  /// - Parameters:
  ///   - paths: The values; those that the model does not have are left out.
  ///   - model: The model.
  ///   - context: The vessel.
  ///   - described: The values whose units and meanings are added.
  /// - Returns: The message; nil without a value.
  public static func message(
    _ paths: [SignalKPath], of model: SignalKModel, context: String,
    describing described: Set<SignalKPath> = []
  ) -> [UInt8]? {
    var updates: [Update] = []
    for path in paths {
      guard let entry = model[path] else { continue }
      let source = path.sourceReference
      let index =
        updates.firstIndex { $0.source == source && $0.utc == entry.utc } ?? updates.endIndex
      if index == updates.endIndex { updates.append(Update(source: source, utc: entry.utc)) }
      updates[index].values.append((path, entry.value))
    }
    guard !updates.isEmpty else { return nil }
    return JSONWriter.object { json in
      json.add("context", context)
      json.add("updates", updates) { update, json in
        json.add("$source", update.source)
        json.add("timestamp", update.utc)
        json.add("values", object: list(update.values))
        let meta = update.values.filter { described.contains($0.path) }
        if !meta.isEmpty { json.add("meta", object: list(meta.map { ($0.path, $0.path.meta) })) }
      }
    }
  }

  /// Messages of limited length for datagrams: values that do not fit in one are divided.
  public static func messages(
    _ paths: [SignalKPath], of model: SignalKModel, context: String, atMost bytes: Int
  ) -> [[UInt8]] {
    guard let message = message(paths, of: model, context: context) else { return [] }
    if message.count <= bytes || paths.count == 1 { return [message] }
    let middle = paths.count / 2
    return [paths[..<middle], paths[middle...]].flatMap {
      messages(Array($0), of: model, context: context, atMost: bytes)
    }
  }

  private struct Update {
    var source: String
    var utc: UTCTime?
    var values: [(path: SignalKPath, value: SignalKNode)] = []
  }

  private static func list(_ values: [(path: SignalKPath, value: SignalKNode)]) -> [UInt8] {
    var text = [UInt8(ascii: "[")]
    for (index, (path, value)) in values.enumerated() {
      text.append(ascii: index == 0 ? "{\"path\":" : ",{\"path\":")
      text.append(quoted: path.rawValue)
      text.append(ascii: ",\"value\":")
      value.append(to: &text)
      text.append(UInt8(ascii: "}"))
    }
    text.append(UInt8(ascii: "]"))
    return text
  }
}
