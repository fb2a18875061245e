import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("Exit statuses and closed output", .timeLimit(.minutes(30)))
struct ExitStatusTests {
  private static let recordings =
    SharedData.repository.appendingPathComponent("Examples/Recordings").path

  @Test("the help, Documentation/Formats.md and the program have the same statuses")
  func table() throws {
    let help = try lodestar.run(["--help"], environment: ["COLUMNS": "1000"]).text
    let line = try #require(help.split(separator: "\n").first { $0.hasPrefix("Exit status: ") })
    let file = SharedData.repository.appendingPathComponent("Documentation/Formats.md")
    let formats = try String(contentsOf: file, encoding: .utf8)
    let rows = formats.split(separator: "\n").compactMap { row -> String? in
      guard let match = row.wholeMatch(of: /\| ([0-9]+) \| (.+) \|/) else { return nil }
      return "\(match.1) \(match.2)"
    }
    let entries = line.dropFirst("Exit status: ".count).dropLast().split(separator: "; ")
    #expect(!entries.isEmpty)
    for entry in entries { #expect(rows.contains(String(entry)), "\(entry)\n\(rows)") }
  }

  @Test("misuse ends with status 64, names the option and the right form, without output")
  func misuse() throws {
    let cases: [([String], [String])] = [
      (["headin"], ["unknown command 'headin'", "'lodestar help' lists the commands"]),
      (
        ["calibrate", "fitt", "x"], ["unknown command 'calibrate fitt'", "lodestar help calibrate"]
      ),
      (["token", "x"], ["unknown command 'token x'", "lodestar help token"]),
      (["heading", "--mount", "up"], ["--mount", "forward,left,up"]),
      (["heading", "--rate", "99"], ["--rate 99", "0.01 to 50"]),
      (["heading", "--count", "0"], ["--count 0", "1 or more"]),
      (["heading", "--format", "xml"], ["--format", "'text', 'json' or 'nmea'"]),
      (["heading", "--sentences", "XX"], ["--sentences", "HDG=4,HDT=1,RMC"]),
      (["heading", "--rate"], ["Missing value", "--rate"]),
      (["heading", "--qnh", "5"], ["--qnh 5", "850 to 1100"]),
      (["field", "1", "2", "--date", "x"], ["--date", "2026-07-01"]),
      (["field", "-1"], ["give LAT and LON"]),
      (["serve", "--gpsd-port", "99999"], ["--gpsd-port 99999", "1 to 65535"]),
      (["calibrate", "fit", "x.csv", "--location", "91,0"], ["--location", "52.5,13.4,80"]),
      (["calibrate", "mount", "--seconds", "0"], ["--seconds", "1 to 600"]),
      (["probe", "--write"], ["--write"]), (["replay"], ["input"]),
      (["replay", "--bogus", "-5"], ["--bogus"]), (["token", "revoke"], ["--all"]),
    ]
    for (arguments, words) in cases {
      let run = try lodestar.run(arguments)
      #expect(run.exited && run.status == 64 && run.output.isEmpty, "\(arguments): \(run.status)")
      #expect(run.errors.hasPrefix("lodestar: "), "\(run.errors)")
      for word in words { #expect(run.errors.contains(word), "\(arguments): \(run.errors)") }
      // The replacement of signs is not visible.
      #expect(!run.errors.contains("\u{2212}"), "\(run.errors)")
    }
  }

  @Test("a reader that closes the pipe ends every command without a message, with status 0")
  func closedPipe() throws {
    let recordings = Self.recordings
    let commands: [[String]] = [
      ["--help"], ["help", "heading"], ["--experimental-dump-help"],
      ["--generate-completion-script", "bash"], ["heading", "--simulate"],
      ["heading", "--simulate", "--format", "json"], ["location", "--simulate"],
      ["location", "--simulate", "--format", "json"],
      ["replay", "\(recordings)/trip.csv", "--estimates", "-"],
      ["replay", "\(recordings)/trip.csv", "--attitude", "-"],
      ["decode", "\(recordings)/receiver.log"], ["field", "--batch", "\(recordings)/places.txt"],
      ["field", "52", "13", "--format", "json"], ["serve", "--simulate", "--check-config"],
      ["calibrate", "fit", "\(recordings)/turn.csv", "--json", "-"],
      ["calibrate", "guide", "--simulate"],
      ["calibrate", "guide", "--simulate", "--format", "json"],
    ]
    let bash = try #require(BuiltProgram.installed("bash"))
    for command in commands {
      // Nothing is read, and the pipe is usually closed before the begin: a short output meets it
      // too.
      let script = #"{ sleep 0.1; "$0" "$@"; echo "status $?" >&2; } | exec true"#
      // The daemon's check wants a place for its socket, also where no session has one.
      let run = try bash.run(
        ["-c", script, lodestar.path] + command,
        environment: ["XDG_RUNTIME_DIR": NSTemporaryDirectory()])
      let lines = run.errorLines.filter { !$0.hasPrefix("lodestar: \(recordings)") }
      #expect(lines == ["status 0"], "\(command): \(run.errors)")
    }
  }

  @Test("output that cannot be written ends with status 74, also that of the help")
  func fullDisk() throws {
    let bash = try #require(BuiltProgram.installed("bash"))
    for command in [["--help"], ["--version"], ["heading", "--simulate"], ["field", "52", "13"]] {
      let run = try bash.run(["-c", #""$0" "$@" > /dev/full"#, lodestar.path] + command)
      #expect(run.status == 74 && run.errors.contains("standard output"), "\(run.errors)")
    }
  }

  @Test("--count counts lines in every format")
  func count() throws {
    for format in ["text", "json", "nmea"] {
      for count in [1, 2, 5] {
        let run = try lodestar.run([
          "location", "--simulate", "--format", format, "--count", "\(count)",
        ])
        let lines = run.output.filter { $0 == UInt8(ascii: "\n") }.count
        #expect(run.status == 0 && lines == count, "\(format): \(run.text)")
      }
    }
  }
}
