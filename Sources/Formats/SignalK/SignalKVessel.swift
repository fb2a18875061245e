import JSON
import Quantities
import ReceiverProtocols

/// The vessel of a Signal K server, and the documents about it.
public struct SignalKVessel: Equatable, Sendable {
  /// The version of the specification.
  public static let version = "1.7.0"
  /// The name of the server software, by which its values are recognised when they come back.
  public static let name = "\(SignalKDecoder.ownLabel)"

  /// The identifier, such as `urn:mrn:signalk:uuid:…`.
  public let urn: String
  private let key: String
  private let value: String

  /// A vessel with a UUID of version 4.
  public init(uuid: String) {
    urn = "urn:mrn:signalk:uuid:\(uuid.lowercased())"
    (key, value) = ("uuid", urn)
  }

  /// A vessel with a Maritime Mobile Service Identity; nil for another text than nine digits, the
  /// first 2 to 7.
  public init?(mmsi: String) {
    let digits = Array(mmsi.utf8)
    let first = UInt8(ascii: "2")...UInt8(ascii: "7")
    guard digits.count == 9, let leading = digits.first, first.contains(leading),
      digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    else { return nil }
    urn = "urn:mrn:imo:mmsi:\(mmsi)"
    (key, value) = ("mmsi", mmsi)
  }

  /// The context of deltas.
  public var context: String { "vessels.\(urn)" }

  /// The full model.
  public func document(_ model: SignalKModel) -> SignalKNode {
    var (root, vessel, sources) = (SignalKNode.empty, SignalKNode.empty, SignalKNode.empty)
    vessel.set([key], .text(value))
    sources.set([Self.name, "label"], .text(Self.name))
    sources.set([Self.name, "type"], .text("Lodestar"))
    for path in SignalKPath.allCases {
      guard let entry = model[path] else { continue }
      var leaf = SignalKNode.empty
      leaf.set(["value"], entry.value)
      leaf.set(["$source"], .text(path.sourceReference))
      leaf.set(["timestamp"], entry.utc.map { .time($0) })
      leaf.set(["meta"], path.meta)
      vessel.set(path.rawValue.split(separator: ".").map(String.init), leaf)
      sources.set([Self.name, path.source.rawValue], .empty)
    }
    root.set(["version"], .text(Self.version))
    root.set(["self"], .text(context))
    root.set(["vessels", urn], vessel)
    root.set(["sources"], sources)
    return root
  }

  /// The first message of a stream.
  /// - Parameter utc: The present time; nil while it is not known.
  /// - Returns: A JSON object.
  public func hello(at utc: UTCTime?) -> [UInt8] {
    JSONWriter.object {
      $0.add("name", Self.name)
      $0.add("version", Self.version)
      $0.add("timestamp", utc)
      $0.add("self", context)
      $0.add("roles", ["master", "main"])
    }
  }

  /// The answer to `/signalk`.
  /// - Parameters:
  ///   - host: The server's host and port, as the client named them.
  ///   - isEncrypted: True behind a proxy with TLS.
  ///   - version: The version of the program.
  /// - Returns: A JSON object.
  public static func discovery(host: String, isEncrypted: Bool, version: String) -> [UInt8] {
    let suffix = isEncrypted ? "s" : ""
    var root = SignalKNode.empty
    root.set(["endpoints", "v1", "version"], .text(Self.version))
    root.set(
      ["endpoints", "v1", "signalk-http"], .text("http\(suffix)://\(host)/signalk/v1/api/"))
    root.set(["endpoints", "v1", "signalk-ws"], .text("ws\(suffix)://\(host)/signalk/v1/stream"))
    root.set(["server", "id"], .text(name))
    root.set(["server", "version"], .text(version))
    return root.json
  }

  /// The properties of the service announcement (DNS-SD).
  /// - Source: Signal K specification 1.7.0, "Discovery & Connection Establishment".
  public func announcement(version: String) -> [String] {
    [
      "txtvers=1", "roles=master, main", "self=\(urn)", "swname=\(Self.name)", "swvers=\(version)",
    ]
  }

  /// The answer to a request that is refused.
  public static func refusal(request: String?, status: Int, _ message: String) -> [UInt8] {
    JSONWriter.object {
      $0.add("requestId", request)
      $0.add("state", "FAILED")
      $0.add("statusCode", status)
      $0.add("message", message)
    }
  }
}

extension SignalKPath {
  /// The value of `$source`: the place in `sources`.
  var sourceReference: String { "\(SignalKVessel.name).\(source.rawValue)" }
}
