import Board
import CAllocations
import Configuration
import CoreLocation
import Foundation
// Measures the delay of a heading to an application, and the time to encode and decode a message.
//
//   DeliveryBenchmark [seconds of each measurement, 10]
//
// The peer of the same run is a Unix socket between two threads that carries as many bytes as an
// estimate does: what the kernel alone takes for a hand-over.
import HostClient
import HostProtocol
import LinuxIO
import LocationHost
import Observers
import Pipeline
import Quantities
import ScriptedSource
import Servers

let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 10

func print(_ name: String, _ latencies: [Double], _ unit: String = "ms", peer: Double? = nil) {
  let sorted = latencies.sorted()
  guard !sorted.isEmpty else { return Swift.print("\(name): nothing arrived") }
  let at = { (share: Double) in sorted[Int(bounded: share * Double(sorted.count - 1))] }
  let ratio = peer.map { String(format: ", %5.1f of the peer", at(0.5) / $0) } ?? ""
  Swift.print(
    String(format: "%@: p50 %7.3f %@, p99 %7.3f %@", name, at(0.5), unit, at(0.99), unit)
      + ratio + " (\(sorted.count))")
}

func monotonicMilliseconds() -> Double { Double(MonotonicClock.now.nanoseconds) * 1e-6 }

/// Latencies by the heading's degrees, which each estimate of a run has for itself.
final class Latencies: Sendable {
  private struct State {
    var sent: [Double: Double] = [:]
    var received: [Double: Double] = [:]
    var latencies: [Double] = []

    mutating func match(_ degrees: Double) {
      // In either order: an observer may be called before the one that notes the sending.
      guard let sent = sent[degrees], let received = received[degrees] else { return }
      latencies.append(received - sent)
      (self.sent[degrees], self.received[degrees]) = (nil, nil)
    }
  }
  private let state = Locked(State())

  var all: [Double] { state.withLock { $0.latencies } }
  func sent(_ degrees: Double, at instant: Double) {
    state.withLock { state in
      state.sent[degrees] = instant
      state.match(degrees)
    }
  }
  func received(_ degrees: Double) {
    let now = monotonicMilliseconds()
    state.withLock { state in
      state.received[degrees] = now
      state.match(degrees)
    }
  }
}

final class Delegate: NSObject, CLLocationManagerDelegate, Sendable {
  let latencies = Latencies()
  func locationManager(_ manager: CLLocationManager, didUpdateHeading heading: CLHeading) {
    latencies.received(heading.magneticHeading)
  }
}

/// A source with its host, a client of each transport, and a manager in this process.
final class Bench {
  let delegate = Delegate()
  let inProcess = Latencies()
  let bySocket = Latencies()
  private let folder = URL(fileURLWithPath: NSTemporaryDirectory())
    .appendingPathComponent("delivery-\(getpid())-\(UInt32.random(in: 0 ... .max))")
  private let daemon: Daemon
  private let host: LocationHost
  private let manager: CLLocationManager
  private var observations: [Observation] = []
  private var clients: [HostClient] = []

  init(_ publisher: @escaping @Sendable () throws(SourceError) -> any EstimatePublisher) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let opening = SourceOpening(isLive: true) { () throws(SourceError) in
      OpenedSource(publisher: try publisher())
    }
    var configuration = ServeConfiguration(
      socketPath: folder.path + "/s", stateFolder: folder.path + "/state")
    configuration.policyFolder = folder.path + "/policy"
    let environment = ["LODESTAR_SOCKET": configuration.socketPath]
    daemon = try Daemon(
      opening, configuration: configuration, environment: environment, log: HostLog { _, _ in })
    daemon.start()
    host = ScriptedHost.make(opening, clock: MachineClock())
    let services = LocationServices(over: host)
    // The delegate is called where the manager was made.
    manager = DispatchQueue.main.sync {
      LocationServices.$current.withValue(services) { CLLocationManager() }
    }
    let local = HostClient(application: "org.example.local", client: "bench", host: host)
    let remote = try HostClient(
      application: "org.example.remote", client: "bench", environment: environment)
    clients = [local, remote]
    observations = [
      local.publisher.observe { [inProcess] in inProcess.received($0) },
      remote.publisher.observe { [bySocket] in bySocket.received($0) },
    ]
    manager.delegate = delegate
    manager.headingFilter = kCLHeadingFilterNone
    manager.startUpdatingHeading()
  }

  var all: [Latencies] { [inProcess, bySocket, delegate.latencies] }

  func report(_ head: String, peer: Double) {
    print(head + " to an observer in process", inProcess.all, peer: peer)
    print(head + " to a delegate in process ", delegate.latencies.all, peer: peer)
    print(head + " to an observer by socket ", bySocket.all, peer: peer)
  }

  func end() {
    observations.forEach { $0.cancel() }
    manager.stopUpdatingHeading()
    clients.forEach { $0.stop() }
    daemon.stop()
    do { try FileManager.default.removeItem(at: folder) } catch { Swift.print(error) }
  }
}

extension Latencies {
  func sent(_ estimate: Estimate, at instant: Double) {
    if let heading = estimate.magneticHeading { sent(heading.angle.degrees, at: instant) }
  }

  func received(_ estimate: Estimate) {
    if let heading = estimate.magneticHeading { received(heading.angle.degrees) }
  }
}

/// A hand-over through the kernel: the median of the run, ms.
func measurePeer() -> Double {
  var ends: [Int32] = [0, 0]
  guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return .nan }
  let (out, back) = (ends[0], ends[1])
  let instant = Locked(0.0)
  let latencies = Locked<[Double]>([])
  let thread = Thread {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var poll = pollfd(fd: back, events: Int16(POLLIN), revents: 0)
    while Glibc.poll(&poll, 1, -1) > 0, read(back, &buffer, buffer.count) > 0 {
      let now = monotonicMilliseconds()
      let sent = instant.withLock { $0 }
      latencies.withLock { $0.append(now - sent) }
    }
  }
  thread.start()
  let message = [UInt8](repeating: 0x20, count: 400)
  for _ in 0..<Int(bounded: seconds * 50) {
    Thread.sleep(forTimeInterval: 0.02)
    instant.withLock { $0 = monotonicMilliseconds() }
    _ = write(out, message, message.count)
  }
  Thread.sleep(forTimeInterval: 0.1)
  close(out)
  let all = latencies.withLock { $0 }
  print("peer: \(message.count) bytes through a socket", all)
  return all.sorted()[all.count / 2]
}

func measureTransport(peer: Double) throws {
  let publisher = ScriptedPublisher(hasReceiver: false)
  var took: [Double] = []
  let bench = try Bench { () throws(SourceError) in publisher }
  Thread.sleep(forTimeInterval: 1)
  for n in 0..<Int(bounded: seconds * 50) {
    Thread.sleep(forTimeInterval: 0.02)
    let stamp = MonotonicClock.now
    let estimate = Estimate.heading(
      Double(n % 36_000) * 0.01, true: 3, at: Double(stamp.nanoseconds) * 1e-9)
    for latencies in bench.all {
      latencies.sent(estimate, at: Double(stamp.nanoseconds) * 1e-6)
    }
    let before = MonotonicClock.now
    publisher.send(estimate)
    took.append(MonotonicClock.now.seconds(since: before) * 1e3)
  }
  Thread.sleep(forTimeInterval: 0.2)
  print("the sender's own time            ", took, peer: peer)
  bench.report("estimate", peer: peer)
  bench.end()
}

func measureBoard(peer: Double) throws {
  let sensors = [Board.Sensor(chip: .mpu9250), Board.Sensor(chip: .lis3mdl)]
  let hardware = try EmulatedHardware(sensors)
  var configuration = PipelineConfiguration()
  configuration.board = Board(name: "emulated", sensors: sensors)
  configuration.calibration = .assumed
  let player = try EstimatePlayer(attached: configuration, hardware: hardware)
  let bench = try Bench { () throws(SourceError) in player }
  let offset = monotonicMilliseconds() - Double(hardware.now.nanoseconds) * 1e-6
  let all = bench.all
  let observation = player.observe { estimate in
    let instant = Double(estimate.timestamp.nanoseconds) * 1e-6 + offset
    for latencies in all { latencies.sent(estimate, at: instant) }
  }
  player.start()
  Thread.sleep(forTimeInterval: seconds + 2)
  player.stop()
  Thread.sleep(forTimeInterval: 0.2)
  bench.report("sample", peer: peer)
  observation.cancel()
  bench.end()
}

/// Nanoseconds and heap blocks of one call.
func measure(_ name: String, count: Int = 100_000, _ body: () throws -> Void) rethrows -> Double {
  for _ in 0..<1000 { try body() }
  var fastest = Double.infinity
  let before = allocations()
  for _ in 0..<5 {
    let start = MonotonicClock.now
    for _ in 0..<(count / 5) { try body() }
    fastest = min(fastest, MonotonicClock.now.seconds(since: start) / Double(count / 5) * 1e9)
  }
  let blocks = Double(allocations() - before) / Double(count)
  Swift.print(String(format: "%@: %7.0f ns, %.1f heap blocks", name, fastest, blocks))
  return fastest
}

func measureWire() throws {
  let estimate = Estimate.heading(123.456, true: 125.2, at: 12.345)
  let line = HostMessage.estimate(estimate).line
  Swift.print("an estimate is \(line.count) bytes")
  let data = Data(line)
  let object = try JSONSerialization.jsonObject(with: data)
  let written = measure("wire, written                  ") {
    _ = HostMessage.estimate(estimate).line
  }
  let read = try measure("wire, read                     ") { _ = try HostMessage(line: line) }
  let peerWritten = try measure("peer: Foundation's JSON, written", count: 10_000) {
    _ = try JSONSerialization.data(withJSONObject: object)
  }
  let peerRead = try measure("peer: Foundation's JSON, read   ", count: 10_000) {
    _ = try JSONSerialization.jsonObject(with: data)
  }
  Swift.print(
    String(
      format: "wire: %.2f (written) and %.2f (read) of the peer", written / peerWritten,
      read / peerRead))
}

Thread {
  do {
    try measureWire()
    let peer = measurePeer()
    try measureTransport(peer: peer)
    try measureBoard(peer: peer)
    exit(0)
  } catch {
    Swift.print("DeliveryBenchmark: \(error)")
    exit(1)
  }
}.start()
dispatchMain()
