import JSON

/// What a server of Foxglove's WebSocket protocol sends.
/// - Source: foxglove/ws-protocol, "Foxglove WebSocket protocol v1".
package enum FoxgloveMessage {
  /// The names of the protocol, the present one first; their messages that are used here are equal.
  package static let subprotocols = ["foxglove.sdk.v1", "foxglove.websocket.v1"]

  /// The first message of a connection.
  package static func serverInfo(version: String) -> [UInt8] {
    JSONWriter.object { json in
      json.add("op", "serverInfo")
      json.add("name", "Lodestar \(version)")
      // Required even if it is empty.
      json.add("capabilities", object: Array("[]".utf8))
    }
  }

  /// The channels: those of recordings, numbered from 1.
  package static let advertisement: [UInt8] = JSONWriter.object { json in
    json.add("op", "advertise")
    json.add("channels", ROSTopic.allCases.enumerated()) { channel, json in
      let (number, topic) = channel
      json.add("id", number + 1)
      json.add("topic", topic.name)
      json.add("encoding", "cdr")
      json.add("schemaName", topic.type.name)
      json.add("schema", topic.type.definition)
      json.add("schemaEncoding", "ros2msg")
    }
  }

  /// The topic of a channel; nil for an unknown number.
  package static func topic(ofChannel number: Int) -> ROSTopic? {
    (1...ROSTopic.allCases.count).contains(number) ? ROSTopic.allCases[number - 1] : nil
  }

  /// The state of the source: an error with its reason, or the end of an error.
  package static func status(_ fault: String?) -> [UInt8] {
    JSONWriter.object { json in
      json.add("op", fault == nil ? "removeStatus" : "status")
      guard let fault else { return json.add("statusIds", ["source"]) }
      json.add("level", 2)
      json.add("message", fault)
      json.add("id", "source")
    }
  }

  /// Why a request is refused.
  package static func refusal(_ reason: String) -> [UInt8] {
    JSONWriter.object { json in
      json.add("op", "status")
      json.add("level", 1)
      json.add("message", reason)
    }
  }

  /// A message of a subscription: 1, its number, the time of sending, the message.
  package static func data(
    subscription: UInt32, at nanoseconds: UInt64, _ payload: [UInt8]
  ) -> [UInt8] {
    var bytes: [UInt8] = [1]
    bytes.reserveCapacity(payload.count + 13)
    withUnsafeBytes(of: subscription.littleEndian) { bytes += $0 }
    withUnsafeBytes(of: nanoseconds.littleEndian) { bytes += $0 }
    return bytes + payload
  }
}
