import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

/// Mistakes that people make, and what they read: what failed, on what, why, what to do.
@Suite("Mistakes and their messages", .timeLimit(.minutes(15)))
struct MistakeTests {
  /// A command line in one text, and words of its message.
  private static let mistakes: [(line: String, words: [String])] = [
    ("heding", ["unknown command 'heding'", "did you mean 'heading'?"]),
    ("lcoation", ["did you mean 'location'?"]),
    ("calibrat", ["did you mean 'calibrate'?"]),
    ("calibrate gide", ["unknown command 'calibrate gide'", "did you mean 'guide'?"]),
    ("token lst", ["did you mean 'list'?"]),
    ("xyzzy", ["unknown command 'xyzzy'; 'lodestar help' lists the commands"]),
    ("heading --simulat", ["--simulat", "Did you mean '--simulate'?"]),
    ("heading --fromat json", ["--fromat", "'--format'"]),
    ("field 91 10", ["latitude 91.0", "-90 to 90", "before the longitude"]),
    ("field 10 191", ["longitude 191.0", "-180 to 180", "write -169.0"]),
    ("field 10 400", ["longitude 400.0", "-180 to 180"]),
    ("field ten 10", ["'ten'", "expected a number such as -12.5"]),
    ("field 48,5 11", ["'48,5'", "decimal point"]),
    ("field 10 20 --date 2026-13-40", ["2026-13-40", "existing day", "2026-07-01"]),
    ("field 10 20 --date 2026-02-30", ["2026-02-30", "existing day"]),
    ("field 10 20 --altitude high", ["'high'", "expected a number"]),
    ("calibrate fit x.csv --location 48", ["'48'", "latitude,longitude", "52.5,13.4,80"]),
    ("calibrate fit x.csv --location 91,10", ["latitude 91.0", "-90 to 90"]),
    ("calibrate fit x.csv --location 10,200", ["longitude 200.0", "write -160.0"]),
    ("calibrate fit x.csv --location 1,2,3,4", ["latitude,longitude"]),
    ("calibrate fit x.csv --location 10,20,2e9", ["altitude", "metres above the ellipsoid"]),
    ("heading --mount forward,backward,up", ["right-handed", "forward,left,up"]),
    ("heading --mount forward,right,up", ["right-handed"]),
    ("heading --mount up", ["directions of x, y and z"]),
    ("heading --mount nord,ost,up", ["directions of x, y and z"]),
    ("heading --format nmea --sentences XYZ", ["HDG=4,HDT=1,RMC"]),
    ("heading --format nmea --sentences HDG=0", ["0.01 to 50"]),
    ("heading --rate 48,5", ["'48,5'", "decimal point", "48.5"]),
    ("heading --rate 99", ["--rate 99", "0.01 to 50"]),
    ("heading --count 0", ["--count 0", "1 or more"]),
    ("heading --simulate --replay x.csv", ["give --simulate or --replay, not both"]),
    ("replay nowhere.csv", ["nowhere.csv", "No such file"]),
    ("replay .", ["."]),
    ("report nowhere.mcap", ["nowhere.mcap"]),
    ("decode nowhere.ubx", ["nowhere.ubx"]),
    (
      "calibrate guide --simulate --json /nowhere/x.json", ["/nowhere/x.json", "cannot be written"]
    ),
    ("calibrate rollback seven", ["'seven'"]),
    ("serve --gpsd-port 99999", ["--gpsd-port 99999", "1 to 65535"]),
  ]

  @Test("a mistake is named with its reason and an example, without output")
  func messages() throws {
    let state = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path
    for (line, words) in Self.mistakes {
      let run = try lodestar.run(
        line.split(separator: " ").map(String.init), environment: ["LODESTAR_STATE": state])
      #expect(run.exited && run.status != 0 && run.output.isEmpty, "\(line): \(run.status)")
      #expect(run.errors.hasPrefix("lodestar: "), "\(line): \(run.errors)")
      for word in words { #expect(run.errors.contains(word), "\(line): \(run.errors)") }
    }
  }

  @Test("a spreadsheet's separators are named")
  func separators() throws {
    let file = try TemporaryFile(Data("t;mx;my;mz\n".utf8), suffix: ".csv")
    let run = try lodestar.run(["replay", file.path])
    #expect(run.status == 1 && run.errors.contains("semicolons between the columns"))
    #expect(run.errors.contains("expected commas"))
  }
}
