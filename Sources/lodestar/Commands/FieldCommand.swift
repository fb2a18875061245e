import ArgumentParser
import EarthModel
import Formats
import LinuxIO
import Quantities

/// `lodestar field`: the magnetic elements for a place and date, or for a file of them.
struct FieldCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "field",
    abstract: "The earth's magnetic field at a place and date.",
    usage: """
      lodestar field LAT LON [--altitude M] [--date D] [--model FILE.COF] [--format text|json]
      lodestar field --batch FILE [--model FILE.COF]
      """,
    discussion: """
      LAT and LON are degrees, north and east positive; negative numbers need no --. Each batch line \
      'decimal_year altitude_km lat lon' gives a CSV line D,I,H,X,Y,Z,F,dD,dI,dH,dX,dY,dZ,dF in degrees, nT \
      and their change in a year.
      """)

  @Argument(help: "Degrees, north positive.")
  var latitude: SignedNumber?

  @Argument(help: "Degrees, east positive.")
  var longitude: SignedNumber?

  @Option(help: ArgumentHelp("Metres above the WGS-84 ellipsoid.", valueName: "metres"))
  var altitude = SignedNumber(0)

  @Option(help: "2026.5, 2026-07-01 or 2026-07-01T12:00:00; today by default.")
  var date: DateArgument?

  @Option(
    help: ArgumentHelp(
      "A coefficient file (.COF); the built-in WMM2025 by default.", valueName: "file"),
    completion: .file())
  var model: String?

  @Option(
    help: ArgumentHelp(
      "A file of lines 'decimal_year altitude_km lat lon'; - is standard input.",
      valueName: "file"), completion: .file())
  var batch: String?

  @Option(help: "Lines of text, or one JSON object.")
  var format: Format = .text

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  func validate() throws {
    let hasPlace = latitude != nil && longitude != nil
    guard hasPlace != (batch != nil), (latitude == nil) == (longitude == nil) else {
      throw ValidationError("give LAT and LON, or --batch FILE")
    }
  }

  func run() throws {
    let model = try loadModel()
    if let batch {
      try FieldBatch(path: batch, model: model).run()
      return
    }
    guard let latitude, let longitude, let date = date ?? DateArgument.now else {
      throw Failure.usage("give LAT and LON, or --batch FILE")
    }
    let fault = LocationArgument.fault(
      latitude: latitude.value, longitude: longitude.value, altitude: altitude.value)
    if let fault { throw Failure.input(fault) }
    let elements: MagneticElements
    do {
      elements = try model.elements(
        at: GeodeticPosition(
          latitudeDegrees: latitude.value, longitudeDegrees: longitude.value),
        ellipsoidalHeightMetres: altitude.value, decimalYear: date.decimalYear)
    } catch {
      throw Failure.input(FieldText.message(error))
    }
    let out = OutputStream()
    switch format {
    case .text:
      for line in FieldText.lines(elements, model, decimalYear: date.decimalYear) {
        try out.line(line)
      }
    case .json:
      try out.line { FieldJSON.append(elements, model, date, to: &$0) }
    }
    try out.close()
    for warning in elements.warnings { StandardError.say("warning: \(FieldText.message(warning))") }
  }

  /// The limit of a coefficient file, bytes: a model of degree 790 has 20 MB.
  private static let largestModel = 32 << 20

  private func loadModel() throws(Failure) -> MagneticModel {
    guard let path = model else { return .wmm2025 }
    let bytes: [UInt8]
    do {
      bytes = try LinuxFiles(largestBytes: Self.largestModel).content(ofInput: path)
    } catch {
      throw .input("\(path): cannot be read: \(error.reason)")
    }
    do {
      return try MagneticModel(parsingCOF: bytes)
    } catch {
      throw .input("\(path):\(FieldText.message(error))")
    }
  }
}
