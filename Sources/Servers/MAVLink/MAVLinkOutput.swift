import Chips
import Formats
import LinuxIO
import LocationHost
import Quantities

/// MAVLink 2 for autopilots and ground stations: datagrams to an address, and a serial line.
enum MAVLinkOutput {
  private static let application = "mavlink"

  /// The datagrams; nil without a destination.
  static func datagrams(
    _ settings: MAVLinkSettings, _ context: ServerContext
  ) throws(ServerFault) -> PacketOutput? {
    guard let destination = settings.destination else { return nil }
    return try PacketOutput(
      Messages(settings), to: destination, application: application,
      name: "MAVLink", key: "mavlink-udp", context)
  }

  /// The serial line; nil without one.
  static func line(
    _ settings: MAVLinkSettings, _ context: ServerContext
  ) throws(ServerFault) -> PacketOutput? {
    guard let line = settings.line else { return nil }
    do throws(BusError) {
      return PacketOutput(
        Messages(settings), to: try SerialSink(line), application: application,
        name: "MAVLink", key: "mavlink-serial", context)
    } catch { throw ServerFault(description: "MAVLink: mavlink-serial: \(error)") }
  }

  private struct Messages: PacketFormat {
    /// The age of the heading that a fix may have, seconds.
    private static let headingLifetime = 0.5

    let needs: HostNeeds = [.estimates, .samples, .fixes]
    private var report: MAVLinkReport
    private var lastHeartbeat: Timestamp?
    private var lastAttitude: Timestamp?
    private var lastPosition: Timestamp?
    private var lastPressure: Timestamp?
    private var lastFix: Timestamp?
    private var heading: (angle: Angle, at: Timestamp)?
    private var isSimulated = true

    init(_ settings: MAVLinkSettings) {
      report = MAVLinkReport(system: UInt8(clamping: settings.system))
    }

    mutating func packets(for update: HostUpdate) -> [[UInt8]] {
      switch update {
      case .estimate(let estimate): packets(for: estimate)
      case .samples(let samples): packets(for: samples)
      case .fix(let fix): packets(for: fix)
      case .access, .receiver, .source: []
      }
    }

    private mutating func packets(for estimate: Estimate) -> [[UInt8]] {
      let now = estimate.timestamp
      isSimulated = estimate.isSimulated
      heading = estimate.antennaHeading.map { ($0, now) }
      var packets: [[UInt8]] = []
      if lastHeartbeat.isDue(at: now, every: 1) { packets.append(report.heartbeat(estimate)) }
      if lastAttitude.isDue(at: now, every: 0.1), let packet = report.attitude(estimate) {
        packets.append(packet)
      }
      if lastPosition.isDue(at: now, every: 0.2), let packet = report.position(estimate) {
        packets.append(packet)
      }
      return packets
    }

    /// The barometer's samples, none of a simulation.
    private mutating func packets(for samples: SensorSamples) -> [[UInt8]] {
      guard !isSimulated, let sample = samples.pressure,
        lastPressure.isDue(at: samples.timestamp, every: 0.2)
      else { return [] }
      return [report.pressure(sample)]
    }

    /// The receiver's own fixes, none of a simulation.
    private mutating func packets(for own: Fix) -> [[UInt8]] {
      guard !isSimulated, lastFix.isDue(at: own.timestamp, every: 0.1) else { return [] }
      let isRecent =
        heading.map { abs(own.timestamp.seconds(since: $0.at)) < Self.headingLifetime } ?? false
      return [report.receiver(own, heading: isRecent ? heading?.angle : nil)]
    }
  }
}

/// A serial line that packets are written to. What the kernel has no room for is dropped; the
/// packet's check then fails at the other end.
private final class SerialSink: PacketSink, @unchecked Sendable {
  // Only the output's queue writes.
  private let port: LinuxSerialPort

  init(_ line: SerialLine) throws(BusError) {
    port = try LinuxSerialPort(path: line.path, baud: line.baud)
  }

  func send(_ packet: [UInt8]) -> String? {
    packet.withUnsafeBytes { bytes in
      do throws(BusError) {
        _ = try port.writeSome(bytes)
        return nil
      } catch { return "\(error)" }
    }
  }

  func close() {}
}
