// Stores profiles for `ThousandfoldTests` and prints the result of each after the store has
//   returned: ProfileWriter write FOLDER COUNT KEPT        the generation of each ProfileWriter
//   limited FOLDER COUNT SEED      with a random limit on the size of files each time ProfileWriter
//   full FOLDER COUNT SEED         with a random rest of free space each time
import Quantities
import Storage

#if canImport(Glibc)
  import Glibc
#endif

/// A small deterministic generator.
/// - Source: S. Vigna, SplitMix64 (public domain).
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}

let identity = ProfileIdentity(
  sensor: SensorIdentity(part: "LIS3MDL", bus: "i2c-1", address: 0x1E), board: "test")

/// A profile that contains the number of profiles written before it.
func profile(_ number: Int) -> CalibrationProfile {
  var profile = CalibrationProfile(
    made: UTCTime(nanosecondsSince1970: 1_760_000_000_000_000_000), identity: identity,
    conditions: CalibrationConditions(origin: .online),
    result: CalibrationResult(
      softIron: .identity, hardIronMicrotesla: SIMD3(Double(number), -2.25, 40), quality: .good))
  profile.fit.observationCount = number
  profile.conditions.activity = String(repeating: "x", count: 400)
  return profile
}

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(1, bytes, bytes.count)
}

/// Stores a profile and prints the result; then the last stored one must be current, and no file
/// damaged.
func attempt(_ store: ProfileStore, _ number: Int, last: inout Int, restore: () -> Void) {
  var outcome: String
  do {
    let saved = try store.save(profile(number))
    last = saved.profile.generation
    outcome = "saved \(last)"
  } catch {
    outcome = "failed \(error)"
  }
  restore()
  do {
    let current = try store.current(for: identity)
    let found = current.stored?.profile.generation ?? 0
    if found != last || !current.refusals.isEmpty {
      outcome = "LOST \(last), found \(found), \(current.refusals), after \(outcome)"
    }
  } catch {
    outcome = "LOST \(last): \(error), after \(outcome)"
  }
  say(outcome)
}

func limit(fileSize: UInt) {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  limit.rlim_cur = min(fileSize, limit.rlim_max)
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}

/// Fills the file system of a folder up to a number of free bytes.
func leaveFree(_ bytes: Int, _ path: String) {
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
  let block = [UInt8](repeating: 1, count: 4096)
  var size = 0
  while true {
    let count = write(file, block, block.count)
    if count <= 0 { break }
    size += count
  }
  ftruncate(file, max(0, size - bytes))
  close(file)
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let count = Int(arguments[3]), let last = Int(arguments[4]) else {
  say("usage: ProfileWriter write|limited|full FOLDER COUNT KEPT|SEED")
  exit(64)
}
var store = ProfileStore(directory: arguments[2])
var generator = Generator(state: UInt64(last))
var newest = 0
switch arguments[1] {
case "write":
  store.keptGenerations = last
  say("ready")
  for number in 0..<count {
    do {
      say("\(try store.save(profile(number)).profile.generation)")
    } catch {
      say("failed \(error)")
      exit(1)
    }
  }
case "limited":
  store.keptGenerations = 3
  signal(SIGXFSZ, SIG_IGN)
  for number in 0..<count {
    limit(fileSize: UInt.random(in: 0...2000, using: &generator))
    attempt(store, number, last: &newest) { limit(fileSize: .max) }
  }
case "full":
  store.keptGenerations = 3
  let ballast = arguments[2] + "/ballast"
  for number in 0..<count {
    leaveFree(Int.random(in: 0...16_000, using: &generator), ballast)
    attempt(store, number, last: &newest) { _ = unlink(ballast) }
  }
default: exit(64)
}
