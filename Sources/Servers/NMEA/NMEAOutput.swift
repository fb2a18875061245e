import Dispatch
import Formats
import LinuxIO
import LocationHost
import Quantities

/// NMEA 0183 without connections: datagrams to an address, and a pseudo-terminal. Both have the
/// same sentences at the same time.
final class NMEAOutput: Server {
  /// Limit of the updates that wait for the queue; beyond it they are dropped.
  private static let mostUpdates = 64
  /// Seconds between two greetings of AgOpenGPS.
  private static let helloInterval = 1.0
  /// Limit of a datagram, bytes: a frame of Ethernet without fragments.
  private static let mostInDatagram = 1400

  private struct State {
    var schedule: NMEASchedule
    var notes: RepeatedNotes
    var feed: HostFeed?
    var waiting = 0
    var isOver = false
    var lastHello: Timestamp?
  }

  private let settings: NMEASettings
  private let context: ServerContext
  private let datagrams: DatagramSocket?
  private let terminal: TerminalOutput?
  private let state: Locked<State>
  private let queue = DispatchQueue(label: "lodestar-nmea-output")

  /// Opens the outputs; nil without any. One of both that cannot be opened is a warning.
  init?(_ settings: NMEASettings, _ context: ServerContext) throws(ServerFault) {
    guard settings.destination != nil || settings.terminal != nil else { return nil }
    (self.settings, self.context) = (settings, context)
    var faults: [String] = []
    var datagrams: DatagramSocket?
    var terminal: TerminalOutput?
    if let destination = settings.destination {
      do throws(NetworkError) {
        datagrams = try DatagramSocket(to: destination)
      } catch { faults.append("NMEA 0183: nmea-udp: \(error)") }
    }
    if let link = settings.terminal {
      do throws(FileFault) {
        terminal = try TerminalOutput(link: link)
      } catch {
        faults.append(
          "NMEA 0183: nmea-terminal: cannot \(error.action) \(error.path): \(error.reason); name a "
            + "free path in a folder of the daemon, such as /run/lodestar/nmea")
      }
    }
    (self.datagrams, self.terminal) = (datagrams, terminal)
    state = Locked(State(schedule: settings.schedule, notes: RepeatedNotes(log: context.log)))
    if datagrams == nil, terminal == nil {
      throw ServerFault(description: faults.joined(separator: "; "))
    }
    for fault in faults { context.log.warning(fault) }
  }

  func start() {
    let feed = HostFeed("nmea-output", context) { [weak self] in self?.post($0) }
    state.withLock { $0.feed = feed }
    feed.request(settings.needs)
  }

  func stop() {
    let feed = state.withLock { state in
      state.isOver = true
      return state.feed
    }
    feed?.stop()
    terminal?.removeLink()
  }

  private func post(_ update: HostUpdate) {
    switch update {
    case .estimate, .receiver(.sky), .access: break
    case .samples(let samples) where samples.pressure != nil: break
    default: return
    }
    let isAccepted = state.withLock { state in
      guard !state.isOver, state.waiting < Self.mostUpdates else { return false }
      state.waiting += 1
      return true
    }
    if isAccepted { queue.async { [weak self] in self?.write(update) } }
  }

  private func write(_ update: HostUpdate) {
    let output = state.withLock { state in
      state.waiting -= 1
      return state.isOver ? [] : state.schedule.output(for: update)
    }
    guard !output.isEmpty else { return }
    terminal?.write(output)
    guard let datagrams else { return }
    do throws(NetworkError) {
      for part in Self.parts(of: output) { try datagrams.send(part) }
      if isHelloDue { try datagrams.send(AgOpenGPSReport.hello[...]) }
    } catch {
      state.withLock { $0.notes.add("NMEA 0183: nmea-udp: \(error)") }
    }
  }

  private var isHelloDue: Bool {
    guard settings.sentences.keys.contains(where: \.isOfAgOpenGPS) else { return false }
    let now = MonotonicClock.now
    return state.withLock { state in
      if let last = state.lastHello, now.seconds(since: last) < Self.helloInterval { return false }
      state.lastHello = now
      return true
    }
  }

  /// Whole sentences, as many as a datagram has room for.
  private static func parts(of output: [UInt8]) -> [ArraySlice<UInt8>] {
    var (parts, start, end) = ([ArraySlice<UInt8>](), 0, 0)
    for (index, byte) in output.enumerated() where byte == UInt8(ascii: "\n") {
      if index + 1 - start > mostInDatagram, end > start {
        parts.append(output[start..<end])
        start = end
      }
      end = index + 1
    }
    if end > start { parts.append(output[start..<end]) }
    return parts
  }
}
