import Dispatch
import LinuxIO
import LocationHost

/// What an output without connections sends.
protocol PacketFormat: Sendable {
  /// True where readers steer by the packets: a recording is then marked as a simulation is.
  var marksRecordings: Bool { get }
  /// What the packets need of the host.
  var needs: HostNeeds { get }
  /// The packets that are due at an update. Updates come in order. A packet is sent only at an
  /// update: request estimates to send regularly.
  mutating func packets(for update: HostUpdate) -> [[UInt8]]
}

extension PacketFormat {
  var marksRecordings: Bool { false }
}

/// Where packets are sent, without waiting.
protocol PacketSink: Sendable {
  /// Sends a packet.
  /// - Returns: Why it could not be sent; nil where it was.
  func send(_ packet: [UInt8]) -> String?
  func close()
}

extension DatagramSocket: PacketSink {
  func send(_ packet: [UInt8]) -> String? {
    do throws(NetworkError) {
      try send(packet[...])
      return nil
    } catch { return "\(error)" }
  }
  package func close() {}
}

extension TerminalOutput: PacketSink {
  func send(_ packet: [UInt8]) -> String? {
    write(packet)
    return nil
  }
  package func close() { removeLink() }
}

/// An output without connections: packets of one format to one destination.
final class PacketOutput: Server {
  /// Limit of the updates that wait for the queue; beyond it they are dropped.
  private static let mostUpdates = 64

  private struct State {
    var format: any PacketFormat
    var notes: RepeatedNotes
    var feed: HostFeed?
    var waiting = 0
    var isOver = false
  }

  private let application: String
  private let name: String
  private let key: String
  private let needs: HostNeeds
  private let context: ServerContext
  private let sink: any PacketSink
  private let state: Locked<State>
  private let queue: DispatchQueue

  /// Makes an output.
  /// - Parameters:
  ///   - format: What is sent.
  ///   - sink: Where.
  ///   - application: The name in the policy, as in `org.lodestar.NAME`.
  ///   - name: The output's name for messages, such as `NMEA 0183`.
  ///   - key: Its key, such as `nmea-udp`, also of its counts.
  ///   - context: The daemon's.
  init(
    _ format: any PacketFormat, to sink: any PacketSink, application: String, name: String,
    key: String, _ context: ServerContext
  ) {
    (self.application, self.name, self.key, self.context) = (application, name, key, context)
    (self.sink, needs) = (sink, format.needs)
    queue = DispatchQueue(label: "lodestar-\(application)")
    state = Locked(State(format: format, notes: RepeatedNotes(log: context.log)))
  }

  /// Makes an output to a network address.
  convenience init(
    _ format: any PacketFormat, to destination: DatagramAddress, application: String,
    name: String, key: String, _ context: ServerContext
  ) throws(ServerFault) {
    let socket: DatagramSocket
    do throws(NetworkError) {
      socket = try DatagramSocket(to: destination)
    } catch { throw ServerFault(description: "\(name): \(key): \(error)") }
    self.init(format, to: socket, application: application, name: name, key: key, context)
  }

  func start() {
    let feed = HostFeed(application, context) { [weak self] in self?.post($0) }
    state.withLock { $0.feed = feed }
    feed.request(needs)
  }

  func stop() {
    let feed = state.withLock { state in
      state.isOver = true
      return state.feed
    }
    feed?.stop()
    sink.close()
  }

  private func post(_ update: HostUpdate) {
    switch update {
    case .estimate, .receiver(.sky), .access, .fix: break
    case .samples(let samples) where samples.pressure != nil: break
    default: return
    }
    let isAccepted = state.withLock { state in
      guard !state.isOver, state.waiting < Self.mostUpdates else { return false }
      state.waiting += 1
      return true
    }
    if isAccepted { queue.async { [weak self] in self?.send(update) } }
  }

  private func send(_ update: HostUpdate) {
    let packets = state.withLock { state in
      state.waiting -= 1
      guard !state.isOver else { return [[UInt8]]() }
      if case .estimate(var estimate) = update, state.format.marksRecordings,
        state.feed?.source.isLive == false
      {
        estimate.isSimulated = true
        return state.format.packets(for: .estimate(estimate))
      }
      return state.format.packets(for: update)
    }
    for packet in packets {
      let fault = sink.send(packet)
      context.outputs.add(key, isSent: fault == nil)
      if let fault { state.withLock { $0.notes.add("\(name): \(key): \(fault)") } }
    }
  }
}
