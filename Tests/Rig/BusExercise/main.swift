// Tests of LinuxBus on a real kernel, one subcommand each; Tests/Rig/buses runs them in emulated
// boards. Prints the observations and one line that begins with PASS or FAIL; exit status 1 with
// FAIL.
import CAllocations
import Chips
import LinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

let usage = """
  BusExercise i2c BUS ADDRESS REGISTER HEX...   the registers read so
  BusExercise i2c-write BUS ADDRESS REGISTER HEX...  written and read back so
  BusExercise i2c-error BUS KNOWN ADDRESS KIND  KNOWN, where not -, answers; a read at ADDRESS fails with KIND
  BusExercise i2c-driver BUS ADDRESS DRIVER     the kernel's driver is found, and reading is refused
  BusExercise i2c-rate BUS ADDRESS REGISTER COUNT N  N block reads of COUNT bytes a second
  BusExercise i2c-removal BUS ADDRESS SECONDS   the bus is removed and added again meanwhile: it is closed, and read again
  BusExercise spi DEVICE HERTZ HEX... = HEX...  the bytes are sent, and received are those behind "=", "--" being any
  BusExercise spi-error DEVICE HERTZ COUNT KIND opening, or exchanging COUNT bytes, fails with KIND
  BusExercise spi-rate DEVICE HERTZ COUNT N     N transfers of COUNT bytes
  BusExercise spi-removal DEVICE HERTZ SECONDS  the controller is removed and added again meanwhile
  BusExercise edges LINE N SECONDS              N edges, in order, each stamped within its wait
  BusExercise edges-of-two LINE LINE N SECONDS  N edges of two lines, by one wait
  BusExercise busy LINE                         a second request is refused with the owner's name
  BusExercise output LINE                       the line can be driven and read back
  BusExercise serial PORT BAUD FILE SECONDS     the bytes that arrive are FILE's
  BusExercise pps DEVICE N SECONDS              N pulses, in order
  BusExercise pair DEVICE PORT N SECONDS        N pulses are paired with the sentences that follow them
  BusExercise refused ACTION ARGUMENT...        the action (i2c, line or serial) throws; prints the message
  """

let words = CommandLine.arguments

/// Writes a line without buffering: the rig reacts to it.
func print(_ items: Any..., terminator: String = "\n") {
  Swift.print(items.map { "\($0)" }.joined(separator: " "), terminator: terminator)
  fflush(nil)
}

/// Runs code that must not allocate.
func withoutAllocating<Value, Failure>(
  _ body: () throws(Failure) -> Value
) throws(Failure) -> Value {
  let before = allocations()
  // The program's own start has allocated by now, if allocations are counted.
  if before == 0 { fail("allocations are not counted") }
  let value = try body()
  let count = allocations() - before
  if count > 0 { fail("\(count) blocks of the heap were asked for") }
  return value
}

func fail(_ text: String) -> Never {
  print("FAIL \(text)")
  exit(1)
}

func word(_ index: Int) -> String {
  guard index < words.count else { fail("arguments\n\(usage)") }
  return words[index]
}

func number(_ index: Int) -> Int {
  let text = word(index)
  let value = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
  guard let value else { fail("'\(text)' is no number") }
  return value
}

func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: number(index)) }

func bytes(from index: Int) -> [UInt8] { words[index...].compactMap { UInt8($0, radix: 16) } }

func hex(_ bytes: [UInt8]) -> String { bytes.map(Hexadecimal.text).joined(separator: " ") }

func deadline(_ index: Int) -> Timestamp {
  MonotonicClock.now.advanced(byNanoseconds: UInt64(number(index)) * 1_000_000_000)
}

do {
  switch word(1) {
  case "i2c": try readRegisters()
  case "i2c-write": try writeRegisters()
  case "i2c-error": try failingRead()
  case "i2c-driver": try ownedAddress()
  case "i2c-rate": try readRate()
  case "i2c-removal": try removal()
  case "spi": try exchangeSPI()
  case "spi-error": failingSPI()
  case "spi-rate": try rateOfSPI()
  case "spi-removal": try removalOfSPI()
  case "edges": try edges()
  case "edges-of-two": try edgesOfTwo()
  case "busy": try busyLine()
  case "output": try output()
  case "serial": try serial()
  case "pps": try pulses()
  case "pair": try pair()
  case "refused": try refused()
  default: fail("unknown command\n\(usage)")
  }
} catch { fail("\(error)") }
