import Formats
import LinuxIO
import LocationHost
import Quantities

/// NMEA 0183 without connections: datagrams to an address, and a pseudo-terminal.
enum NMEAOutput {
  private static let application = "nmea-output"

  /// The datagrams; nil without a destination.
  static func datagrams(
    _ settings: NMEASettings, _ context: ServerContext
  ) throws(ServerFault) -> PacketOutput? {
    guard let destination = settings.destination else { return nil }
    return try PacketOutput(
      Datagrams(settings), to: destination, application: application,
      name: "NMEA 0183", key: "nmea-udp", context)
  }

  /// The pseudo-terminal; nil without a path.
  static func terminal(
    _ settings: NMEASettings, _ context: ServerContext
  ) throws(ServerFault) -> PacketOutput? {
    guard let link = settings.terminal else { return nil }
    do throws(FileFault) {
      return PacketOutput(
        Lines(settings), to: try TerminalOutput(link: link), application: application,
        name: "NMEA 0183", key: "nmea-terminal", context)
    } catch {
      throw ServerFault(
        description:
          "NMEA 0183: nmea-terminal: cannot \(error.action) \(error.path): \(error.reason); name a "
          + "free path in a folder of the daemon, such as /run/lodestar/nmea")
    }
  }

  private struct Lines: PacketFormat {
    let needs: HostNeeds
    private var schedule: NMEASchedule

    init(_ settings: NMEASettings) { (needs, schedule) = (settings.needs, settings.schedule) }

    mutating func packets(for update: HostUpdate) -> [[UInt8]] {
      let output = schedule.output(for: update)
      return output.isEmpty ? [] : [output]
    }
  }

  private struct Datagrams: PacketFormat {
    /// Limit of a datagram, bytes: a frame of Ethernet without fragments.
    private static let mostInDatagram = 1400
    /// Seconds between two greetings of AgOpenGPS.
    private static let helloInterval = 1.0

    private var lines: Lines
    private let greetsAgOpenGPS: Bool
    private var lastHello: Timestamp?

    init(_ settings: NMEASettings) {
      lines = Lines(settings)
      greetsAgOpenGPS = settings.sentences.keys.contains(where: \.isOfAgOpenGPS)
    }

    var needs: HostNeeds { lines.needs }

    mutating func packets(for update: HostUpdate) -> [[UInt8]] {
      var packets = lines.packets(for: update).flatMap(Self.parts)
      guard greetsAgOpenGPS, !packets.isEmpty, case .estimate(let estimate) = update else {
        return packets
      }
      if lastHello.isDue(at: estimate.timestamp, every: Self.helloInterval) {
        packets.append(AgOpenGPSReport.hello)
      }
      return packets
    }

    /// Whole sentences, as many as a datagram has room for.
    private static func parts(of output: [UInt8]) -> [[UInt8]] {
      var (parts, start, end) = ([[UInt8]](), 0, 0)
      for (index, byte) in output.enumerated() where byte == UInt8(ascii: "\n") {
        if index + 1 - start > mostInDatagram, end > start {
          parts.append(Array(output[start..<end]))
          start = end
        }
        end = index + 1
      }
      if end > start { parts.append(Array(output[start..<end])) }
      return parts
    }
  }
}
