import Chips
import LinuxIO
import Quantities

@MainActor
private func block(
  _ bus: LinuxI2CBus, _ address: UInt8, _ register: UInt8, _ count: Int
) throws(BusError) -> [UInt8] {
  var read = [UInt8](repeating: 0, count: count)
  var failure: BusError?
  read.withUnsafeMutableBytes {
    do throws(BusError) { try bus.read(register, of: address, into: $0) } catch { failure = error }
  }
  if let failure { throw failure }
  return read
}

@MainActor
private func opened() throws(BusError) -> LinuxI2CBus {
  let bus = try LinuxI2CBus(path: word(2))
  print(
    "\(bus.name): \(LinuxI2CBus.adapterName(of: bus.name) ?? "no name"),",
    bus.isRaw ? "raw transfers" : "SMBus calls", "of", LinuxI2CBus.buses())
  return bus
}

@MainActor
func readRegisters() throws(BusError) {
  let bus = try opened()
  let wanted = bytes(from: 5)
  let read = try block(bus, byte(3), byte(4), wanted.count)
  guard read == wanted else { fail("\(word(3)) register \(word(4)): \(hex(read))") }
  // One at a time, the same.
  for (index, value) in wanted.enumerated() {
    let single = try bus.read(byte(4) + UInt8(index), of: byte(3))
    guard single == value else { fail("one at a time: \(hex([single]))") }
  }
  print("PASS \(word(3)) register \(word(4)): \(hex(read))")
}

@MainActor
func writeRegisters() throws(BusError) {
  let bus = try opened()
  let wanted = bytes(from: 5)
  var failure: BusError?
  wanted.withUnsafeBytes {
    do throws(BusError) { try bus.write($0, to: byte(4), of: byte(3)) } catch { failure = error }
  }
  if let failure { throw failure }
  guard try block(bus, byte(3), byte(4), wanted.count) == wanted else { fail("read back") }
  let last = UInt8(truncatingIfNeeded: wanted.count - 1)
  try bus.write(0x5A, to: byte(4) + last, of: byte(3))
  guard try bus.read(byte(4) + last, of: byte(3)) == 0x5A else { fail("one written") }
  try bus.command(byte(4), to: byte(3))
  // The command set the register to read next.
  let received = try bus.receive(from: byte(3))
  guard received == wanted[0] || wanted.count == 1 else { fail("received \(hex([received]))") }
  print("PASS wrote and read \(wanted.count) bytes of \(word(3)), one, and a command")
}

@MainActor
func failingRead() throws(BusError) {
  let bus = try opened()
  if word(3) != "-" { print("\(word(3)) answers \(hex([try bus.read(0, of: byte(3))]))") }
  do throws(BusError) {
    _ = try bus.read(0, of: byte(4))
    fail("\(word(4)) answered")
  } catch {
    print(error)
    guard "\(error.kind)" == word(5) else { fail("\(word(4)): \(error.kind)") }
    print("PASS \(word(4)): \(error.kind)")
  }
  if word(3) != "-" { _ = try bus.read(0, of: byte(3)) }
}

@MainActor
func ownedAddress() throws(BusError) {
  let bus = try opened()
  guard bus.kernelDriver(at: byte(3)) == word(4) else {
    fail("driver \(bus.kernelDriver(at: byte(3)) ?? "none")")
  }
  for attempt in 1...2 {
    do throws(BusError) {
      _ = try bus.read(0, of: byte(3))
      fail("the address of a driver was read")
    } catch {
      guard error.kind == .ownedByKernel else { fail("\(error)") }
      if attempt == 2 { print("PASS \(error), by \(word(4))") }
    }
  }
}

@MainActor
func readRate() throws(BusError) {
  let bus = try opened()
  let (address, register, count) = (byte(3), byte(4), number(6))
  let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: number(5), alignment: 1)
  defer { bytes.deallocate() }
  let begin = MonotonicClock.now
  try withoutAllocating { () throws(BusError) in
    for _ in 0..<count {
      try bus.read(register, of: address, into: bytes)
      try bus.write(UnsafeRawBufferPointer(bytes), to: register, of: address)
      _ = try bus.read(register, of: address)
    }
  }
  let seconds = MonotonicClock.now.seconds(since: begin)
  print(
    "PASS \(Int(bounded: Double(count) / seconds)) times a second \(bytes.count) bytes read, written, one read;",
    "nothing allocated")
}

/// Reads as a bus's thread does, while the rig unbinds the adapter's driver, whose removal waits
/// for the bus to be closed, and binds it again.
@MainActor
func removal() throws(BusError) {
  let bus = try opened()
  let (address, end) = (byte(3), deadline(4))
  _ = try bus.read(0, of: address)
  print("READING")
  var lost: BusError?
  while MonotonicClock.now < end {
    do throws(BusError) {
      _ = try bus.read(0, of: address)
      if let lost {
        print("PASS closed and read again; meanwhile: \(lost)")
        return
      }
    } catch {
      if lost == nil { print("LOST \(error)") }
      lost = error
    }
    bus.releaseIfRemoved()
    bus.wait(nanoseconds: 250_000_000)
  }
  fail(lost.map { "not back: \($0)" } ?? "not removed")
}
