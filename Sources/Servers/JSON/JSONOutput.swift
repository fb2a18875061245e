import Formats
public import LinuxIO
import LocationHost
import Quantities

/// The output of JSON.
public struct JSONSettings: Sendable, Equatable {
  /// Where datagrams are sent; nil for nowhere.
  public var destination: DatagramAddress?

  static var keys: [ServeKey] {
    [
      .datagrams("json-udp", example: "127.0.0.1:9870", \.json.destination)
    ]
  }
}

/// Estimates as JSON, a datagram each, for plotters and scripts. `Documentation/OwnOutput.md`
/// explains this file.
enum JSONOutput {
  /// The output; nil without a destination.
  static func make(
    _ destination: DatagramAddress?, _ context: ServerContext
  ) throws(ServerFault) -> PacketOutput? {
    guard let destination else { return nil }
    return try PacketOutput(
      Objects(), to: destination, application: "json", name: "JSON", key: "json-udp", context)
  }

  private struct Objects: PacketFormat {
    let needs: HostNeeds = [.estimates]
    private var last: Timestamp?

    mutating func packets(for update: HostUpdate) -> [[UInt8]] {
      guard case .estimate(let estimate) = update, last.isDue(at: estimate.timestamp, every: 0.1)
      else { return [] }
      return [EstimateJSON.object(estimate)]
    }
  }
}
