// Publishers of a fleet in one process: the daemon's own MQTT link, one for each, with a thread, a
// client and topics of its own.
//
//   FleetBenchmark BROKER COUNT INTERVAL QOS SECONDS [CA]
//   FleetBenchmark health FOLDER COUNT    (metrics of boards, some of them in trouble)
//
// Each posts a state every INTERVAL seconds, at a phase of its own, with values like those of a
// moving board. The longitude carries the time of the post: (microseconds of UTC modulo 3.6e9) /
// 1e7 - 180 degrees, for the latency at a subscriber. Prints a JSON line each 0.1 s while
// connections change, and one with the totals at the end.
import Formats
import Foundation
import LinuxIO
import LocationHost
import Quantities
import Servers

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "health", let boards = Int(arguments[3]) {
  try FleetHealth.write(boards, to: arguments[2])
  exit(0)
}
guard arguments.count >= 6, let broker = MQTTBroker(arguments[1]), let count = Int(arguments[2]),
  let interval = Double(arguments[3]), let quality = Int(arguments[4]),
  let duration = Double(arguments[5])
else {
  print("usage: FleetBenchmark BROKER COUNT INTERVAL QOS SECONDS [CA]")
  exit(2)
}
guard let library = MosquittoLibrary() else {
  print("FleetBenchmark: libmosquitto is missing: run 'apt install libmosquitto1'")
  exit(2)
}

/// A moving board's values, with the time of the post.
func state(_ number: Int, _ step: Int) -> (payload: [UInt8], time: UTCTime) {
  let (now, time) = (MonotonicClock.now, SystemClock.reading.utc)
  var estimate = Estimate(timestamp: now)
  estimate.utc = time
  let turn = Double((number * 37 + step * 3) % 3600) / 10
  estimate.magneticHeading = MagneticHeading(Angle(degrees: turn))
  estimate.trueHeading = TrueHeading(Angle(degrees: turn + 4.4))
  estimate.headingAccuracy = Angle(degrees: 3.1)
  estimate.isLevelKnown = true
  estimate.attitude = Rotation(rotationVector: SIMD3(0.1, 0.05, turn * .pi / 180))
  estimate.rateOfTurn = AngularSpeed(radiansPerSecond: 0.02)
  let stamp = Double((time.nanosecondsSince1970 / 1000) % 3_600_000_000) / 1e7 - 180
  estimate.position = GeodeticPosition(
    latitudeDegrees: 50 + Double(number) / 100, longitudeDegrees: stamp)
  (estimate.horizontalAccuracyMetres, estimate.verticalAccuracyMetres) = (2.5, 4.1)
  (estimate.altitudeMetres, estimate.speedMetresPerSecond) = (12.3, 3.2)
  estimate.course = Angle(degrees: turn)
  (estimate.fixKind, estimate.satellitesUsed) = (.threeDimensional, 14)
  (estimate.calibration, estimate.disturbance) = (.good, .clean)
  return (EstimateJSON.state(estimate, hectopascal: 1013.25), time)
}

let log = HostLog { _, _ in }
let links = try (0..<count).map { number in
  var settings = MQTTSettings()
  (settings.broker, settings.interval, settings.qualityOfService) = (broker, interval, quality)
  settings.caFile = arguments.count > 6 ? arguments[6] : nil
  settings.topic = "fleet/\(10_000 + number)"
  settings.clientIdentifier = "lodestar-fleet-\(10_000 + number)"
  return try MQTTLink(
    settings, settings.names(host: "fleet", machine: "\(number)"), library, log: log)
}

func report(_ begin: Timestamp, _ posted: Int, isLast: Bool = false) -> Int {
  let all = links.map(\.statistics)
  let connected = all.count { $0.isConnected }
  let line = [
    "\"t\":\(MonotonicClock.now.seconds(since: begin))",
    "\"utc\":\(Double(SystemClock.reading.utc.nanosecondsSince1970) / 1e9)",
    "\"connected\":\(connected)",
    "\"connections\":\(all.reduce(0) { $0 + $1.connections })",
    "\"attempts\":\(all.reduce(0) { $0 + $1.attempts })",
    "\"acknowledged\":\(all.reduce(0) { $0 + $1.acknowledged })",
    "\"posted\":\(posted)", "\"waiting\":\(links.reduce(0) { $0 + $1.waiting })",
    "\"last\":\(isLast)",
  ]
  // At once, also into a pipe.
  FileHandle.standardOutput.write(Data("{\(line.joined(separator: ","))}\n".utf8))
  return connected
}

let begin = MonotonicClock.now
for link in links { link.start() }
var (posted, connected, step, lastReport) = (0, -1, 0, begin)
let end = begin.advanced(bySeconds: duration)
var next = begin
// In turn, so that the posts are spread over the interval.
while MonotonicClock.now < end {
  let number = posted % count
  let (payload, time) = state(number, posted / count)
  links[number].post(payload, at: time)
  posted += 1
  next = begin.advanced(bySeconds: Double(posted) * interval / Double(count))
  MonotonicClock.sleep(until: next)
  if MonotonicClock.now.seconds(since: lastReport) >= 0.1 {
    lastReport = MonotonicClock.now
    let now = links.count { $0.statistics.isConnected }
    if now != connected { connected = report(begin, posted) }
  }
}
// What is on the way arrives.
let deadline = MonotonicClock.now.advanced(bySeconds: 3)
while links.contains(where: { $0.waiting > 0 }), MonotonicClock.now < deadline {
  MonotonicClock.sleep(until: MonotonicClock.now.advanced(bySeconds: 0.02))
}
_ = report(begin, posted, isLast: true)
let group = DispatchGroup()
for link in links { DispatchQueue.global().async(group: group) { link.stop() } }
group.wait()
