/// The examples and the main options of each command. A test parses every example.
extension ShortHelp {
  /// What stands after the command, and what it does.
  struct Example {
    var rest: String
    var effect: String
  }

  private static func example(_ rest: String, _ effect: String) -> Example {
    Example(rest: rest, effect: effect)
  }

  /// Two examples of each command, by its path.
  static let examples: [String: [Example]] = [
    "heading": [
      example("", "The compass of this board; q ends it."),
      example("--format nmea --count 100", "A hundred sentences for a plotter."),
    ],
    "location": [
      example("", "A line for each fix."),
      example("--simulate --format json --count 5", "Five simulated fixes for a program."),
    ],
    "record": [
      example("drive.mcap", "Records until Ctrl-C."),
      example("drive.mcap --duration 60", "Records a minute."),
    ],
    "replay": [
      example("drive.mcap", "Runs a recording through the filter and shows a summary."),
      example("drive.mcap --estimates out.jsonl", "Writes every estimate as a line of JSON."),
    ],
    "report": [
      example("drive.mcap", "Writes drive.html: can the heading be trusted, and plots."),
      example("drive.mcap --format json", "The figures behind the sentences."),
    ],
    "export": [
      example("drive.mcap track.gpx", "The way for a map program."),
      example("drive.mcap samples.csv", "The samples for a spreadsheet."),
    ],
    "decode": [
      example("receiver.ubx", "A receiver's bytes as gpsd's JSON."),
      example("receiver.log --format text", "The same for people."),
    ],
    "field": [
      example("52.5 13.4", "Declination and strength in Berlin today."),
      example("52.5 13.4 --date 2028-06-01 --format json", "On a day, for a program."),
    ],
    "probe": [
      example("", "The chips and receivers that answer."),
      example("--format json", "The same for a program."),
    ],
    "corrections": [
      example("--list ntrip://caster.example", "What an NTRIP caster offers."),
      example("ntrip://caster.example/MOUNT --seconds 20", "What a mount point sends in 20 s."),
    ],
    "calibrate guide": [
      example("", "Turns you through a calibration and stores it."),
      example("--simulate", "Shows how it goes, with a simulated board."),
    ],
    "calibrate fit": [
      example("turned.csv", "The calibration of a recording, as a summary."),
      example("turned.csv --json compass.json", "Writes it into a file."),
    ],
    "calibrate status": [
      example("", "The calibration in use."),
      example("--format json", "The same for a program."),
    ],
    "calibrate history": [
      example("", "The stored calibrations with what each contains."),
      example("--format json", "The same for a program."),
    ],
    "calibrate rollback": [
      example("", "The calibration before the last change, of any kind."),
      example("7", "Number 7 of calibrate history."),
    ],
    "calibrate export": [
      example("compass.json", "The calibration in use as a file."),
      example("- --number 7", "Number 7 of calibrate history on standard output."),
    ],
    "calibrate import": [
      example("compass.json", "Uses the calibration of a file."),
      example("compass.json --foreign", "Also of another board."),
    ],
    "calibrate deviation": [
      example("", "The stored deviation card."),
      example("drive.mcap --dry-run", "The card of a drive, and what it would change."),
    ],
    "calibrate swing": [
      example("", "Asks for known headings and the compass's."),
      example("swing.csv", "The same from a file."),
    ],
    "calibrate load": [
      example("motor.csv", "The field of a motor by its recorded current."),
      example("motor.csv --keep", "Stores it with the calibration."),
    ],
    "calibrate mount": [
      example("turned.csv", "The axes of the magnetometer."),
      example("turned.csv --board boat.yaml", "Offers to write them into a board file."),
    ],
    "calibrate accelerometer": [
      example("sides.csv", "From a recording of the board on its six sides."),
      example("sides.csv --keep", "Stores it with the calibration."),
    ],
    "calibrate level": [
      example("rest.csv", "The tilt of the board on a level body."),
      example("rest.csv --board boat.yaml", "Offers to write it into a board file."),
    ],
    "serve": [
      example("--simulate", "A daemon with a simulated board."),
      example("--replay drive.mcap --http-port 8080", "A recording with the web page."),
    ],
    "token add": [
      example("", "A one-time link for a phone."),
      example("--name tablet", "The same with a name."),
    ],
    "token list": [
      example("", "The tokens."),
      example("--format json", "The same for a program."),
    ],
    "token revoke": [
      example("phone", "Ends the permission of the token 'phone'."),
      example("--all", "Ends all of them."),
    ],
    "receiver show": [
      example("", "What the daemon's receiver is and how it is set."),
      example("--port /dev/ttyUSB0 --format json", "Another one, for a program."),
    ],
    "receiver set": [
      example("--port /dev/ttyUSB0 --rate 5", "Five positions a second, until it is switched off."),
      example("--port /dev/ttyUSB0 --rate 5 --save", "The same, stored in the receiver."),
    ],
    "receiver save": [
      example("", "Stores the settings in use in the receiver."),
      example("--port /dev/ttyUSB0", "In another one."),
    ],
    "receiver revert": [
      example("", "The settings before the last 'set'."),
      example("--factory", "The maker's defaults, after a question."),
    ],
    "setup": [
      example("", "Asks, and sets up sensors, receiver and outputs."),
      example("--dry-run", "Shows what would be changed."),
    ],
    "check": [
      example("", "Checks this board in three minutes."),
      example("--simulate", "Shows how it goes."),
    ],
    "doctor": [
      example("", "What prevents sensors from working, and the remedy."),
      example("--fix", "Repairs what it can."),
    ],
    "port-check": [
      example("Sources", "What of an iOS application differs here."),
      example("Sources --format json", "The same for a program."),
    ],
  ]

  /// The options that are shown first, by the command's path; the others follow as declared.
  static let mainOptions: [String: [String]] = [
    "heading": [
      "simulate", "replay", "format", "rate", "count", "board", "calibration", "sentences",
      "status", "helm", "steer",
    ],
    "location": ["simulate", "replay", "format", "rate", "count", "board", "status"],
    "replay": ["estimates", "calibration", "board", "activity", "format", "date"],
    "record": ["duration", "board", "simulate"],
    "report": ["output", "format", "plot", "calibration", "board"],
    "decode": ["format", "date"],
    "serve": ["board", "simulate", "replay", "http-port", "gpsd-port", "nmea-port"],
    "calibrate guide": ["simulate", "replay", "location", "json", "format", "board"],
    "calibrate fit": ["json", "location", "format"],
    "doctor": ["fix", "format"],
  ]
}
