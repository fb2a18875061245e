import Formats
import LinuxIO
import LocationHost
import Quantities

/// GDL 90 for flight bags, as datagrams.
enum GDL90Output {
  /// The output; nil without a destination.
  static func make(
    _ destination: DatagramAddress?, _ context: ServerContext
  ) throws(ServerFault) -> PacketOutput? {
    guard let destination else { return nil }
    return try PacketOutput(
      Messages(), to: destination, application: "gdl90", name: "GDL 90", key: "gdl90-udp", context)
  }

  /// The rates are those of the specifications: everything once a second, the attitude five times.
  private struct Messages: PacketFormat {
    let needs: HostNeeds = [.estimates, .samples]
    let marksRecordings = true
    private var lastSecond: Timestamp?
    private var lastAttitude: Timestamp?
    private var pressure: PressureSample?

    mutating func packets(for update: HostUpdate) -> [[UInt8]] {
      switch update {
      case .samples(let samples):
        pressure = samples.pressure ?? pressure
      case .access:
        pressure = nil
      case .estimate(let estimate):
        if let age = pressure.map({ estimate.timestamp.seconds(since: $0.timestamp) }),
          abs(age) > NMEASchedule.pressureValidity
        {
          pressure = nil
        }
        let report = GDL90Report(estimate, pressure: pressure)
        var packets: [[UInt8]] = []
        if lastSecond.isDue(at: estimate.timestamp, every: 1) {
          packets += [report.heartbeat, GDL90Report.identity, report.ownship]
          packets += report.geometricAltitude.map { [$0] } ?? []
        }
        if lastAttitude.isDue(at: estimate.timestamp, every: 0.2) {
          packets.append(report.attitude)
        }
        return packets
      case .receiver, .source, .fix: break
      }
      return []
    }
  }
}
