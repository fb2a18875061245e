import Board
import Chips
import Foundation
import HostProtocol
import LocationHost
import Monitoring
import Quantities
import Radio
import ScriptedSource
import Servers
import Storage
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Parts of the daemon", .timeLimit(.minutes(30)))
struct ServicePartsTests {
  private func line(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("the queue holds the newest heading, a fix replaces a heading, and the order is preserved")
  func outputOrder() throws {
    var queue = OutputQueue()
    queue.put(heading: line("h1"))
    queue.put(heading: line("h2"))
    try queue.put(fix: line("f1"), isLeased: false)
    try queue.put(line("c1"))
    try queue.put(fix: line("f2"), isLeased: false)
    queue.put(heading: line("h3"))
    try queue.put(line("c2"))
    var order: [String] = []
    while let next = queue.removeNext() { order.append(String(decoding: next, as: UTF8.self)) }
    #expect(order == ["c1", "c2", "f1", "f2", "h3"])
    #expect(queue.isEmpty && queue.waitingBytes == 0)
  }

  @Test("a full queue overflows without a lease, and drops the oldest fixes with one")
  func outputBounds() throws {
    var queue = OutputQueue()
    for n in 0..<OutputQueue.mostFixes { try queue.put(fix: line("\(n)"), isLeased: false) }
    #expect(throws: OutputQueue.Overflow.fixes) { try queue.put(fix: line("x"), isLeased: false) }
    var leased = OutputQueue()
    for n in 0..<20_000 { try leased.put(fix: line("\(n)"), isLeased: true) }
    #expect(leased.waitingFixes == OutputQueue.mostLeasedFixes)
    #expect(leased.lostFixes == 20_000 - OutputQueue.mostLeasedFixes)
    #expect(leased.removeNext() == line("\(20_000 - OutputQueue.mostLeasedFixes)"))
    var full = OutputQueue()
    let mega = [UInt8](repeating: 1, count: 1 << 20)
    #expect(throws: OutputQueue.Overflow.bytes) { for _ in 0..<17 { try full.put(mega) } }
  }

  @Test("a full queue drops the oldest samples, and a heading is sent before samples")
  func outputSamples() throws {
    var queue = OutputQueue()
    for n in 0..<(2 * OutputQueue.mostSamples) { queue.put(samples: line("\(n)")) }
    #expect(queue.waitingSamples == OutputQueue.mostSamples)
    queue.put(heading: line("h"))
    #expect(queue.removeNext() == line("h"))
    for n in OutputQueue.mostSamples..<(2 * OutputQueue.mostSamples) {
      #expect(queue.removeNext() == line("\(n)"))
    }
    #expect(queue.isEmpty && queue.waitingBytes == 0)
  }

  @Test("a full queue drops the oldest output of a receiver, by its bytes")
  func outputReceiver() throws {
    var queue = OutputQueue()
    let block = [UInt8](repeating: 1, count: OutputQueue.mostReceiverBytes / 4)
    for n in 0..<300 { queue.put(receiver: [UInt8(n % 256)] + block.dropFirst()) }
    #expect(queue.waitingBytes == OutputQueue.mostReceiverBytes)
    queue.put(samples: line("s"))
    for n in 296..<300 { #expect(queue.removeNext()?.first == UInt8(n % 256)) }
    #expect(queue.removeNext() == line("s"))
    queue.put(receiver: block + block + block + block + block)
    #expect(queue.isEmpty && queue.waitingBytes == 0)
  }

  @Test("the number of other lines is limited, and they are taken in order")
  func outputLines() throws {
    var queue = OutputQueue()
    for n in 0..<OutputQueue.mostLines { try queue.put(line("\(n)")) }
    #expect(throws: OutputQueue.Overflow.lines) { try queue.put(line("x")) }
    for n in 0..<3000 { #expect(queue.removeNext() == line("\(n)")) }
    for n in 0..<3000 { try queue.put(line("new \(n)")) }
    #expect(queue.waitingLines == OutputQueue.mostLines)
    while queue.removeNext() != nil {}
    #expect(queue.isEmpty && queue.waitingBytes == 0)
  }

  @Test("only the daemon's user and root can use all connections")
  func placesOfUsers() {
    let configuration = ServeConfiguration(socketPath: "/s", stateFolder: "/t")
    #expect(configuration.mostClients(of: 1000, daemon: 7) == 48)
    #expect(configuration.mostClients(of: 0, daemon: 7) == 64)
    #expect(configuration.mostClients(of: 7, daemon: 7) == 64)
  }

  @Test("an application is started at once, then with doubled intervals up to an hour")
  func launchPlan() {
    var plan = LaunchPlan(interval: 60)
    var starts: [Int] = []
    for second in 0..<20_000 where plan.isDue(at: Double(second)) { starts.append(second) }
    #expect(Array(starts.prefix(6)) == [0, 60, 180, 420, 900, 1860])
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 <= 3600 })
    plan.clientCame()
    let last = starts.last ?? 0
    #expect(!plan.isDue(at: Double(last + 59)) && plan.isDue(at: Double(last + 60)))
  }

  @Test("a unit is started by its service manager, without a shell")
  func launcherArguments() {
    var request = LaunchRequest(
      unit: "a@b.service", application: ApplicationKey(uid: 7, id: "b"), manager: .system)
    #expect(
      Launcher.arguments(request, program: nil, ownUID: 0)
        == ["systemctl", "start", "--no-block", "--", "a@b.service"])
    request.manager = .user
    #expect(
      Launcher.arguments(request, program: nil, ownUID: 0)
        == ["systemctl", "--user", "--machine=7@.host", "start", "--no-block", "--", "a@b.service"])
    #expect(
      Launcher.arguments(request, program: nil, ownUID: 7)
        == ["systemctl", "--user", "start", "--no-block", "--", "a@b.service"])
    #expect(
      Launcher.arguments(request, program: "/x", ownUID: 7) == ["/x", "a@b.service", "b", "7"])
  }

  @Test("a configuration file is read, and an invalid entry is reported with its line")
  func serveFile() throws {
    let text = """
      # the boat's
      board: gy-91
      simulate: true
      mode: 0666
      most-clients: 8
      most-applications: 3
      launch-interval: 5
      launch-grace: 0
      launcher: /usr/bin/start-it
      """
    let file = try ServeFile(text, path: "f.yaml")
    var configuration = ServeConfiguration(socketPath: "/s", stateFolder: "/t")
    try file.apply(to: &configuration)
    #expect(file["board"] == "gy-91" && file["simulate"] == "true" && file["socket"] == nil)
    #expect(configuration.socketMode == 0o666 && configuration.mostClients == 8)
    #expect(configuration.mostApplications == 3 && configuration.launchGrace == 0)
    #expect(configuration.launchInterval == 5 && configuration.launcher == "/usr/bin/start-it")
    #expect(try ServeFile("# nothing\n", path: "f")["board"] == nil)
    for (text, words) in [
      ("a: 1\nsail: up\n", "f:1: unknown key 'a'"), ("board: x\nboard: y\n", "board"),
      ("board:\n", "'board' has no value"), ("- a\n", "a list"), ("board: [\n", "not YAML"),
      ("\nmode: 4755\n", "f:2: mode: '4755'; allowed: an octal mode"),
      ("most-clients: 0\n", "most-clients: '0'; allowed: 1 to 1024"),
    ] {
      do {
        try ServeFile(text, path: "f").apply(to: &configuration)
        Issue.record("\(text) was read")
      } catch {
        #expect("\(error)".contains(words), "\(error)")
      }
    }
  }

  @Test("the state folder follows systemd, root or the user")
  func places() {
    func folder(_ environment: [String: String], isRoot: Bool = false, isWritable: Bool = false)
      -> String?
    {
      StatePlace.folder(environment: environment, isRoot: isRoot) { _ in isWritable }
    }
    #expect(
      folder(["STATE_DIRECTORY": "/var/lib/a:/b", "HOME": "/h"], isRoot: true) == "/var/lib/a")
    #expect(folder(["LODESTAR_STATE": "/l/", "STATE_DIRECTORY": "/s"], isRoot: true) == "/l")
    #expect(folder(["HOME": "/h"], isRoot: true) == "/var/lib/lodestar")
    #expect(folder(["HOME": "/h"], isWritable: true) == "/var/lib/lodestar")
    #expect(folder(["HOME": "/h", "XDG_STATE_HOME": "/x"]) == "/x/lodestar")
    #expect(folder(["HOME": "/h", "XDG_STATE_HOME": "x"]) == "/h/.local/state/lodestar")
    #expect(folder([:]) == nil)
  }
}

/// A service manager's socket.
private final class NotifySocket {
  let path: String
  private let file: Int32

  init(_ folder: TemporaryFolder) {
    path = folder.path + "/notify"
    file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  deinit { close(file) }

  /// All received datagrams.
  func datagrams() -> [String] {
    var all: [String] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(file, &bytes, bytes.count, 0)
      guard count > 0 else { return all }
      all.append(String(decoding: bytes[..<count], as: UTF8.self))
    }
  }
}

@Suite("Notifications to systemd and the watchdog", .timeLimit(.minutes(30)))
struct ServiceManagerTests {
  @Test("ready after the socket listens, watchdog while the engine works, reloading, stopping")
  func life() throws {
    let folder = try TemporaryFolder()
    let notify = NotifySocket(folder)
    let publisher = ScriptedPublisher()
    let opening = SourceOpening(isLive: true) { () throws(SourceError) in
      OpenedSource(publisher: publisher)
    }
    let configuration = ServeConfiguration(
      socketPath: folder.path + "/s", stateFolder: folder.path + "/state")
    let environment = ["NOTIFY_SOCKET": notify.path, "WATCHDOG_USEC": "200000"]
    let daemon = try Daemon(
      opening, configuration: configuration, environment: environment, log: LoggedLines().log)
    #expect(notify.datagrams().isEmpty)
    daemon.start()
    var sent: [String] = []
    #expect(
      eventually {
        sent += notify.datagrams()
        return sent.filter { $0 == "WATCHDOG=1" }.count >= 3
          && sent.contains { $0.hasPrefix("STATUS=") && $0.contains("magnetometer") }
      })
    #expect(sent.contains("READY=1"))
    daemon.reload()
    daemon.stop()
    sent = notify.datagrams()
    let reloading = try #require(sent.firstIndex { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") })
    let ready = try #require(sent.lastIndex(of: "READY=1"))
    let stopping = try #require(sent.firstIndex(of: "STOPPING=1"))
    #expect(reloading < ready && ready < stopping)
  }

  @Test("the status is one line, whatever text it contains")
  func status() throws {
    let folder = try TemporaryFolder()
    let notify = NotifySocket(folder)
    let manager = ServiceManager(environment: ["NOTIFY_SOCKET": notify.path])
    manager.report(status: "no receiver\nSTOPPING=1\u{1B}[2J" + String(repeating: "x", count: 5000))
    let sent = notify.datagrams()
    #expect(
      sent.count == 1 && sent.first?.hasPrefix("STATUS=no receiver STOPPING=1 [2Jxxx") == true)
    #expect(sent.first?.contains("\n") == false)
  }

  @Test("another process's watchdog is not notified; an absent service manager is no fault")
  func others() {
    #expect(
      ServiceManager(environment: ["WATCHDOG_USEC": "1000000", "WATCHDOG_PID": "1"])
        .watchdogSeconds == nil)
    #expect(ServiceManager(environment: ["WATCHDOG_USEC": "1000000"]).watchdogSeconds == 1)
    ServiceManager(environment: ["NOTIFY_SOCKET": "/nowhere/at/all"]).ready()
    ServiceManager(environment: ["NOTIFY_SOCKET": "@lodestar-nobody"]).ready()
    ServiceManager(environment: [:]).ready()
  }

  @Test("a demand during the start of the source is the last one that the receiver gets")
  func newestDemand() throws {
    let (demands, starts) = (Collected<FixDemand>(), DispatchSemaphore(value: 0))
    let resume = DispatchSemaphore(value: 0)
    let opening = SourceOpening(isLive: true) { () throws(SourceError) in
      var source = OpenedSource(publisher: ScriptedPublisher())
      source.start = {
        starts.signal()
        resume.wait()
      }
      source.setReceiverDemand = { demands.add($0) }
      return source
    }
    let supervisor = BoardSupervisor(
      opening,
      events: SourceEvents(
        estimate: { _ in }, source: { _ in }, calibration: {}, notice: { _ in }),
      log: LoggedLines().log)
    supervisor.start()
    starts.wait()
    supervisor.setReceiverDemand(.continuous)
    let before = demands.all.count
    resume.signal()
    #expect(eventually { demands.all.count > before })
    #expect(demands.all.last == .continuous)
    supervisor.stop()
  }

  @Test("a board that is attached while Wi-Fi is the source is found and opened")
  func boardAfterWiFi() throws {
    let (isAttached, board) = (Collected<Bool>(), ScriptedPublisher())
    let bare = SourceOpening(isLive: true) { () throws(SourceError) in
      guard !isAttached.all.isEmpty else { throw .noSensors(searched: ["i2c-1"]) }
      return OpenedSource(publisher: board)
    }
    let configuration = try WiFiConfiguration("http://127.0.0.1:9")
    let opening = bare.withCoarseFixes(
      of: WiFiLocator(configuration, source: NoWiFi()), lookingEvery: 0.05)
    let supervisor = BoardSupervisor(
      opening,
      events: SourceEvents(
        estimate: { _ in }, source: { _ in }, calibration: {}, notice: { _ in }),
      log: LoggedLines().log)
    supervisor.start()
    #expect(eventually { supervisor.source.isOpen })
    #expect(!supervisor.source.hasMagnetometer && supervisor.isAlive)
    isAttached.add(true)
    #expect(eventually { supervisor.source.hasMagnetometer })
    #expect(board.observerCount == 1)
    supervisor.stop()
  }

  @Test("a board that is found while Wi-Fi is the source, and not opened any more, is stopped")
  func foundBoard() throws {
    let (opened, stops) = (Collected<Bool>(), Collected<Bool>())
    let bare = SourceOpening(isLive: true) { () throws(SourceError) in
      defer { opened.add(true) }
      guard !opened.all.isEmpty else { throw .noSensors(searched: ["i2c-1"]) }
      var source = OpenedSource(publisher: ScriptedPublisher())
      source.stop = { stops.add(true) }
      return source
    }
    let configuration = try WiFiConfiguration("http://127.0.0.1:9")
    let opening = bare.withCoarseFixes(
      of: WiFiLocator(configuration, source: NoWiFi()), lookingEvery: 0)
    let source = try opening.open()
    #expect(source.end() == "a board was attached")
    #expect(stops.all.isEmpty)
    opening.discard()
    opening.discard()
    #expect(stops.all.count == 1)
  }

  @Test("a pulse is alive before its first turn, and not after its turns stop")
  func pulse() {
    let pulse = Heartbeat()
    #expect(pulse.isAlive(within: 0))
    pulse.beat()
    #expect(pulse.isAlive(within: 10))
    Thread.sleep(forTimeInterval: 0.03)
    #expect(!pulse.isAlive(within: 0.02))
    pulse.beat()
    #expect(pulse.isAlive(within: 10))
  }

  @Test("an engine without input is not alive; a board that waits for its chips is")
  func alive() throws {
    for (limit, fault, isAlive) in [
      (3600.0, String?.none, true), (0, nil, false), (0, "no answer", true),
    ] {
      let publisher = ScriptedPublisher()
      var status = BoardStatus()
      status.chips = [BoardStatus.Chip(name: "a chip", quantity: .field, fault: fault)]
      let opening = SourceOpening(isLive: true) { [status] () throws(SourceError) in
        var source = OpenedSource(publisher: publisher)
        source.boardStatus = { status }
        return source
      }
      let supervisor = BoardSupervisor(
        opening,
        events: SourceEvents(
          estimate: { _ in }, source: { _ in }, calibration: {}, notice: { _ in }),
        log: LoggedLines().log, silenceLimit: limit)
      supervisor.start()
      #expect(eventually { supervisor.source.isOpen })
      #expect(supervisor.isAlive == isAlive)
      supervisor.stop()
    }
  }

  @Test("the status names a device only while it is in service, and clients receive the troubles")
  func troubles() throws {
    let status = Collected<BoardStatus>()
    var board = BoardStatus()
    board.chips = [BoardStatus.Chip(name: "a chip", quantity: .field)]
    board.receivers = [BoardStatus.Receiver(port: "/dev/serial0")]
    status.add(board)
    let opening = SourceOpening(isLive: true) { () throws(SourceError) in
      var source = OpenedSource(publisher: ScriptedPublisher())
      source.boardStatus = { status.all.last }
      return source
    }
    let sources = Collected<SourceDescription>()
    let supervisor = BoardSupervisor(
      opening,
      events: SourceEvents(
        estimate: { _ in }, source: { sources.add($0) }, calibration: {}, notice: { _ in }),
      log: LoggedLines().log)
    supervisor.start()
    defer { supervisor.stop() }
    #expect(eventually { supervisor.source.isOpen })
    #expect(supervisor.status == "magnetometer, receiver without data yet")
    board.receiverEpochs = 7
    status.add(board)
    #expect(supervisor.status == "magnetometer, receiver")
    #expect(supervisor.source.troubles == nil)
    board.chips[0].fault = "no answer"
    board.chips[0].shortFault = "lost"
    board.chips[0].unsteadiness = BoardStatus.Unsteadiness(losses: 41, inService: 0.125)
    board.receivers[0].lack = BoardStatus.Lack(
      short: "silent for 20 s", text: "/dev/serial0: no data")
    status.add(board)
    let troubles = [
      "a chip lost, lost 41 times in the last hour, in service 12 % of it",
      "receiver silent for 20 s",
    ]
    #expect(supervisor.status == troubles.joined(separator: ", "))
    #expect(eventually { sources.all.last?.troubles?.map(\.text) == troubles })
    #expect(sources.all.last?.troubles?.map(\.fault) == ["no answer", "/dev/serial0: no data"])
    #expect(sources.all.last?.troubles?.map(\.quantity) == [.field, nil])
    #expect(supervisor.source.isOpen && supervisor.source.hasMagnetometer)
    (board.receivers[0].lack, board.receivers[0].fault) = (nil, "gone")
    status.add(board)
    #expect(eventually { sources.all.last?.troubles?.last?.text == "receiver lost" })
    #expect(sources.all.last?.troubles?.last?.fault == "gone")
  }
}

/// A machine without a Wi-Fi device.
private struct NoWiFi: AccessPointSource {
  func accessPoints() throws(WiFiError) -> [AccessPoint] { throw WiFiError(.noDevice) }
}
