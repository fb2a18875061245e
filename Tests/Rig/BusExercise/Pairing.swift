import Chips
import LinuxIO
import Quantities
import ReceiverProtocols

/// Pulses of the kernel and a port's sentences, at once. The rig sends the sentences of second k of
/// a minute k seconds after it reads WAITING, and the first pulse 0.6 s after it: that one marks
/// second 1.
@MainActor
func pair() throws(BusError) {
  let source = try LinuxPPSEdges(path: word(2))
  let port = try LinuxSerialPort(path: word(3), baud: 9600)
  var parameters = PulsePairing.Parameters()
  // The emulated line is moved by a sleeping process of a busy machine.
  parameters.toleranceSeconds = 0.1
  var pairing = PulsePairing(parameters: parameters)
  var reader = ReceiverReader()
  var first: UInt32?
  var marked = 0
  print("WAITING to pair")
  let end = deadline(5)
  while marked < number(4), MonotonicClock.now < end {
    while let edge = try source.next(until: MonotonicClock.now) {
      first = first ?? edge.count
      let pulse = pairing.add(
        PulseEdge(
          instant: edge.instant, isAssert: edge.isAssert, systemUTC: edge.utc,
          systemErrorSeconds: SystemClock.errorSeconds, sequence: edge.count))
      let second = pulse?.second.map { Int($0.nanosecondsOfDay / 1_000_000_000) % 60 }
      print(
        "pulse \(edge.count) at \(edge.instant.nanoseconds) ns marks",
        second.map { "second \($0)" } ?? "an unknown second")
      guard let second, let first else { continue }
      guard second == Int(edge.count - first) + 1 else { fail("that is another's second") }
      marked += 1
    }
    try pair(from: port, &reader, &pairing)
  }
  let timing = pairing.timing(at: MonotonicClock.now)
  print("state \(timing.state.rawValue) \(timing.obstacle?.rawValue ?? "")")
  guard marked == number(4), let delay = timing.messageDelaySeconds,
    let offset = timing.systemOffsetSeconds, let jitter = timing.jitterSeconds
  else { fail("\(marked) of \(number(4)) pulses are paired") }
  print(
    "PASS \(marked) pulses of \(word(2)) are paired with \(port.name): sentences after \(delay) s,",
    "jitter \(jitter) s, system clock \(offset) s; \(timing.used) used, \(timing.missed) missed,",
    "\(timing.refused) refused")
}

/// What came in within twenty milliseconds.
@MainActor
private func pair(
  from port: LinuxSerialPort, _ reader: inout ReceiverReader, _ pairing: inout PulsePairing
) throws(BusError) {
  var bytes = [UInt8](repeating: 0, count: 256)
  let soon = MonotonicClock.now.advanced(byNanoseconds: 20_000_000)
  var count = 0
  var failure: BusError?
  bytes.withUnsafeMutableBytes { buffer in
    do throws(BusError) {
      count = try port.read(into: buffer, until: soon)
    } catch {
      failure = error
    }
  }
  if let failure { throw failure }
  let now = MonotonicClock.now
  var reports: [ReceiverReport] = []
  bytes.withUnsafeBytes { buffer in
    reader.push(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: now) { reports.append($0) }
  }
  for case .epoch(let epoch) in reports {
    guard let utc = epoch.fix.utc else { continue }
    pairing.add(
      PulseEpoch(utc: utc, arrival: epoch.fix.timestamp, hasFix: epoch.fix.position != nil))
  }
}
