import Storage

/// The readers of calibration files and profiles: numbers in range that are written and read again
/// unchanged, or one error with a text.
///
/// The checksum of an input is not compared: few mutations would pass. That of a written profile
/// is.
struct CalibrationBody: FuzzBody {
  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    let bytes = Array(input)
    let file = outcome { () throws(ProfileFault) in
      try CalibrationFile(json: bytes, isChecked: false)
    }
    switch file {
    case .success(let file):
      try Self.check(file)
      let again = outcome { () throws(ProfileFault) in
        try CalibrationFile(json: Array(file.json.utf8))
      }
      try expect(again == .success(file), "\(file.json) reads back as \(again)")
    case .failure(let fault): try Self.check(fault, input)
    }
    let profile = outcome { () throws(ProfileFault) in
      try CalibrationProfile(json: bytes, isChecked: false)
    }
    switch profile {
    case .success(let profile):
      try expect(!profile.identity.folderName.contains("/"), profile.identity.folderName)
      let written = profile.json
      let again = outcome { () throws(ProfileFault) in
        try CalibrationProfile(json: Array(written.utf8))
      }
      try expect(again == .success(profile), "\(written) reads back as \(again)")
      try expect(
        written.utf8.count <= 40 * input.count + 1024,
        "\(written.utf8.count) bytes were made from \(input.count)")
    case .failure(let fault): try Self.check(fault, input)
    }
  }

  private static func check(_ file: CalibrationFile) throws(Violation) {
    let (result, fit) = (file.result, file.fit)
    let (iron, offset) = (result.softIron, result.hardIronMicrotesla)
    for row in [iron.r0, iron.r1, iron.r2, offset] { try Bounds.numbers(row.x, row.y, row.z) }
    try expect(iron.inverse != nil, "a soft iron without an inverse")
    try Bounds.positive(
      result.coverage, result.residualMicrotesla, result.predictedHeadingErrorDegrees,
      fit.inlierShare)
    try Bounds.numbers(fit.latencySeconds, fit.earthField?.horizontal, fit.earthField?.down)
    try expect((fit.observationCount ?? 0) >= 0, "a negative number of observations")
    _ = file.estimate
  }

  private static func check(
    _ fault: ProfileFault, _ input: UnsafeRawBufferPointer
  ) throws(Violation) {
    if case .notJSON(let line, let column, _) = fault {
      let lines = 1 + input.count { $0 == UInt8(ascii: "\n") }
      try expect((1...lines).contains(line) && column >= 1, "line \(line), column \(column)")
    }
    try expect(!fault.description.isEmpty, "an error without a text")
  }
}
