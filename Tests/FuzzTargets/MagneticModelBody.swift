import EarthModel
import Quantities

/// The reader of a magnetic model's `.COF` file: a model with a finite field everywhere, or an
/// error with a line of the file.
struct MagneticModelBody: FuzzBody {
  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    let model = outcome { () throws(MagneticModelError) in try MagneticModel(parsingCOF: input) }
    switch model {
    case .success(let model):
      try expect(
        (1900...2100).contains(model.epoch) && model.degree * (model.degree + 3) <= input.count,
        "epoch \(model.epoch), degree \(model.degree) from \(input.count) bytes")
      for latitude in [-90.0, 0, 53.5, 90] {
        let place = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: 9.9)
        let found = outcome { () throws(MagneticModelError) in
          try model.elements(at: place, ellipsoidalHeightMetres: 0, decimalYear: model.epoch + 1)
        }
        guard case .success(let field) = found else { throw Violation("no field: \(found)") }
        try Bounds.numbers(field.northNanotesla, field.eastNanotesla, field.downNanotesla)
      }
    case .failure(let error):
      guard case .malformed(let line, let expected) = error else { throw Violation("\(error)") }
      let lines = 1 + input.count { $0 == UInt8(ascii: "\n") }
      try expect((1...lines).contains(line), "line \(line) of \(lines)")
      try expect(!expected.description.isEmpty, "an error without a text")
    }
  }
}
