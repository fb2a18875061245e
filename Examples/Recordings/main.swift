import Foundation
import Quantities
import Simulation

// Writes the recordings of this folder: SampleRecordings FOLDER. The files are the same each time.

/// A simulated world with low sampling rates, for small recordings.
func world(
  _ scenario: Scenario, inertialHertz: Double?, fieldHertz: Double?, receiverHertz: Double?
) throws -> SimulatedWorld {
  var scenario = scenario
  if let inertialHertz {
    scenario.inertialUnit?.rateHertz = inertialHertz
  } else {
    (scenario.inertialUnit, scenario.barometer) = (nil, nil)
  }
  if let fieldHertz {
    scenario.magnetometer?.rateHertz = fieldHertz
  } else {
    scenario.magnetometer = nil
  }
  scenario.barometer?.rateHertz = 5
  if receiverHertz == nil { scenario.receiver = nil }
  let start = UTCTime(year: 2026, month: 7, day: 1, hour: 9) ?? UTCTime(nanosecondsSince1970: 0)
  return try SimulatedWorld(scenario: scenario, seed: 1, startUTC: start)
}

/// The samples of a world as a sensor CSV.
func csv(_ world: SimulatedWorld, seconds: UInt64) -> [UInt8] {
  SensorCSV.files(of: world, until: Timestamp(nanoseconds: seconds * 1_000_000_000)).sensors
}

/// The serial output of a world's receiver.
func sentences(_ world: SimulatedWorld, seconds: UInt64) -> [UInt8] {
  var bytes: [UInt8] = []
  for sample in world {
    guard sample.timestamp.nanoseconds <= seconds * 1_000_000_000 else { break }
    guard case .fix(let fix) = sample else { continue }
    bytes += ReceiverSentences.bytes(
      of: fix, geoidSeparationMetres: world.scenario.geoidSeparationMetres)
  }
  return bytes
}

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: SampleRecordings FOLDER\n".utf8))
  exit(64)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let files: [(String, [UInt8])] = [
  (
    "trip.csv",
    csv(
      try world(.sailingBoat, inertialHertz: 25, fieldHertz: 10, receiverHertz: 1), seconds: 60)
  ),
  (
    "turn.csv",
    csv(
      try world(.calibrationByHand, inertialHertz: 50, fieldHertz: 25, receiverHertz: nil),
      seconds: 45)
  ),
  (
    "drive.csv",
    csv(try world(.carDrive, inertialHertz: nil, fieldHertz: nil, receiverHertz: 1), seconds: 450)
  ),
  (
    "receiver.log",
    sentences(
      try world(.carDrive, inertialHertz: nil, fieldHertz: nil, receiverHertz: 1), seconds: 120)
  ),
]
for (name, bytes) in files {
  try Data(bytes).write(to: folder.appendingPathComponent(name))
}
