import Board
import Chips
import Doctor
import FoundationEssentials
import HostClient
import HostProtocol
import LinuxIO
import Quantities
import Setup

/// The running machine for the set-up.
enum LiveMachine {
  /// The machine with the files below a folder that stands for `/`, empty for this machine. With a
  /// folder no command is run but this program itself.
  static func machine(root: String) -> SetupMachine {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    let isWhole = root.isEmpty
    let system: any MachineSystem = isWhole ? LinuxSystem() : OwnProgram(path: program)
    return SetupMachine(
      host: Machine(root: root, system: system), program: program,
      converse: { isWhole || $0.first == program ? ForegroundProgram.run($0) : 0 },
      inventory: {
        let progress = ProgressLine()
        defer { progress.clear() }
        return BoardFinder().inventory(asksGPSD: true) { bus, address in
          progress.show("\(bus) \(Hexadecimal.text(address))")
        }
      },
      receivers: { ports in
        let progress = ProgressLine(name: "receiver")
        defer { progress.clear() }
        return BoardFinder().receivers(on: ports) { progress.show($0) }
      },
      portOwner: { PortOwner.name(of: $0) }, heading: heading)
  }

  /// The time for an accuracy and a position after the first heading, s.
  private static let settlingTime = 3.0

  /// The time after which a sensor that the daemon has not found is not waited for, s: the daemon
  /// has searched once by then.
  private static let searchTime = 5.0

  /// Waits for the first heading of the daemon, and some seconds more for its accuracy and a
  /// position.
  private static func heading(within seconds: Double) -> SetupMachine.DaemonAnswer {
    let client: HostClient
    do throws(HostError) { client = try HostClient.granted() } catch { return .none("\(error)") }
    defer { client.stop() }
    let progress = ProgressLine(name: "check")
    progress.show("waiting for the first heading")
    defer { progress.clear() }
    let queue = EstimateQueue()
    client.publisher.setDemand(EstimateDemand(fixes: true, headings: true))
    let observation = client.publisher.observe { queue.put($0) }
    defer { observation.cancel() }
    var newest: Estimate?
    var end = MonotonicClock.now.advanced(bySeconds: seconds)
    var lastSearch = MonotonicClock.now
    func isOver() -> Bool {
      let now = MonotonicClock.now
      if newest != nil || client.source.fault == nil { lastSearch = now }
      return now >= end || now >= lastSearch.advanced(bySeconds: searchTime)
    }
    while let estimate = queue.next(orUntil: isOver) {
      guard estimate.magneticHeading != nil || estimate.trueHeading != nil else { continue }
      if newest == nil { end = min(end, MonotonicClock.now.advanced(bySeconds: settlingTime)) }
      newest = estimate
      if estimate.position != nil, estimate.headingAccuracy != nil { break }
    }
    if let newest { return .heading(newest) }
    return .waiting(client.source)
  }

  /// A machine of which only the files are there, and this program.
  private struct OwnProgram: MachineSystem {
    let path: String
    private let others = StoredSystem()

    init(path: String) { self.path = path }

    func run(_ command: [String]) -> CommandOutcome? {
      command.first == path ? LinuxSystem().run(command) : nil
    }
    func attributes(of path: String) -> FileAttributes? { others.attributes(of: path) }
    func freeBytes(of path: String) -> UInt64? { others.freeBytes(of: path) }
    func loads(_ library: String) -> Bool { others.loads(library) }
    func hasProgram(_ name: String) -> Bool { name == path }
    var caller: Caller { others.caller }
    var clock: (utc: UTCTime, errorSeconds: Double?) { others.clock }
  }
}
