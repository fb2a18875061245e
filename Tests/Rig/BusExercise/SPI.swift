import Chips
import LinuxIO
import Quantities

/// Opens DEVICE with the clock HERTZ of the command line.
@MainActor
private func opened() throws(BusError) -> LinuxSPIDevice {
  let device = try LinuxSPIDevice(path: word(2), hertz: UInt32(clamping: number(3)))
  print("\(device.name) opened with \(word(3)) Hz, of", LinuxSPIDevice.devices())
  return device
}

@MainActor
private func exchange(
  _ device: LinuxSPIDevice, _ bytes: inout [UInt8]
) throws(BusError) {
  var failure: BusError?
  bytes.withUnsafeMutableBytes {
    do throws(BusError) { try device.exchange($0) } catch { failure = error }
  }
  if let failure { throw failure }
}

/// Sends the bytes before "=" in one selection; the received ones are those behind it, of which
/// "--" is any.
@MainActor
func exchangeSPI() throws(BusError) {
  let device = try opened()
  let parts = words[4...].split(separator: "=", omittingEmptySubsequences: false)
  guard parts.count == 2 else { fail("arguments\n\(usage)") }
  var bytes = parts[0].compactMap { UInt8($0, radix: 16) }
  try exchange(device, &bytes)
  let holds =
    bytes.count == parts[1].count
    && zip(bytes, parts[1]).allSatisfy { $1 == "--" || UInt8($1, radix: 16) == $0 }
  guard holds else { fail("sent \(parts[0].joined(separator: " ")): received \(hex(bytes))") }
  print("PASS sent \(parts[0].joined(separator: " ")): received \(hex(bytes))")
}

/// Opening the device, or exchanging COUNT bytes, fails with KIND.
@MainActor
func failingSPI() {
  do throws(BusError) {
    let device = try opened()
    var bytes = [UInt8](repeating: 0, count: number(4))
    try exchange(device, &bytes)
    fail("\(bytes.count) bytes were exchanged")
  } catch {
    print(error)
    guard "\(error.kind)" == word(5) else { fail("\(error.kind)") }
    print("PASS \(error.kind)")
  }
}

@MainActor
func rateOfSPI() throws(BusError) {
  let device = try opened()
  var bytes = [UInt8](repeating: 0, count: number(4))
  let count = number(5)
  let begin = MonotonicClock.now
  try withoutAllocating { () throws(BusError) in
    for _ in 0..<count { try exchange(device, &bytes) }
  }
  let seconds = MonotonicClock.now.seconds(since: begin)
  print(
    "PASS \(Int(bounded: Double(count) / seconds)) transfers a second of \(bytes.count) bytes; nothing allocated"
  )
}

/// Exchanges as a bus's thread does, while the rig unbinds the controller's driver and binds it
/// again.
@MainActor
func removalOfSPI() throws(BusError) {
  let device = try opened()
  let end = deadline(4)
  var bytes: [UInt8] = [0x9F, 0, 0, 0, 0, 0, 0]
  try exchange(device, &bytes)
  print("EXCHANGING")
  var lost: BusError?
  while MonotonicClock.now < end {
    do throws(BusError) {
      bytes = [0x9F, 0, 0, 0, 0, 0, 0]
      try exchange(device, &bytes)
      if let lost {
        print("PASS closed and used again; meanwhile: \(lost)")
        return
      }
    } catch {
      if lost == nil { print("LOST \(error)") }
      lost = error
    }
    device.releaseIfRemoved()
    device.wait(nanoseconds: 250_000_000)
  }
  fail(lost.map { "not back: \($0)" } ?? "not removed")
}
