import Foundation
import HostProtocol
import LinuxIO
import Quantities
import Synchronization

/// Hours of ordinary use: five clients at the daemon's socket and ten at its ports that stay,
/// others that come and go, all outputs, and steps of the civil time; its memory, files and
/// threads, and the delay of the headings. Beside it a daemon whose receiver and compass are lost
/// in turn and return.
struct Soak {
  /// Greatest growth of the resident memory after the first tenth, MB.
  private static let growth = 1.0
  /// Steps of the civil time, seconds: one each twentieth of the time.
  private static let clockSteps: [Double] = [0.4, -0.4, 3600, 0, -86_400, 0, 365 * 86_400, 0]
  /// Greatest delay of 99 % of the headings, seconds; of a machine without other work.
  private static let delay = 0.02
  /// Time between two samples of the process, seconds.
  private static let interval = 5.0

  /// What the daemon's process has at an instant.
  private struct Sample {
    var (megabytes, threads, files) = (0.0, 0.0, 0)
    init(_ daemon: AttackedDaemon) {
      (megabytes, threads, files) = (daemon.megabytes, daemon.threads, daemon.files)
    }
    var text: String { "\(format(megabytes)) MB, \(Int(bounded: threads)) threads, \(files) files" }
  }

  /// What a daemon's process has in each tenth of the time.
  private struct Course {
    var (tenths, samples): ([[Sample]], [Sample]) = ([], [])

    mutating func endTenth() {
      tenths.append(samples)
      samples = []
    }

    /// What has become more between the first and the last tenth.
    func faults(_ name: String) -> [String] {
      var faults: [String] = []
      for (unit, value) in [("MB", \Sample.megabytes), ("threads", \.threads)] {
        let most = tenths.map { $0.map { $0[keyPath: value] }.max() ?? .nan }
        let limit = most[0] + (unit == "MB" ? Soak.growth : 0)
        if !(most[9] <= limit) {
          faults.append("\(name): \(most[9]) \(unit) at the end, \(most[0]) at first")
        }
      }
      let files = tenths.map { $0.map(\.files).max() ?? 0 }
      // One of a client that comes or goes may be open on both sides of it.
      if files[9] > files[0] + 2 {
        faults.append("\(name): \(files[9]) files at the end, \(files[0]) at first")
      }
      return faults
    }
  }

  let program: String
  let clockLibrary: String
  let hours: Double
  /// A recording and its pace, which multiplies the rate of all events; nil for the simulated
  /// board.
  let recording: (path: String, pace: Double)?

  /// Runs it and prints a line for each tenth.
  /// - Returns: The faults.
  /// - Throws: Where the daemon or a client cannot be started.
  func run() throws -> [String] {
    let ports = try AttackedDaemon.Ports(
      gpsd: Attack.freePort(), nmea: Attack.freePort(), http: Attack.freePort())
    let source = recording.map { ["--replay", $0.path, "--pace", "\($0.pace)"] } ?? ["--simulate"]
    let signalK = try Attack.freePort()
    // Nobody listens to the datagrams and answers at the broker's port.
    let configuration = """
      signalk-port: \(signalK)
      signalk-udp: 127.0.0.1:\(try Attack.freePort())
      nmea-udp: 127.0.0.1:\(try Attack.freePort())
      nmea-terminal: $folder/terminal
      nmea-socket: $folder/nmea
      mqtt-broker: mqtt://127.0.0.1:\(try Attack.freePort())

      """
    let daemon = try AttackedDaemon(
      program, clockLibrary: clockLibrary, source: source, ports: ports,
      configuration: configuration)
    let others = PortClient.mixed(daemon.ports)
    let passing = try PassingClients(daemon)
    let programs = try (0..<2).map { try HeadingProgram(daemon, file: "heading-\($0)") }
    let clients = try (0..<3).map { try DelayClient(daemon, takesSamples: $0 == 2) }
    let other = try AttackedDaemon(program, hasDevices: true)
    let losses = try DeviceLosses(other)
    let begin = MonotonicClock.now
    // The first fix and the first headings belong to the start.
    Thread.sleep(forTimeInterval: min(10, hours * 360))
    for client in clients { _ = client.removeAll() }
    var (course, otherCourse) = (Course(), Course())
    var (faults, all): ([String], [Double]) = ([], [])
    var steps = 0
    while course.tenths.count < 10 {
      Thread.sleep(forTimeInterval: min(Self.interval, hours * 36))
      for daemon in [daemon, other] where !daemon.isRunning {
        return ["the daemon has ended: \(daemon.log.suffix(300))"]
      }
      course.samples.append(Sample(daemon))
      otherCourse.samples.append(Sample(other))
      let seconds = MonotonicClock.now.seconds(since: begin)
      if seconds >= Double(steps + 1) * hours * 180 {
        try daemon.clock?.set(seconds: Self.clockSteps[steps % Self.clockSteps.count])
        steps += 1
      }
      guard seconds >= Double(course.tenths.count + 1) * hours * 360 else { continue }
      let delays = clients.flatMap { $0.removeAll() }
      all += delays
      print(
        "\(Int(bounded: seconds)) s: \(course.samples.last?.text ?? ""); \(Self.text(delays)); "
          + "\(losses.count) losses: \(otherCourse.samples.last?.text ?? "")")
      fflush(nil)
      course.endTenth()
      otherCourse.endTenth()
    }
    faults += course.faults("the daemon") + otherCourse.faults("the daemon with lost devices")
    faults += losses.end()
    if recording == nil, !(Self.quantile(all, 0.99) <= Self.delay) {
      faults.append("delay: \(Self.text(all)); limit \(format(Self.delay * 1e3)) ms")
    }
    for client in clients { if let fault = client.fault { faults.append("a client: \(fault)") } }
    for client in others where client.faults > 0 || client.bytes < 1000 {
      faults.append("\(client.name): \(client.bytes) bytes, \(client.faults) lost connections")
    }
    let visits = passing.visits
    if visits.refused > 0 || visits.served < 10 {
      faults.append(
        "of the clients that come and go \(visits.served) served, \(visits.refused) not")
    }
    for program in programs where !program.isRunning {
      faults.append("a program ended: \(program.errors.suffix(200))")
    }
    let watchdog = daemon.longestWatchdogGap
    if watchdog > AttackedDaemon.watchdogSeconds {
      faults.append("\(format(watchdog)) s without the watchdog")
    }
    guard let end = daemon.end(), other.end() != nil else {
      return faults + ["no end by SIGTERM"]
    }
    print(
      "\(faults.isEmpty ? "PASS" : "FAIL") soak: \(format(hours)) h, \(Self.text(all)); "
        + "\(all.count) headings, \(programs.map(\.lines)) lines of the programs, end \(format(end)) s"
    )
    for client in others { print("     \(client.name): \(client.bytes >> 10) KiB") }
    for fault in faults { print("     \(fault)") }
    return faults
  }

  private static func quantile(_ delays: [Double], _ share: Double) -> Double {
    guard !delays.isEmpty else { return .nan }
    return delays.sorted()[Int(bounded: share * Double(delays.count - 1))]
  }

  private static func text(_ delays: [Double]) -> String {
    let at = { format(quantile(delays, $0) * 1e3) }
    return "delay p50 \(at(0.5)), p99 \(at(0.99)), greatest \(at(1)) ms"
  }
}

/// A client that notes the delay of each heading: the time from the instant of its newest sample to
/// its arrival. The simulated board's clock begins with the daemon, at an instant that no client
/// knows, so the delays count from the least of the first ten seconds.
private final class DelayClient: Sendable {
  private struct State {
    var least = Double.infinity
    var delays: [Double] = []
    var fault: String?
  }
  private let state = Mutex(State())

  init(_ daemon: AttackedDaemon, takesSamples: Bool) throws {
    let connection = try Connection(daemon, "org.example.soak")
    connection.send([.demand(.all), .listen(true), .samples(takesSamples)])
    // Used by the thread only from now on.
    nonisolated(unsafe) let mine = connection
    Thread { [weak self] in
      do {
        while let self, try self.read(mine) {}
      } catch { self?.state.withLock { $0.fault = "\(error)" } }
    }.start()
  }

  private func read(_ connection: Connection) throws -> Bool {
    guard let line = try connection.line(until: MonotonicClock.now.advanced(bySeconds: 1)) else {
      return true
    }
    let now = MonotonicClock.now
    guard line.contains("\"estimate\""),
      case .estimate(let estimate) = try HostMessage(line: Array(line.utf8))
    else { return true }
    state.withLock { state in
      let delay = (Double(now.nanoseconds) - Double(estimate.timestamp.nanoseconds)) * 1e-9
      state.least = min(state.least, delay)
      state.delays.append(delay)
    }
    return true
  }

  var fault: String? { state.withLock { $0.fault } }

  /// The delays since the last call, seconds.
  func removeAll() -> [Double] {
    state.withLock { state in
      defer { state.delays = [] }
      return state.delays.map { [least = state.least] in $0 - least }
    }
  }
}

/// Takes the devices of a daemon away in turn, waits until its estimates show that, and attaches
/// them again.
private final class DeviceLosses: Sendable {
  /// Time until a loss and a return show in the estimates, seconds: a place is carried on without a
  /// receiver for some time, and attempts to open a port are up to half a minute apart.
  private static let longestWait = 90.0

  private struct State {
    var count = 0
    var faults: [String] = []
    var isOver = false
    var hasEnded = false
  }
  private let state = Mutex(State())

  init(_ daemon: AttackedDaemon) throws {
    let devices = daemon.devices
    let connection = try Connection(daemon, "org.example.losses")
    connection.send([.demand(.all), .listen(true)])
    // Used by the thread only from now on.
    nonisolated(unsafe) let mine = connection
    Thread { [self] in
      do {
        while !state.withLock({ $0.isOver }) {
          for device in devices { try lose(device, mine) }
        }
      } catch { state.withLock { $0.faults.append("\(error)") } }
      state.withLock { $0.hasEnded = true }
    }.start()
  }

  private func lose(_ device: DeviceTerminal, _ connection: Connection) throws {
    let name = device.path.split(separator: "/").last ?? ""
    if try !wait(for: true, of: device, connection) { report("\(name): no data at first") }
    device.lose()
    if try !wait(for: false, of: device, connection) { report("\(name): its loss is not noticed") }
    try device.restore()
    if try !wait(for: true, of: device, connection) { report("\(name): it does not return") }
    state.withLock { $0.count += 1 }
  }

  private func report(_ fault: String) {
    state.withLock { if !$0.isOver { $0.faults.append(fault) } }
  }

  /// Waits for an estimate with what a device gives, or without it.
  private func wait(
    for isThere: Bool, of device: DeviceTerminal, _ connection: Connection
  ) throws -> Bool {
    let begin = MonotonicClock.now
    while MonotonicClock.now.seconds(since: begin) < Self.longestWait,
      !state.withLock({ $0.isOver })
    {
      guard let line = try connection.line(until: MonotonicClock.now.advanced(bySeconds: 0.5)),
        line.contains("\"estimate\""),
        case .estimate(let estimate) = try HostMessage(line: Array(line.utf8))
      else { continue }
      let isPresent =
        device.path.hasSuffix("receiver")
        ? estimate.position != nil : estimate.magneticHeading != nil
      if isPresent == isThere { return true }
    }
    return false
  }

  /// The completed losses.
  var count: Int { state.withLock { $0.count } }

  /// Ends the losses; returns the faults.
  func end() -> [String] {
    state.withLock { $0.isOver = true }
    while !state.withLock({ $0.hasEnded }) { Thread.sleep(forTimeInterval: 0.01) }
    return state.withLock { $0.faults + ($0.count < 2 ? ["\($0.count) losses of devices"] : []) }
  }
}

/// Clients that connect, receive something and leave, one after the other: at the socket, with a
/// monitored region, and at each port.
private final class PassingClients: Sendable {
  private struct State { var (served, refused) = (0, 0) }
  private let state = Mutex(State())

  init(_ daemon: AttackedDaemon) throws {
    let (path, ports) = (daemon.socketPath, daemon.ports)
    let requests: [(port: Int, text: String)] = [
      (ports.gpsd, "?WATCH={\"enable\":true,\"json\":true};"), (ports.nmea, ""),
      (ports.http, "GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
    ]
    Thread { [weak self] in
      var round = 0
      while let self {
        round += 1
        do {
          let client = try Connection(path: path)
          client.send([
            .hello(
              ClientHello(application: "org.example.p\(round % 7)", client: "soak", pid: getpid())),
            .demand(.all), .listen(true),
            .monitor(id: 1, .startRegion(.circle("\(round % 3)"))),
          ])
          let answer = try client.line(with: "\"id\":1")
          self.count(answer != nil)
          for request in requests {
            let socket = try Attack.connect(request.port)
            try socket.write(
              Array(request.text.utf8), until: MonotonicClock.now.advanced(bySeconds: 5))
            var buffer = [UInt8](repeating: 0, count: 4096)
            self.count(
              try socket.read(into: &buffer, until: MonotonicClock.now.advanced(bySeconds: 10)) > 0)
          }
        } catch {
          self.count(false)
        }
        Thread.sleep(forTimeInterval: 0.2)
      }
    }.start()
  }

  private func count(_ isServed: Bool) {
    state.withLock { if isServed { $0.served += 1 } else { $0.refused += 1 } }
  }

  var visits: (served: Int, refused: Int) { state.withLock { ($0.served, $0.refused) } }
}

/// A program at a port of the daemon, which counts what it receives.
private final class PortClient: Sendable {
  private struct State { var (bytes, faults) = (0, 0) }

  let name: String
  private let state = Mutex(State())

  /// Four clients of gpsd's protocol, three of NMEA 0183, two WebSockets, and one that reads the
  /// metrics.
  static func mixed(_ ports: AttackedDaemon.Ports) -> [PortClient] {
    let watches = ["\"json\":true", "\"json\":true,\"scaled\":true", "\"nmea\":true", "\"raw\":1"]
    let upgrade =
      "GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    // A masked pong: a WebSocket that sends nothing for 60 s is closed.
    let pong: [UInt8] = [0x8A, 0x80, 0, 0, 0, 0]
    return watches.map {
      PortClient("gpsd \($0)", ports.gpsd, "?WATCH={\"enable\":true,\($0)};")
    }
      + (1...3).map { PortClient("NMEA \($0)", ports.nmea, "") }
      + (1...2).map { PortClient("WebSocket \($0)", ports.http, upgrade, sign: pong) }
      + [
        PortClient(
          "metrics", ports.http,
          "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
          every: 15)
      ]
  }

  /// The interval of what a client sends as a sign of life, seconds.
  private static let signInterval = 15.0

  /// `interval` is the time between two requests, seconds; nil for one connection that stays.
  /// `sign` is sent at intervals.
  private init(
    _ name: String, _ port: Int, _ request: String, every interval: Double? = nil,
    sign: [UInt8] = []
  ) {
    self.name = name
    Thread { [weak self] in
      while self != nil {
        do {
          let socket = try Attack.connect(port)
          try socket.write(
            Array(request.utf8), until: MonotonicClock.now.advanced(bySeconds: 5))
          var buffer = [UInt8](repeating: 0, count: 65_536)
          var lastSign = MonotonicClock.now
          while let self {
            if MonotonicClock.now.seconds(since: lastSign) > Self.signInterval {
              lastSign = MonotonicClock.now
              try socket.write(sign, until: lastSign.advanced(bySeconds: 5))
            }
            let count = try socket.read(
              into: &buffer, until: MonotonicClock.now.advanced(bySeconds: 1))
            self.state.withLock { $0.bytes += count }
          }
        } catch let error as NetworkError where error.kind == .closed && interval != nil {
        } catch {
          self?.state.withLock { $0.faults += 1 }
        }
        Thread.sleep(forTimeInterval: interval ?? 1)
      }
    }.start()
  }

  var bytes: Int { state.withLock { $0.bytes } }
  var faults: Int { state.withLock { $0.faults } }
}
