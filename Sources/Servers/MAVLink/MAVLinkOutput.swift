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
    return PacketOutput(
      Messages(settings), to: SerialSink(line), application: application, name: "MAVLink",
      key: "mavlink-serial", context)
  }

  private struct Messages: PacketFormat {
    /// The age of the heading that a fix may have, seconds.
    private static let headingLifetime = 0.5

    let needs: HostNeeds = [.estimates, .samples, .fixes]
    let marksRecordings = true
    private var report: MAVLinkReport
    private var lastHeartbeat: Timestamp?
    private var lastAttitude: Timestamp?
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
/// packet's check then fails at the other end. A device that is missing or was removed is opened
/// again.
private final class SerialSink: PacketSink {
  /// The port is used under the lock only.
  private struct State: @unchecked Sendable {
    var port: LinuxSerialPort?
    var delay = RetryDelay()
    var next = MonotonicClock.now
    var fault = ""
  }

  private let line: SerialLine
  private let state = Locked(State())

  init(_ line: SerialLine) { self.line = line }

  func send(_ packet: [UInt8]) -> String? {
    state.withLock { state in
      guard let port = open(&state) else { return state.fault }
      let result: Result<Int, BusError> = packet.withUnsafeBytes { bytes in
        do throws(BusError) { return .success(try port.writeSome(bytes)) } catch {
          return .failure(error)
        }
      }
      switch result {
      case .success(packet.count): return nil
      case .success: return "\(line.path) is full: choose a higher speed than \(line.baud)"
      case .failure(let error):
        fail(&state, error)
        return state.fault
      }
    }
  }

  private func open(_ state: inout State) -> LinuxSerialPort? {
    if let port = state.port { return port }
    guard MonotonicClock.now >= state.next else { return nil }
    do throws(BusError) {
      let port = try LinuxSerialPort(path: line.path, baud: line.baud)
      state.port = port
      state.delay.reset()
      return port
    } catch {
      fail(&state, error)
      return nil
    }
  }

  private func fail(_ state: inout State, _ error: BusError) {
    state.port = nil
    state.next = MonotonicClock.now.advanced(bySeconds: state.delay.next())
    state.fault = "\(error); tried again"
  }

  func close() { state.withLock { $0.port = nil } }
}
