import Quantities

/// Reads the values of an object by key and checks their types and ranges. A fault names the key
/// with its section.
struct ProfileFields {
  let object: JSONObject
  /// The prefix of a key in a message: empty, or the section's name and a dot.
  var place = ""

  /// The value; a fault where it is nil.
  func required<T>(_ value: T?, _ key: String) throws(ProfileFault) -> T {
    guard let value else { throw .missing(place + key) }
    return value
  }

  /// A number in a range; nil where the key is absent.
  func number(
    _ key: String, in range: ClosedRange<Double>, unit: String
  ) throws(ProfileFault) -> Double? {
    guard let value = object[key] else { return nil }
    guard case .number(let number) = value else {
      throw .wrongType(place + key, expected: "a number")
    }
    guard range.contains(number) else {
      throw .unsound(
        "'\(place + key)' is \(number)\(unit), expected \(range.lowerBound) to "
          + "\(range.upperBound)\(unit)")
    }
    return number
  }

  /// A whole number from zero; nil where the key is absent.
  func count(_ key: String) throws(ProfileFault) -> Int? {
    // A double represents whole numbers exactly up to 2^53.
    guard let number = try number(key, in: 0...9_007_199_254_740_992, unit: "") else { return nil }
    guard let count = Int(exactly: number) else {
      throw .wrongType(place + key, expected: "a whole number")
    }
    return count
  }

  func text(_ key: String) throws(ProfileFault) -> String? {
    guard let value = object[key] else { return nil }
    guard case .text(let text) = value else { throw .wrongType(place + key, expected: "a text") }
    return text
  }

  /// A text that is not empty.
  func name(_ key: String) throws(ProfileFault) -> String? {
    guard let text = try text(key) else { return nil }
    guard !text.isEmpty else { throw .unsound("'\(place + key)' is empty") }
    return text
  }

  /// One of a set of words.
  func word<Word: RawRepresentable>(
    _ key: String, _ type: Word.Type
  ) throws(ProfileFault) -> Word? where Word.RawValue == String {
    guard let text = try text(key) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw .unsound("unknown \(place + key) '\(text)'")
    }
    return word
  }

  func time(_ key: String) throws(ProfileFault) -> UTCTime? {
    guard let text = try text(key) else { return nil }
    guard let time = UTCTime(iso8601: text) else {
      throw .unsound("'\(place + key)' is '\(text)', expected a time like 2026-11-21T16:32:30Z")
    }
    return time
  }

  func array(_ key: String) throws(ProfileFault) -> [JSONValue]? {
    guard let value = object[key] else { return nil }
    guard case .array(let values) = value else {
      throw .wrongType(place + key, expected: "an array")
    }
    return values
  }

  /// The section of a key.
  func section(_ key: String) throws(ProfileFault) -> ProfileFields? {
    guard let value = object[key] else { return nil }
    guard case .object(let object) = value else {
      throw .wrongType(place + key, expected: "an object")
    }
    return ProfileFields(object: object, place: place + key + ".")
  }

  func numbers(_ values: [JSONValue], _ key: String) throws(ProfileFault) -> [Double] {
    var numbers: [Double] = []
    for value in values {
      guard case .number(let number) = value else {
        throw .wrongType(place + key, expected: "numbers")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// Three numbers, none larger than a bound.
  func vector(
    _ key: String, below bound: Double, unit: String
  ) throws(ProfileFault) -> SIMD3<Double>? {
    guard let values = try array(key) else { return nil }
    return try vector(of: values, key, below: bound, unit: unit)
  }

  private func vector(
    of values: [JSONValue], _ key: String, below bound: Double, unit: String
  ) throws(ProfileFault) -> SIMD3<Double> {
    let numbers = try numbers(values, key)
    guard numbers.count == 3 else { throw .unsound("'\(place + key)' does not hold three numbers") }
    for number in numbers where abs(number) > bound {
      throw .unsound("'\(place + key)' holds \(number)\(unit), expected less than \(bound)\(unit)")
    }
    return SIMD3(numbers[0], numbers[1], numbers[2])
  }

  /// Three rows of three numbers with a plausible determinant; negative only where it may mirror.
  func matrix3(_ key: String, mayMirror: Bool) throws(ProfileFault) -> Matrix3? {
    guard let rows = try array(key) else { return nil }
    guard rows.count == 3 else { throw .unsound("'\(place + key)' does not hold three rows") }
    var vectors: [SIMD3<Double>] = []
    for row in rows {
      guard case .array(let values) = row else {
        throw .wrongType(place + key, expected: "three rows of three numbers")
      }
      vectors.append(try vector(of: values, key, below: 1e3, unit: ""))
    }
    let matrix = Matrix3(rows: vectors[0], vectors[1], vectors[2])
    let volume = matrix.determinant
    // Iron changes a field by tenths of it; a determinant far from 1 means other units or no
    // calibration.
    guard (0.05...20).contains(abs(volume)) else {
      throw .unsound("'\(place + key)' has determinant \(volume), far from 1")
    }
    guard volume > 0 || mayMirror else {
      throw .unsound(
        "'\(place + key)' has determinant \(volume): it mirrors, but 'mount' is not mirrored")
    }
    return matrix
  }

  /// A covariance matrix: square, symmetric, without a negative variance and without a correlation
  /// above one.
  /// - Returns: The numbers, rows first; nil where the key is absent.
  func covariance(_ key: String, order: Int?) throws(ProfileFault) -> [Double]? {
    guard let rows = try array(key) else { return nil }
    let n = order ?? rows.count
    var elements: [Double] = []
    for row in rows {
      guard case .array(let values) = row else {
        throw .wrongType(place + key, expected: "rows of numbers")
      }
      guard values.count == n else { throw .unsound("'\(place + key)' is not \(n) by \(n)") }
      elements += try numbers(values, key)
    }
    guard rows.count == n else { throw .unsound("'\(place + key)' is not \(n) by \(n)") }
    for i in 0..<n {
      guard elements[i * n + i] >= 0 else {
        throw .unsound("'\(place + key)' has a negative variance in row \(i + 1)")
      }
      for j in 0..<i {
        let (a, b) = (elements[i * n + j], elements[j * n + i])
        let most = (elements[i * n + i] * elements[j * n + j]).squareRoot()
        // The rounding errors of a fit are far below this tolerance.
        guard abs(a - b) <= 1e-6 * most, abs(a) <= most * (1 + 1e-6) else {
          throw .unsound(
            "'\(place + key)' is no covariance: row \(i + 1), column \(j + 1) holds \(a), mirrored "
              + "\(b), with variances that allow \(most)")
        }
      }
    }
    return elements
  }
}
