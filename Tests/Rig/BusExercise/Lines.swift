import Chips
import LinuxIO
import Quantities

@MainActor
private func check(_ edge: GPIOEdge, last: GPIOEdge?, waitedFrom begin: Timestamp) {
  let now = MonotonicClock.now
  print(
    "edge \(edge.isRising ? "rising" : "falling") at \(edge.timestamp.nanoseconds) ns,",
    "\(Int(bounded: now.seconds(since: edge.timestamp) * 1e6)) us ago")
  guard edge.timestamp <= now else { fail("an edge of the future") }
  guard edge.timestamp >= begin else { fail("an edge of before the wait") }
  if let last {
    guard edge.timestamp > last.timestamp else { fail("edges out of order") }
  }
}

@MainActor
func edges() throws(BusError) {
  let begin = MonotonicClock.now
  let line = try LinuxGPIOLine(name: word(2), direction: .edges(.both))
  print("libgpiod \(LinuxGPIOLine.libraryGeneration); \(line.name) is high: \(try line.isHigh())")
  guard try line.nextEdge(until: MonotonicClock.now) == nil else { fail("an edge of itself") }
  print("WAITING for edges of \(line.name)")
  let end = deadline(4)
  var last: GPIOEdge?
  for index in 0..<number(3) {
    guard
      let edge =
        try withoutAllocating({ () throws(BusError) in try line.nextEdge(until: end) })
    else { fail("\(index) of \(number(3)) edges") }
    check(edge, last: last, waitedFrom: begin)
    guard edge.isRising != last?.isRising else { fail("the same edge twice") }
    last = edge
  }
  print("PASS \(number(3)) edges of \(line.name), in order, each within its wait")
}

@MainActor
func edgesOfTwo() throws(BusError) {
  let begin = MonotonicClock.now
  let lines = [
    try LinuxGPIOLine(name: word(2), direction: .edges(.rising)),
    try LinuxGPIOLine(name: word(3), direction: .edges(.falling)),
  ]
  let wait = try LinuxEdgeWait(lines)
  guard try wait.wait(until: MonotonicClock.now) == nil else { fail("an edge of itself") }
  print("WAITING for edges of two lines")
  let end = deadline(5)
  var last: [GPIOEdge?] = [nil, nil]
  var counts = [0, 0]
  while counts != [number(4), number(4)] {
    guard
      let (index, edge) =
        try withoutAllocating({ () throws(BusError) in try wait.wait(until: end) })
    else { fail("\(counts) edges") }
    print(lines[index].name, terminator: " ")
    check(edge, last: last[index], waitedFrom: begin)
    guard edge.isRising == (index == 0) else { fail("the wrong edge") }
    last[index] = edge
    counts[index] += 1
  }
  print("PASS \(counts) edges of two lines by one wait")
}

@MainActor
func busyLine() throws(BusError) {
  let line = try LinuxGPIOLine(name: word(2), direction: .edges(.both))
  do throws(BusError) {
    _ = try LinuxGPIOLine(name: word(2), direction: .input)
    fail("a line was given twice")
  } catch {
    guard error.kind == .inUse("'lodestar'") else { fail("\(error)") }
    print("PASS \(error)")
  }
  do throws(BusError) {
    try line.set(high: true)
    fail("an input was driven")
  } catch {
    guard case .unsupported = error.kind else { fail("\(error)") }
    print("PASS \(error)")
  }
}

@MainActor
func output() throws(BusError) {
  let line = try LinuxGPIOLine(name: word(2), direction: .output(isHigh: true))
  guard try line.isHigh() else { fail("not high at first") }
  try line.set(high: false)
  guard try !line.isHigh() else { fail("not low") }
  try line.set(high: true)
  guard try line.isHigh() else { fail("not high again") }
  do throws(BusError) {
    _ = try line.nextEdge(until: MonotonicClock.now)
    fail("edges of an output")
  } catch {
    guard case .unsupported = error.kind else { fail("\(error)") }
  }
  print("PASS \(line.name) is driven high, low, high")
}

@MainActor
func pulses() throws(BusError) {
  let source = try LinuxPPS(path: word(2))
  let before = try source.nextPulse(after: nil, until: MonotonicClock.now)
  print("WAITING for pulses after number \(before?.assertCount ?? 0)")
  let end = deadline(4)
  var last = before
  for index in 0..<number(3) {
    guard let pulse = try source.nextPulse(after: last, until: end) else {
      fail("\(index) of \(number(3)) pulses")
    }
    print("pulse \(pulse.assertCount) at \(pulse.assertTime.nanosecondsSince1970) ns")
    guard pulse.assertCount == (last?.assertCount ?? 0) + 1 else { fail("a pulse left out") }
    if let last {
      guard pulse.assertTime > last.assertTime else { fail("pulses out of order") }
    }
    last = pulse
  }
  print("PASS \(number(3)) pulses of \(source.name)")
}
